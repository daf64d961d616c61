"""Build of the archive that the platform would serve for an archive of data, with the platform's packaging tool."""

import json
from pathlib import Path

from dynabench_archives.scanning import ArchiveDescription, ScanReport, extract_data

from dynabench_toolkit.local_models.local_processes import LocalProcess, environment_of
from dynabench_toolkit.local_models.local_torchserve import MODEL, MOST_LOG_LINES, ServingFailed
from dynabench_toolkit.local_models.serving_environment import NoServing, ServingEnvironment

# More than a sandbox's: the platform builds outside of one.
BUILD_MEMORY_BYTES = 16 << 30
ERROR = "error: "
GET_PACKAGING = (
    "Install it next to TorchServe: pip install PLATFORM/model-archives, the folder of a checkout of the platform or a "
    "wheel of it, with the Python that --serving-python names. In a checkout make install has it in .venv-serving."
)


def build(
    archive: Path, report: ScanReport, serving: ServingEnvironment, folder: Path, seconds: float
) -> Path:
    """Build the served archive in a folder. Raises ServingFailed; NoServing where the tool is not here."""
    if serving.packaging is None:
        raise NoServing(
            "the platform's packaging tool is not here, which builds what is served of data", GET_PACKAGING
        )
    assert report.description is not None  # noqa: S101
    data, log = folder / "data", folder / "build.log"
    data.mkdir()
    extract_data(archive, report, data)
    command = _command(serving, data, folder / "built", report.description)
    environment = environment_of(
        serving, folder, PYTHONPATH=str(serving.packaging), NO_COLOR="1", TERM="dumb"
    )
    process = LocalProcess(command, folder, environment, log, BUILD_MEMORY_BYTES)
    try:
        status = process.wait(seconds)
    finally:
        process.end()
    lines = log.read_text("utf-8", "replace").replace(f"{data}/", "").splitlines()
    if status != 0:
        raise _failure(status, lines, seconds)
    note = json.loads((folder / "built" / f"{MODEL}.mar.json").read_text("utf-8"))
    _ensure_described(note["labels"], report.description)
    return folder / "built" / f"{MODEL}.mar"


def _command(
    serving: ServingEnvironment, data: Path, store: Path, description: ArchiveDescription
) -> list[str]:
    options = [
        f"--name={MODEL}",
        "--version=1",
        f"--store={store}",
        f"--task-type={description.task_type}",
        *(f"--field={field}" for field in description.fields),
        *([] if description.max_tokens is None else [f"--max-tokens={description.max_tokens}"]),
    ]
    return [str(serving.python), "-m", "model_archives", "package", str(data), *options]


def _failure(status: int | None, lines: list[str], seconds: float) -> ServingFailed:
    log = tuple(lines[-MOST_LOG_LINES:])
    if status is None:
        return ServingFailed(
            f"building it was not over within {seconds:.0f} s",
            "Send a smaller model, or give it longer with --timeout.",
            log,
        )
    reason = next((line for line in reversed(lines) if line.startswith(ERROR)), None)
    if reason is None:
        return ServingFailed(
            f"the platform's packaging tool ended with status {status}", "Its last lines say why.", log
        )
    return ServingFailed(reason.removeprefix(ERROR), "Change the model, and package it again.")


def _ensure_described(labels: list[str], description: ArchiveDescription) -> None:
    if tuple(labels) != description.labels:
        raise ServingFailed(
            f"config.json says labels {labels}, and dynabench.json says {list(description.labels)}",
            "Package the model again, so that both say the same.",
        )
