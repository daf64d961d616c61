"""A dataset's card: Markdown for people, with a head of metadata that dataset hubs read."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from scoring.dataset.columns import Type, columns, line_types
from scoring.dataset.description import CROISSANT, FORMAT, PICTURES, Dataset
from scoring.dataset.rows import DISPUTED, TIMES_ASKED

SIZES = ((1_000, "n<1K"), (10_000, "1K<n<10K"), (100_000, "10K<n<100K"), (1_000_000, "100K<n<1M"))
LARGEST = "n>1M"
ORIGINS = {
    "": "People wrote each example to fool a model that answered at once.",
    "imported": "Collected elsewhere and imported: “{source}”.",
    "harvested": (
        "Written elsewhere (“{source}”) and kept where a target was wrong or unsure, so it is no sample of what people "
        "write."
    ),
    "demonstration": "A script wrote the examples and cast the votes, as a demonstration of the platform.",
}


def render(dataset: Dataset) -> str:
    """Return the text of the card."""
    parts = (_head, _about, _counts, _collection, _rates, _stability, _columns, _pictures, _limits, _use)
    return "\n".join(line for part in parts for line in part(dataset)) + "\n"


def _head(dataset: Dataset) -> Iterator[str]:
    yield "---"
    yield f"pretty_name: {_quoted(dataset.title)}"
    if dataset.has_spdx_licence:
        yield f"license: {_quoted(dataset.licence.lower())}"
    else:
        yield "license: other"
        yield f"license_name: {_quoted(dataset.licence)}"
    if dataset.languages:
        yield f"language: {json.dumps(list(dataset.languages))}"
    yield f"size_categories: [{_quoted(_size(dataset))}]"
    yield "tags: [dynabench, adversarial]"
    yield from _configs(dataset, ".parquet", "")
    yield "---"
    yield ""


def _configs(dataset: Dataset, ending: str, up: str) -> Iterator[str]:
    """Yield which files loaders take."""
    if files := dataset.loaded(ending):
        yield "configs:"
        yield "- config_name: default"
        yield "  data_files:"
        for file in files:
            yield f"  - {{split: {file.split}, path: {up}{file.path}}}"


def of_lines(dataset: Dataset) -> str:
    """Return the card of the folder that gives the JSON lines their types; empty where they have none.

    A loader guesses types from the first lines, and a column may be null there.
    """
    types = line_types(dataset.fields)
    if types is None or not dataset.loaded(".jsonl.gz"):
        return ""
    lines = [
        "---",
        *_configs(dataset, ".jsonl.gz", "../"),
        "dataset_info:",
        "- config_name: default",
        "  features:",
        *(f"  - {json.dumps(_feature(name, part), ensure_ascii=False)}" for name, part in types.items()),
        "---",
        "",
        "The types of `../data/*.jsonl.gz`, for loaders that read cards.",
    ]
    return "\n".join(lines) + "\n"


def _feature(name: str, data_type: Type) -> dict[str, Any]:
    if isinstance(data_type, str):
        return {"name": name, "dtype": data_type}
    if isinstance(data_type, Mapping):
        return {"name": name, "struct": [_feature(part, kind) for part, kind in data_type.items()]}
    (kind,) = data_type
    if isinstance(kind, str):
        return {"name": name, "sequence": kind}
    return {"name": name, "list": _feature("", kind)["struct"]}


def _size(dataset: Dataset) -> str:
    examples = sum(split.examples for split in dataset.splits.values())
    return next((name for limit, name in SIZES if examples < limit), LARGEST)


def _about(dataset: Dataset) -> Iterator[str]:
    yield f"# {dataset.title}"
    yield ""
    if dataset.description:
        yield dataset.description
        yield ""
    if dataset.content_warning:
        yield f"**Content warning**: {dataset.content_warning}"
        yield ""
    round_title = f" ({dataset.round_title})" if dataset.round_title else ""
    yield f"- name: {dataset.name}, version {dataset.version}"
    yield f"- task: {dataset.task_slug}; round {dataset.round_number}{round_title}"
    yield f"- licence: {dataset.licence}"
    if dataset.languages:
        yield f"- languages: {', '.join(dataset.languages)}"
    yield f"- newest fact: {dataset.as_of.date().isoformat()}"
    yield ""


def _counts(dataset: Dataset) -> Iterator[str]:
    yield "## Splits"
    yield ""
    yield from _table(
        ("split", "examples", "authors"),
        ((split, size.examples, size.authors) for split, size in dataset.splits.items()),
    )
    yield (
        f"No author is in two splits; seed {dataset.seed} drew whose examples are in dev and test. There every label "
        f"is gold; in train an example without a gold has its author's claim. The author who wrote most wrote "
        f"{dataset.largest_author_share:.1%}."
    )
    yield ""
    if dataset.waiting:
        yield (
            f"{dataset.waiting} examples still waited for votes at the release. They are in train, under what their "
            "authors claim."
        )
        yield ""
    disputed = dataset.excluded.get(DISPUTED, 0)
    if disputed:
        yield (
            f"On {disputed} more examples people did not agree. They are the split `{DISPUTED}`, without a label; "
            "their authors may be in other splits."
        )
        yield ""
    excluded = ", ".join(
        f"{count} {reason}" for reason, count in dataset.excluded.items() if count and reason != DISPUTED
    )
    yield f"In no split: {excluded or 'nothing'}."
    yield ""
    for name in ("verdicts", "resolutions", "cohorts", "conditions"):
        yield from _table((name, "examples"), dataset.counts[name].items())


def _collection(dataset: Dataset) -> Iterator[str]:
    yield "## How it was collected"
    yield ""
    yield ORIGINS.get(dataset.origin, ORIGINS[""]).format(source=dataset.source)
    yield ""
    if dataset.targets:
        yield from _table(
            ("target", "model digests"),
            ((name, ", ".join(dataset.digests.get(name, ())) or "not known") for name in dataset.targets),
        )
    else:
        yield "There was no target."
        yield ""
    yield (
        f"Targets and configuration were the same within each of {dataset.segments} segments, which `segment` numbers."
        if dataset.segments > 1
        else "Targets and configuration stayed the same."
    )
    yield ""
    yield from _votes(dataset.validation)
    if dataset.labels:
        yield f"Labels: {', '.join(dataset.labels)}."
        yield ""


def _votes(validation: Mapping[str, Any]) -> Iterator[str]:
    """Yield the configuration's settings for votes, as sentences, one by one."""
    said = {
        "vote": "what a vote says",
        "options": "options",
        "policy": "policy",
        "validate": "validated",
        "gold": "gold",
    }
    yield "Other people voted on examples, never the author:"
    yield ""
    for key, name in said.items():
        if key in validation:
            value = validation[key]
            yield f"- {name}: {value if isinstance(value, str) else f'`{json.dumps(value, ensure_ascii=False)}`'}"
    yield ""


