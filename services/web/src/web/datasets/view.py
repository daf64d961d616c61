"""Datasets: in a list, and one with all that is said of it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from dynabench_client.results.datasets import Dataset, DatasetFile
from markupsafe import Markup

from web.kit.markdown import render_markdown
from web.kit.numbers import MISSING, count, decimal, percent, plural, size
from web.kit.released import DatasetRow, dataset_row, examples_in, splits_of
from web.kit.words import AGREEMENT_BASES, language_words, origin_words, voting_policy_words

KINDS = {
    "application/x-parquet": "Parquet",
    "application/jsonl+gzip": "JSON lines, gzip",
    "text/markdown": "the card",
    "application/ld+json": "Croissant",
    "text/plain": "checksums",
    "application/json": "manifest",
}
EXCLUDED = {
    "retracted": "withdrawn by the author",
    "flagged": "flagged as unfit",
    "disputed": "disputed",
    "no_gold": "resolved without a label of the task",
}
COUNTED = {
    "verdicts": "Verdict",
    "resolutions": "Resolution",
    "cohorts": "Cohort",
    "conditions": "Condition",
}
MER, VMER = "MER", "vMER"
Row = tuple[str, str, str]


@dataclass(frozen=True)
class CountedShare:
    """A share with what it is made of, so that anybody can do the sum again."""

    name: str
    value: str
    counted: str


@dataclass(frozen=True)
class CountTable:
    """How many examples there are of each kind."""

    title: str
    rows: list[Row]


@dataclass(frozen=True)
class FileView:
    """A file to download."""

    path: str
    kind: str
    split: str
    examples: str
    size: str
    sha256: str
    address: str


@dataclass(frozen=True)
class DatasetView:
    """A dataset whole; `facts` are names with their values in words."""

    row: DatasetRow
    task_title: str
    round_id: str
    digest: str
    description: Markup
    content_warning: str
    citation: str
    splits: list[tuple[str, str, str, str]]
    excluded: list[tuple[str, str]]
    rates: list[CountedShare]
    tables: list[CountTable]
    facts: list[tuple[str, str]]
    files: list[FileView]
    card: str
    croissant: str


def dataset_view(found: Dataset, base: str) -> DatasetView:
    """Return a dataset in print; its files lie below `base`, the address of the dataset in the public interface."""
    about = found.about
    collected = about.get("collected")
    return DatasetView(
        row=dataset_row(found),
        task_title=str(about.get("task_title") or found.task_slug),
        round_id=found.round_id or "",
        digest=found.digest,
        description=render_markdown(found.description),
        content_warning=str(about.get("content_warning") or ""),
        citation=found.citation,
        splits=_split_rows(found),
        excluded=[
            (EXCLUDED.get(reason, reason.replace("_", " ")), count(number))
            for reason, number in _counts(about.get("excluded")).items()
            if number
        ],
        rates=_rates(collected if isinstance(collected, Mapping) else {}, found.counts),
        tables=[
            CountTable(title, rows)
            for name, title in COUNTED.items()
            if (rows := _shares(_counts(found.counts.get(name))))
        ],
        facts=_facts(found, about),
        files=[_file(file, base) for file in found.files],
        card=f"{base}/card",
        croissant=f"{base}/croissant",
    )


def input_name(found: Dataset) -> str:
    """Return what the task calls what people write, where that is one text."""
    fields = found.about.get("fields")
    stated = fields.get("input") if isinstance(fields, Mapping) else None
    texts = [
        str(each.get("name"))
        for each in (stated if isinstance(stated, list) else ())
        if isinstance(each, Mapping) and each.get("type_name") == "string"
    ]
    return texts[0].replace("_", " ") if len(texts) == 1 else "input"


def _split_rows(found: Dataset) -> list[tuple[str, str, str, str]]:
    total = examples_in(found)
    return [
        (
            name,
            count(split.examples),
            percent(split.examples / total if total else None),
            count(split.authors),
        )
        for name, split in splits_of(found)
    ]


def _counts(stated: Any) -> dict[str, int]:
    if not isinstance(stated, Mapping):
        return {}
    return {str(name): number for name, number in stated.items() if isinstance(number, int)}


def _shares(counts: Mapping[str, int]) -> list[Row]:
    total = sum(counts.values())
    return [
        (name.replace("_", " "), count(number), percent(number / total if total else None))
        for name, number in counts.items()
    ]


def _rates(collected: Mapping[str, Any], counts: Mapping[str, Any]) -> list[CountedShare]:
    """Return the shares of the whole round, then of the dataset; one that means nothing here is left out."""
    tries = f"of {count(_number(collected.get('tries')))} tries"
    agreement = collected.get("agreement")
    stated = agreement if isinstance(agreement, Mapping) else {}
    found = [
        (MER, percent(_number(collected.get("mer"))), f"{_counted(collected, 'fooled')} fooled {tries}"),
        (
            VMER,
            percent(_number(collected.get("vmer"))),
            f"{_counted(collected, 'validated_errors')} validated errors {tries}",
        ),
        ("Confirmed, of fooling", *_confirmed(counts)),
        ("Agreement, raw", percent(_number(stated.get("raw"))), _basis(stated)),
        ("Krippendorff's alpha", decimal(_number(stated.get("krippendorff_alpha")), 3), _basis(stated)),
    ]
    return [CountedShare(name, value, counted) for name, value, counted in found if value != MISSING]


def _confirmed(counts: Mapping[str, Any]) -> tuple[str, str]:
    correct, resolved = _number(counts.get("fooled_correct")), _number(counts.get("fooled_resolved"))
    if correct is None or not resolved:
        return MISSING, ""
    return percent(correct / resolved), f"{count(correct)} of {count(resolved)} resolved ones in the splits"


def _basis(agreement: Mapping[str, Any]) -> str:
    votes = AGREEMENT_BASES.get(str(agreement.get("basis")), "over votes")
    return f"{count(_number(agreement.get('examples')))} examples, {votes}"


def _counted(collected: Mapping[str, Any], name: str) -> str:
    return count(_number(collected.get(name)))


def _number(value: Any) -> float | None:
    return value if isinstance(value, int | float) else None


def _facts(found: Dataset, about: Mapping[str, Any]) -> list[tuple[str, str]]:
    votes = found.counts.get("votes")
    largest = about.get("largest_author_share")
    languages = [str(code) for code in about.get("languages") or ()]
    facts = [
        ("Licence", found.licence or "not stated"),
        ("Languages", language_words(languages) or "not stated"),
        ("Collected", _collected(about)),
        ("Targets", ", ".join(str(name) for name in about.get("targets") or ()) or "none in the loop"),
        ("Labels", ", ".join(str(name) for name in about.get("labels") or ()) or MISSING),
        ("Votes", count(votes) if isinstance(votes, int) else MISSING),
        ("Voting rule", _voting_rule(about.get("validation"))),
        ("Largest author", percent(largest) if isinstance(largest, float | int) else MISSING),
        ("Splits drawn with seed", str(about.get("seed", MISSING))),
    ]
    segments = about.get("segments")
    if isinstance(segments, int):
        facts.append(("Segments", plural(segments, "segment")))
    return facts


def _collected(about: Mapping[str, Any]) -> str:
    source = str(about.get("source") or "")
    return origin_words(str(about.get("origin") or "")) + (f" from {source}" if source else "")


def _voting_rule(stated: Any) -> str:
    if not isinstance(stated, Mapping):
        return MISSING
    policy = stated.get("policy")
    return voting_policy_words(policy) if isinstance(policy, Mapping) else MISSING


def _file(file: DatasetFile, base: str) -> FileView:
    return FileView(
        path=file.path,
        kind=KINDS.get(file.media_type, file.media_type),
        split=file.split or "",
        examples=count(file.examples) if file.examples is not None else "",
        size=size(file.size),
        sha256=file.sha256,
        address=address_of(base, file.path),
    )


def address_of(base: str, path: str) -> str:
    """Return where a file of a dataset is."""
    return f"{base}/files/{'/'.join(quote(part, safe='') for part in path.split('/'))}"


def dataset_rows(found: Sequence[Dataset]) -> list[DatasetRow]:
    """Return datasets in the order of the list."""
    return [dataset_row(each) for each in found]
