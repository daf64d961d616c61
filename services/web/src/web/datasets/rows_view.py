"""View of a dataset's rows: a table of the first rows of a split."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from dynabench_client.results.datasets import Dataset, DatasetRows
from dynabench_tasks.values import Value
from markupsafe import Markup

from web.kit import fields, isolation, words
from web.kit.configuration import Field
from web.kit.fields import ShownValue, is_blank
from web.kit.form import whole_number
from web.kit.language import N_, _
from web.kit.numbers import count
from web.kit.words import Word

LONGEST = 160
"""Characters of a text in the table; a longer one is folded."""
TEXTS = ("context", "input")
FIRST_SPLIT = "train"
OUTCOMES: Mapping[bool | None, tuple[str, str]] = {
    True: ("✕", N_("wrong")),
    False: ("✓", N_("right")),
    None: ("–", N_("not judged")),
}


@dataclass(frozen=True)
class Cell:
    """A value of a row; `beginning` of a text that is folded, else empty."""

    shown: ShownValue | None
    beginning: str = ""


@dataclass(frozen=True)
class ModelAnswer:
    """A model's answer to a row; `sign` and `outcome` say whether it was wrong."""

    model: str
    shown: ShownValue | None
    sign: str
    outcome: str


@dataclass(frozen=True)
class RowView:
    """A row: its texts, its label, the models' answers and people's votes."""

    texts: list[Cell]
    label: Cell
    answers: list[ModelAnswer]
    verdict: Word | None
    resolution: Word | None


@dataclass(frozen=True)
class SplitLink:
    """A split to choose."""

    name: str
    examples: str
    address: str
    is_chosen: bool


@dataclass(frozen=True)
class Choice:
    """The rows that the page's address asks for."""

    split: str
    label: str
    offset: int

    @classmethod
    def of(cls, asked: Mapping[str, str]) -> "Choice":
        """Return the choice of an address; what can't be read has its default."""
        return cls(
            split=asked.get("split") or FIRST_SPLIT,
            label=asked.get("label") or "",
            offset=whole_number(asked.get("offset", ""), most_digits=5) or 0,
        )

    def address(self, dataset_id: str, offset: int = 0) -> str:
        """Return the address of these rows."""
        label = {"label": self.label} if self.label else {}
        start = {"offset": offset} if offset else {}
        return f"/datasets/{dataset_id}?{urlencode({'split': self.split, **label, **start})}#rows"


@dataclass(frozen=True)
class RowsView:
    """The rows of a dataset in a table, with the links to others."""

    headers: list[str]
    rows: list[RowView]
    summary: str
    limit: str
    next_address: str
    first_address: str


def split_links(found: Dataset, choice: Choice) -> list[SplitLink]:
    """Return the splits that have examples."""
    sizes = {file.split: file.examples for file in found.files if file.split and file.examples}
    return [
        SplitLink(
            name,
            count(examples),
            Choice(name, choice.label, 0).address(found.dataset_id),
            name == choice.split,
        )
        for name, examples in sizes.items()
    ]


def rows_view(dataset: Dataset, found: DatasetRows, choice: Choice) -> RowsView:
    """Return the table of rows."""
    columns = _text_fields(found)
    label = Field("label", _type_of(found, "label"), _("Label"), labels=dataset.labels)
    searched = _("Only the first %(number)s rows were searched.", number=count(found.searched))
    return RowsView(
        headers=[field.label for field in columns.values()],
        rows=[_row(row, columns, label) for row in found.rows],
        summary=_summary(found, choice),
        limit=searched if found.is_limit_reached else "",
        next_address=choice.address(dataset.dataset_id, found.next_offset) if found.next_offset else "",
        first_address=choice.address(dataset.dataset_id) if choice.offset else "",
    )


def preview_line(found: DatasetRows | None) -> str:
    """Return the beginning of the first text that a person wrote in these rows; empty if there is none."""
    if found is None:
        return ""
    written = [name for name, field in _text_fields(found).items() if _is_written(name, field)]
    texts = [str(row[name]) for row in found.rows for name in written if not is_blank(row.get(name))]
    return _beginning(texts[0]) or texts[0] if texts else ""


def _text_fields(found: DatasetRows) -> dict[str, Field]:
    """Return the fields of context and input by the names of their columns."""
    return {
        column.name: Field(name, column.type, name.replace("_", " ").capitalize())
        for column in found.columns
        for part, _between, name in [column.name.partition("_")]
        if part in TEXTS and name
    }


def _is_written(column: str, field: Field) -> bool:
    return column.startswith("input_") and field.is_free_text


def _type_of(found: DatasetRows, name: str) -> str:
    return next((column.type for column in found.columns if column.name == name), "string")


def _row(row: Mapping[str, Any], columns: Mapping[str, Field], label: Field) -> RowView:
    verdict, resolution = row.get("verdict"), row.get("resolution")
    return RowView(
        texts=[_cell(field, row.get(name)) for name, field in columns.items()],
        label=_cell(label, row.get("label")),
        answers=[_answer(each, label) for each in row.get("targets") or ()],
        verdict=words.verdict(verdict) if verdict else None,
        resolution=words.resolution(resolution),
    )


def _cell(field: Field, value: Any) -> Cell:
    if is_blank(value):
        return Cell(None)
    shown = fields.show(field, value)
    return Cell(shown, _beginning(shown.text))


def _answer(stated: Mapping[str, Any], label: Field) -> ModelAnswer:
    answer: Value | None = stated.get("answer")
    wrong: bool | None = stated.get("wrong")
    shown = None if answer is None or is_blank(answer) else fields.show(label, answer)
    sign, outcome = OUTCOMES[wrong]
    return ModelAnswer(str(stated.get("name") or ""), shown, sign, _(outcome) if shown else _("no answer"))


def _beginning(text: str) -> str:
    """Return the beginning of a text that is too long for a cell, cut at a word if possible."""
    if len(text) <= LONGEST:
        return ""
    cut = text[:LONGEST]
    return (cut.rpartition(" ")[0] or cut) + "…"


def _summary(found: DatasetRows, choice: Choice) -> str:
    if not found.rows:
        return _("No rows.")
    first, last = count(choice.offset + 1), count(choice.offset + len(found.rows))
    if choice.label:
        label: Markup | str = isolation.name(choice.label)
        return _(
            "Rows %(first)s to %(last)s with the label “%(label)s”.", first=first, last=last, label=label
        )
    return _("Rows %(first)s to %(last)s.", first=first, last=last)
