"""Output of a program in its sandbox, for its submitter, without TorchServe's own lines and the platform's paths."""

import re
from collections.abc import Sequence
from pathlib import Path

LAST_BYTES = 262_144
MOST_LINES = 200
LONGEST_LINE = 1_000
OF_THE_PROGRAM = re.compile(r"^\S+ \[\w+ *\] MODEL_LOG - (.*)$")
ROUTINE = re.compile(
    r"Listening on port: |Successfully loaded \S+metrics\.yaml|\[PID\]\d|Torch worker started|Python runtime: "
    r"|Connection accepted: |model_name: \S+, batchSize: |Backend received inference at: |Frontend disconnected"
)


def last_lines(folder: Path, own_places: Sequence[Path], most: int = MOST_LINES) -> tuple[str, ...]:
    """Return the last lines that the program in a sandbox's folder printed; what begins with a place of ours is cut."""
    text = "".join(_last(folder / name) for name in ("sandbox.previous.log", "sandbox.log"))
    return said_in(text, own_places, most)


def said_in(text: str, own_places: Sequence[Path], most: int = MOST_LINES) -> tuple[str, ...]:
    """Return the last lines of the program in a log; what begins with a place of ours is cut."""
    for place in own_places:
        text = text.replace(f"{place}/", "…/")
    found = (OF_THE_PROGRAM.match(line) for line in text.splitlines())
    lines = [match[1][:LONGEST_LINE] for match in found if match and not ROUTINE.match(match[1])]
    return tuple(lines[-most:])


def _last(file: Path) -> str:
    try:
        with file.open("rb") as opened:
            opened.seek(max(0, file.stat().st_size - LAST_BYTES))
            return opened.read().decode("utf-8", "replace")
    except OSError:
        return ""
