"""Reasons shown to submitters and readers of boards: each one, also a new one, has an entry in the catalogue."""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from dynabench_archives.fit import Expected, misfit
from dynabench_archives.scanning import ScanLimits, open_archive, scan_archive
from service_texts import (
    MESSAGES,
    OWN_SPEAKERS,
    PROBLEMS,
    ROOT,
    SAID,
    SPEAKERS,
    is_recognisable,
    service_texts,
)

from tests import hostile_archives as hostile

EXPECTED = Expected(("text-classification",), ("text",), ("no", "yes"))
PLACES = (
    "services/archives/src/dynabench_archives/scanning",
    "services/registry/src/registry/agent",
    "services/registry/src/registry/sandbox",
    "services/registry/src/registry/service_layer/checks",
    "services/registry/src/registry/adapters/signatures.py",
    "services/leaderboard/src/leaderboard/domain/ranking",
)
"""Sources of the reasons that pages of submissions and boards show."""
INTERNAL = {
    **dict.fromkeys(
        ("RuntimeError", "ValueError", "TypeError", "AssertionError", "FileNotFoundError"),
        "a fault of a program",
    ),
    **{
        "ArchiveOnItsWay": "progress",
        "ArchiveInUse": "asked again by the worker",
        "DiskFull": "for operators",
    },
    **{
        "Superseded": "told the reconciler",
        "NoControlGroups": "told as a SandboxProblem",
        "PlatformBusy": "retried",
    },
    **dict.fromkeys(("Obstacle", "PodsRefused"), "what a cluster says, in its own words, for operators"),
    **dict.fromkeys(
        ("OSError", "ConnectionError"), "between the agent and a pod, told as an end of that pod"
    ),
}
"""Exceptions with words that no page shows, with the reason."""
FITS_NOT = [
    ("span", ("text",), ("no", "yes")),
    ("text-classification", ("premise", "hypothesis"), ("no", "yes")),
    ("text-classification", ("text",), ("maybe",)),
    ("text-classification", ("text",), ()),
]


@cache
def shapes() -> list[re.Pattern[str]]:
    found = []
    for each in service_texts().texts:
        if each.code == SAID:
            pieces = re.split(r"(?<!\{)\{\w+[^{}]*\}", each.text)
            plain = (re.escape(piece.replace("{{", "{").replace("}}", "}")) for piece in pieces)
            found.append(re.compile(".+?".join(plain), re.DOTALL))
    return found


def is_carried(text: str) -> bool:
    return any(shape.fullmatch(text) for shape in shapes())


@pytest.mark.parametrize(("task_type", "fields", "labels"), FITS_NOT)
def test_why_a_model_does_not_fit_is_carried(
    task_type: str, fields: tuple[str, ...], labels: tuple[str, ...]
) -> None:
    assert is_carried(str(misfit(EXPECTED, task_type, fields, labels)))


def test_what_is_found_in_archives_is_carried(tmp_path: Path) -> None:
    path = tmp_path / "archive.mar"
    found: set[str] = set()
    for content, _ in hostile.refused().values():
        path.write_bytes(content)
        report = scan_archive(path, ScanLimits(), lambda _line: None)
        for each in (*open_archive(path, ScanLimits()), *report.findings):
            found |= {each.reason, each.remedy}
    assert len(found) > 40
    assert [text for text in sorted(found) if not is_carried(text)] == []


def raised(folder: Path) -> Iterator[tuple[str, ast.expr, str]]:
    """Yield each exception that is raised with words: its name, the words, and where."""
    for path in [folder] if folder.is_file() else sorted(folder.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call):
                name = getattr(node.exc.func, "id", getattr(node.exc.func, "attr", ""))
                for each in node.exc.args:
                    written = "".join(
                        str(part.value) for part in ast.walk(each) if isinstance(part, ast.Constant)
                    )
                    if is_recognisable(written) and " " in written.strip():
                        yield name, each, f"{path.relative_to(ROOT)}:{node.lineno}"


def test_a_new_exception_with_words_is_carried_or_said_to_be_internal() -> None:
    known = SPEAKERS | OWN_SPEAKERS | MESSAGES | PROBLEMS.keys() | INTERNAL.keys()
    lacking = [
        f"{where}: {name}" for place in PLACES for name, _, where in raised(ROOT / place) if name not in known
    ]
    assert lacking == [], "add them to scripts/service_texts.py, or to INTERNAL with the reason"


def test_a_reason_that_nothing_collects_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(globals(), "ROOT", tmp_path)
    (tmp_path / "new.py").write_text('def check():\n    raise NobodyKnows("the moon is not full yet")\n')
    assert [name for name, _, _ in raised(tmp_path)] == ["NobodyKnows"]
    assert not is_carried("the moon is not full yet")
