"""Reasons shown to submitters: each one that services give has an entry in the catalogue."""

from pathlib import Path

import pytest
from dynabench_archives.scanning import ScanLimits, open_archive, scan_archive
from dynabench_archives.task_types import Expected, misfit
from service_texts import service_texts
from web.kit.catalogues import ServiceTexts
from web.kit.service_words import _shape

from tests import hostile_archives as hostile

EXPECTED = Expected(("text-classification",), ("text",), ("no", "yes"))
FITS_NOT = [
    ("span", ("text",), ("no", "yes")),
    ("text-classification", ("premise", "hypothesis"), ("no", "yes")),
    ("text-classification", ("text",), ("maybe",)),
    ("text-classification", ("text",), ()),
]


def is_carried(text: str, texts: ServiceTexts) -> bool:
    return text in texts.plain or any(_shape(template).fullmatch(text) for template in texts.shapes)


@pytest.fixture(scope="module")
def texts() -> ServiceTexts:
    """The texts of the sources, untranslated."""
    return ServiceTexts({each.text: each.text for each in service_texts()})


@pytest.mark.parametrize(("task_type", "fields", "labels"), FITS_NOT)
def test_why_a_model_does_not_fit_is_carried(
    task_type: str, fields: tuple[str, ...], labels: tuple[str, ...], texts: ServiceTexts
) -> None:
    assert is_carried(str(misfit(EXPECTED, task_type, fields, labels)), texts)


def test_what_is_found_in_archives_is_carried(tmp_path: Path, texts: ServiceTexts) -> None:
    path = tmp_path / "archive.mar"
    found: set[str] = set()
    for content, _ in hostile.refused().values():
        path.write_bytes(content)
        report = scan_archive(path, ScanLimits(), lambda _line: None)
        for each in (*open_archive(path, ScanLimits()), *report.findings):
            found |= {each.reason, each.remedy}
    assert len(found) > 40
    assert [text for text in sorted(found) if not is_carried(text, texts)] == []
