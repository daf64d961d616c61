"""A long step reports its progress, and a refused certificate names the setting."""

import os
import re
import subprocess
import threading

import pytest
from dynabench_local import stack as stacks
from dynabench_local.layout import Layout, checkout
from dynabench_local.part import Part
from dynabench_local.stack import Stack

ALOUD = checkout() / "scripts" / "aloud"
UV_SAYS = "error: invalid peer certificate: UnknownIssuer"


def aloud(script: str) -> "subprocess.CompletedProcess[str]":
    environment = {**os.environ, "ALOUD_SECONDS": "0.1"}
    return subprocess.run(
        [str(ALOUD), "installing", "sh", "-c", script],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )


def test_a_long_command_is_heard_of_and_keeps_its_status() -> None:
    done = aloud("sleep 1; echo printed; exit 3")
    first, *others = done.stdout.splitlines()
    assert (first, done.returncode) == ("installing", 3)
    assert any(line.startswith("  still installing, ") for line in others)
    assert "printed" in others


@pytest.mark.parametrize(("message", "is_named"), [(UV_SAYS, True), ("no such package", False)])
def test_a_refused_certificate_names_the_setting(message: str, is_named: bool) -> None:
    done = aloud(f"echo '{message}' >&2; exit 1")
    assert message in done.stderr
    assert ("SSL_CERT_FILE" in done.stderr) is is_named


def test_whatever_the_makefile_fetches_is_heard_of() -> None:
    fetching = re.compile(r"pip install|install_assets|install_jars")
    lines = (checkout() / "Makefile").read_text().splitlines()
    assert [
        line for line in lines if line.startswith("\t") and fetching.search(line) and "ALOUD" not in line
    ] == []


def test_a_long_start_names_the_parts_that_it_waits_for(tmp_path_factory: pytest.TempPathFactory) -> None:
    lines: list[str] = []
    own = Stack(Layout(checkout(), tmp_path_factory.mktemp("home"), 21_000), lines.append)
    for name in ("first", "second"):
        own.parts[name] = Part(
            name, ("/bin/true",), own.layout.home, after=("first",) if name == "second" else ()
        )
    ready = {name: threading.Event() for name in ("first", "second")}
    own._reported_at -= stacks.QUIET_SECONDS
    own._report_progress(ready)
    own._report_progress(ready)
    assert lines == ["still preparing first"]
