"""A dataset's card: Markdown for people, with a head of metadata that dataset hubs read."""

import json
from collections.abc import Iterator

from scoring.dataset.description import Dataset


def render(dataset: Dataset) -> str:
    """Return the card as it stands beside the files."""
    return "\n".join([*_head(dataset), *_about(dataset), *_counts(dataset), *_use(dataset)]) + "\n"


def _head(dataset: Dataset) -> Iterator[str]:
    yield "---"
    yield f"pretty_name: {json.dumps(dataset.title, ensure_ascii=False)}"
    yield f"license: {json.dumps(dataset.licence.lower(), ensure_ascii=False)}"
    if dataset.languages:
        yield f"language: {json.dumps(list(dataset.languages))}"
    yield "configs:"
    yield "- config_name: default"
    yield "  data_files:"
    for file in dataset.files:
        if file.path.endswith(".parquet"):
            yield f"  - {{split: {file.split}, path: {file.path}}}"
    yield "---"
    yield ""


def _about(dataset: Dataset) -> Iterator[str]:
    yield f"# {dataset.title}"
    yield ""
    if dataset.description:
        yield dataset.description
        yield ""
    if dataset.content_warning:
        yield f"**Content warning**: {dataset.content_warning}"
        yield ""
    targets = ", ".join(dataset.targets) or "none"
    round_title = f" ({dataset.round_title})" if dataset.round_title else ""
    yield f"- task: {dataset.task_slug}; round {dataset.round_number}{round_title}; targets: {targets}"
    yield f"- collected: {dataset.origin or 'with models in the loop'}"
    yield f"- licence: {dataset.licence}; newest fact: {dataset.as_of.date().isoformat()}"
    yield ""


def _counts(dataset: Dataset) -> Iterator[str]:
    yield "## Counts"
    yield ""
    yield "| split | examples | authors |"
    yield "|---|---|---|"
    for split, size in dataset.splits.items():
        yield f"| {split} | {size.examples} | {size.authors} |"
    yield ""
    excluded = ", ".join(f"{count} {reason}" for reason, count in dataset.excluded.items() if count)
    yield f"In no split: {excluded or 'nothing'}."
    yield ""


def _use(dataset: Dataset) -> Iterator[str]:
    yield "## Citation"
    yield ""
    yield "```bibtex"
    yield dataset.citation
    yield "```"
