"""The published lines of a sandbox's log."""

from pathlib import Path

from model_agent.sandbox.output import last_lines

LOG = """2026-11-23T13:49:16,268 [INFO ] MODEL_LOG - Listening on port: /tmp/files/.ts.sock.9000
2026-11-23T13:49:16,309 [INFO ] MODEL_LOG - Successfully loaded /opt/serving/lib/ts/configs/metrics.yaml.
2026-11-23T13:49:16,313 [INFO ] MODEL_LOG - [PID]65
2026-11-23T13:49:16,400 [INFO ] MODEL_LOG - Traceback (most recent call last):
2026-11-23T13:49:16,401 [INFO ] MODEL_LOG -   File "/opt/serving/lib/ts/model_loader.py", line 8, in load
2026-11-23T13:49:16,402 [WARN ] org.pytorch.serve.Something - a line of the server
2026-11-23T13:49:16,403 [INFO ] MODEL_LOG - RuntimeError: crashes on import
not a line of a log
"""


def test_only_the_programs_own_lines_are_told_and_no_path_of_ours(tmp_path: Path) -> None:
    (tmp_path / "sandbox.log").write_text(LOG)
    assert last_lines(tmp_path, [Path("/opt/serving")]) == (
        "Traceback (most recent call last):",
        '  File "…/lib/ts/model_loader.py", line 8, in load',
        "RuntimeError: crashes on import",
    )


def test_both_files_are_read_and_the_last_lines_kept(tmp_path: Path) -> None:
    line = "2026-11-23T13:49:16,400 [INFO ] MODEL_LOG - {}\n"
    (tmp_path / "sandbox.previous.log").write_text(line.format("first") + line.format("second"))
    (tmp_path / "sandbox.log").write_text(line.format("x" * 5_000))
    assert last_lines(tmp_path, [], most=2) == ("second", "x" * 1_000)


def test_a_folder_without_a_log_and_bytes_that_are_no_text_harm_nothing(tmp_path: Path) -> None:
    assert last_lines(tmp_path / "none", []) == ()
    (tmp_path / "sandbox.log").write_bytes(b"2026-11-23T13:49:16,400 [INFO ] MODEL_LOG - \xff\x00\n")
    assert last_lines(tmp_path, []) == ("\ufffd\x00",)