def _rates(dataset: Dataset) -> Iterator[str]:
    found, agreement = dataset.collected, dataset.collected["agreement"]
    yield "## Rates and agreement"
    yield ""
    yield from _table(
        ("over the whole round", ""),
        (
            ("tries", found["tries"]),
            ("of them fooled", found["fooled"]),
            ("of them withdrawn by their authors", found["retracted"]),
            ("validated errors", _stated(found["validated_errors"])),
            ("MER (fooled / tries)", _share(found["mer"])),
            ("vMER (validated errors / tries)", _share(found["vmer"])),
            ("votes that counted", found["votes"]),
            ("raw agreement of votes", _stated(agreement["raw"], ".1%", agreement["reason"])),
            ("Krippendorff's alpha", _stated(agreement["krippendorff_alpha"], ".3f", agreement["reason"])),
        ),
    )
    compared = "first two votes" if agreement["basis"] == "first_two_votes" else "votes that counted"
    yield (
        f"These are counts and their plain shares; rates with intervals are the leaderboard's. Agreement compares the "
        f"{compared} on each of {agreement['examples']} examples, also on those in no split."
    )
    yield ""


def _stability(dataset: Dataset) -> Iterator[str]:
    found = dataset.counts.get("stability") or {}
    if not sum(found.values()):
        return
    yield "## Validated errors asked again"
    yield ""
    yield from _table(
        (f"of each target, asked {TIMES_ASKED} times more at the release", "errors"),
        (
            (f"the same wrong answer all {TIMES_ASKED} times: stable", found["stable"]),
            ("another answer at least once: not stable", found["not_stable"]),
            ("not tried: the target was no longer served, or did not answer", found["not_tried"]),
        ),
    )


def _columns(dataset: Dataset) -> Iterator[str]:
    yield "## Columns"
    yield ""
    for column in columns(dataset.fields):
        yield f"- `{column.name}`: {column.about}"
    yield ""
    yield (
        f"Format {FORMAT}. `{CROISSANT}` describes the columns for machines. `data/*.jsonl.gz` hold the same rows, "
        "with `context`, `input` and `metadata` as objects; load them from the folder `jsonl`, which states their "
        "types. A value that was not kept when the example was stored is null."
    )
    yield ""


def _pictures(dataset: Dataset) -> Iterator[str]:
    file = dataset.pictures
    if file is None:
        return
    yield "## Pictures"
    yield ""
    yield (
        f"`{PICTURES}` holds every picture that a row names, {file.size:,} bytes in all. A file is named by the "
        "`image_id` in the row and its kind, for example `<image_id>.jpg`. The pictures are a part of the dataset, "
        f"under the same licence ({dataset.licence})."
    )
    yield ""


def _limits(dataset: Dataset) -> Iterator[str]:
    yield "## Limits"
    yield ""
    yield "- Examples written against a model are harder for it and its kin than what people otherwise write."
    yield "- Authors chose what they wrote; it is no sample of a language or of its speakers."
    yield "- Texts stand as their authors wrote them and may name people."
    if dataset.fields.has_free_text:
        yield "- The owner chose to include explanations, which people did not write for the public."
    else:
        yield "- Explanations and other free text outside the task's fields are left out."
    yield ""


def _use(dataset: Dataset) -> Iterator[str]:
    yield "## Citation"
    yield ""
    yield "```bibtex"
    yield dataset.citation
    yield "```"


def _table(head: tuple[str, ...], rows: Any) -> Iterator[str]:
    yield f"| {' | '.join(head)} |"
    yield "|---" * len(head) + "|"
    for row in rows:
        yield f"| {' | '.join(map(str, row))} |"
    yield ""


def _share(value: float | None) -> str:
    return _stated(value, ".1%")


def _stated(value: float | None, form: str = "", reason: str | None = None) -> str:
    return reason or "not counted here" if value is None else format(value, form)


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)
