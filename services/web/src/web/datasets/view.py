"""View of datasets: the list, and one in full."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from dynabench_client.results.datasets import Dataset, DatasetFile, DatasetSummary
from markupsafe import Markup

from web.datasets.charts import size_bar
from web.kit import isolation, words
from web.kit.language import N_, _, ngettext
from web.kit.markdown import render_markdown
from web.kit.numbers import MISSING, STRATA, count, decimal, percent, size
from web.kit.released import DatasetRow, dataset_row, examples_in, splits_of
from web.kit.words import (
    AGREEMENT_BASES,
    RUNNING_RESOLUTIONS,
    LabelView,
    language_words,
    origin_words,
    voting_policy_words,
)

KINDS = {
    "application/x-parquet": N_("Parquet"),
    "application/jsonl+gzip": N_("JSON lines, gzip"),
    "text/markdown": N_("the card"),
    "application/ld+json": N_("Croissant"),
    "text/plain": N_("checksums"),
    "application/json": N_("manifest"),
    "application/zip": N_("pictures"),
}
EXCLUDED = {
    "retracted": N_("%(number)s withdrawn by the author"),
    "hidden": N_("%(number)s hidden"),
    "flagged": N_("%(number)s found unfit"),
    "disputed": N_("%(number)s without agreement"),
    "no_gold": N_("%(number)s decided without a label of the task"),
}
COUNTED = {
    "verdicts": N_("Verdict"),
    "resolutions": N_("Outcome"),
    "cohorts": N_("Cohort"),
    "conditions": N_("Condition"),
}
KINDS_COUNTED = {
    **STRATA,
    **RUNNING_RESOLUTIONS,
}
Row = tuple[str, str, str]


@dataclass(frozen=True)
class CountedShare:
    """A share with numerator and denominator, so that readers can check it; `term` is its name in papers."""

    name: str
    term: str
    value: str
    counted: str


@dataclass(frozen=True)
class CountTable:
    """Numbers of examples by kind."""

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
    """A dataset in full; `facts` are names with their values in words."""

    row: DatasetRow
    task_title: str
    round_id: str
    digest: str
    description: Markup
    content_warning: str
    citation: str
    splits: list[tuple[str, str, str, str]]
    excluded: list[str]
    rates: list[CountedShare]
    tables: list[CountTable]
    facts: list[tuple[str, str]]
    files: list[FileView]
    card: str
    croissant: str


@dataclass(frozen=True)
class ListEntry:
    """A dataset in the list; `preview` is a text of its rows, empty where it is held back or unknown."""

    row: DatasetRow
    preview: str
    is_held_back: bool
    bar: Markup
    examples: str
    sizes: str
    labels: list[LabelView]


def dataset_view(found: Dataset, base: str) -> DatasetView:
    """Return the view of a dataset; its files are below `base`, its address in the public interface."""
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
            _excluded(reason, number)
            for reason, number in _counts(about.get("excluded")).items()
            if number and reason not in {file.split for file in found.files}
        ],
        rates=_rates(collected if isinstance(collected, Mapping) else {}),
        tables=[
            CountTable(_(title), rows)
            for name, title in COUNTED.items()
            if (rows := _shares(_counts(found.counts.get(name))))
        ],
        facts=_facts(found, about),
        files=[_file(file, base) for file in found.files],
        card=f"{base}/card",
        croissant=f"{base}/croissant",
    )


def input_name(found: Dataset) -> str:
    """Return the task's word for people's texts, if the input has one text."""
    fields = found.about.get("fields")
    stated = fields.get("input") if isinstance(fields, Mapping) else None
    texts = [
        str(each.get("name"))
        for each in (stated if isinstance(stated, list) else ())
        if isinstance(each, Mapping) and each.get("type_name") == "string"
    ]
    return texts[0].replace("_", " ") if len(texts) == 1 else _("input")


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
        (_kind_counted(name), count(number), percent(number / total if total else None))
        for name, number in counts.items()
    ]


def _kind_counted(name: str) -> str:
    """Return a verdict or resolution in words; any other word, for example a cohort, unchanged."""
    return _(KINDS_COUNTED[name]) if name in KINDS_COUNTED else name.replace("_", " ")


def _excluded(reason: str, number: int) -> str:
    if reason in EXCLUDED:
        return _(EXCLUDED[reason], number=count(number))
    return f"{count(number)} {reason.replace('_', ' ')}"


def _rates(collected: Mapping[str, Any]) -> list[CountedShare]:
    """Return the shares of the whole round, without meaningless ones."""
    tries = _counted(collected, "tries")
    agreement = collected.get("agreement")
    stated = agreement if isinstance(agreement, Mapping) else {}
    found = [
        (
            _("Fool rate"),
            _("MER, model error rate"),
            percent(_number(collected.get("mer"))),
            _(
                "%(fooled)s of %(tries)s tries fooled a model",
                fooled=_counted(collected, "fooled"),
                tries=tries,
            ),
        ),
        (
            _("Confirmed fool rate"),
            _("vMER, validated model error rate"),
            percent(_number(collected.get("vmer"))),
            _(
                "%(errors)s confirmed errors in %(tries)s tries",
                errors=_counted(collected, "validated_errors"),
                tries=tries,
            ),
        ),
        (_("Confirmed, of those that fooled"), "", *_confirmed(collected)),
        (_("Agreement"), "", percent(_number(stated.get("raw"))), _basis(stated)),
        (
            _("Agreement beyond chance"),
            _("Krippendorff's alpha"),
            decimal(_number(stated.get("krippendorff_alpha")), 3),
            _basis(stated),
        ),
    ]
    shares = [CountedShare(*each) for each in found]
    return [each for each in shares if each.value != MISSING]


def _confirmed(collected: Mapping[str, Any]) -> tuple[str, str]:
    correct, resolved = _number(collected.get("fooled_correct")), _number(collected.get("fooled_resolved"))
    if correct is None or not resolved:
        return MISSING, ""
    return percent(correct / resolved), _(
        "%(correct)s of %(resolved)s checked tries that fooled a model",
        correct=count(correct),
        resolved=count(resolved),
    )


def _basis(agreement: Mapping[str, Any]) -> str:
    basis, examples = str(agreement.get("basis")), _number(agreement.get("examples"))
    return ngettext(
        "%(shown)s example, %(votes)s",
        "%(shown)s examples, %(votes)s",
        int(examples or 0),
        shown=count(examples),
        votes=_(AGREEMENT_BASES[basis]) if basis in AGREEMENT_BASES else _("over votes"),
    )


def _counted(collected: Mapping[str, Any], name: str) -> str:
    return count(_number(collected.get(name)))


def _number(value: Any) -> float | None:
    return value if isinstance(value, int | float) else None


def _stability_words(stability: Mapping[str, int]) -> str:
    return _(
        "stable: %(stable)s, not stable: %(not_stable)s, not tried: %(not_tried)s",
        stable=count(stability.get("stable", 0)),
        not_stable=count(stability.get("not_stable", 0)),
        not_tried=count(stability.get("not_tried", 0)),
    )


def _facts(found: Dataset, about: Mapping[str, Any]) -> list[tuple[str, str]]:
    votes = found.counts.get("votes")
    largest = about.get("largest_author_share")
    languages = [str(code) for code in about.get("languages") or ()]
    facts = [
        (_("Licence"), found.licence or _("not stated")),
        (_("Languages"), language_words(languages) or _("not stated")),
        (_("Collected"), _collected(about)),
        (_("Models to fool"), isolation.names(about.get("targets") or ()) or _("none")),
        (_("Labels"), isolation.names(about.get("labels") or ()) or MISSING),
        (_("Votes"), count(votes) if isinstance(votes, int) else MISSING),
        (_("Voting rule"), _voting_rule(about.get("validation"))),
        (_("Share of the busiest author"), percent(largest) if isinstance(largest, float | int) else MISSING),
        (_("Seed of the splits"), str(about.get("seed", MISSING))),
    ]
    stability = _counts(found.counts.get("stability"))
    if sum(stability.values()):
        facts.append((_("Confirmed errors, each asked three more times"), _stability_words(stability)))
    segments = about.get("segments")
    if isinstance(segments, int):
        words = ngettext("%(shown)s\u00a0segment", "%(shown)s\u00a0segments", segments, shown=count(segments))
        facts.append((_("Segments"), words))
    return facts


def _collected(about: Mapping[str, Any]) -> str:
    source, origin = str(about.get("source") or ""), origin_words(str(about.get("origin") or ""))
    return _("%(origin)s from %(source)s", origin=origin, source=source) if source else origin


def _voting_rule(stated: Any) -> str:
    if not isinstance(stated, Mapping):
        return MISSING
    policy = stated.get("policy")
    return voting_policy_words(policy) if isinstance(policy, Mapping) else MISSING


def _file(file: DatasetFile, base: str) -> FileView:
    return FileView(
        path=file.path,
        kind=_(KINDS[file.media_type]) if file.media_type in KINDS else file.media_type,
        split=file.split or "",
        examples=count(file.examples) if file.examples is not None else "",
        size=size(file.size),
        sha256=file.sha256,
        address=address_of(base, file.path),
    )


def address_of(base: str, path: str) -> str:
    """Return the address of a dataset's file."""
    return f"{base}/files/{'/'.join(quote(part, safe='') for part in path.split('/'))}"


def list_entry(found: DatasetSummary, preview: str, *, is_held_back: bool) -> ListEntry:
    """Return a dataset of the list, with the first text of its rows."""
    splits = splits_of(found)
    total = examples_in(found)
    sizes = {name: count(split.examples) for name, split in splits}
    return ListEntry(
        row=dataset_row(found),
        preview=preview,
        is_held_back=is_held_back,
        bar=size_bar([split.examples for _name, split in splits]),
        examples=ngettext("%(shown)s example", "%(shown)s examples", total, shown=count(total)),
        sizes=_("train %(train)s · dev %(dev)s · test %(test)s", **sizes),
        labels=words.labels(found.labels),
    )
