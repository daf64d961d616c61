"""Measurements of a dataset or a round in progress: what its texts and labels are like, and what they give away."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from dynabench_common.values import to_text

from scoring.dataset.rows import ExampleRow


def measure(rows: Iterable[ExampleRow], configuration: Mapping[str, Any]) -> dict[str, Any]:
    """Return every measurement of these rows as JSON; `rows` may be iterated more than once.

    `configuration` is the task's newest.
    """
    labels: Counter[str] = Counter(dict.fromkeys(_labels(configuration), 0))
    labels.update(to_text(row.label) for row in rows if row.label is not None)
    authors = Counter(row.author for row in rows if row.author is not None)
    written = authors.total()
    shares = [count / written for count in authors.values()] if written else []
    return {
        "label_balance": dict(sorted(labels.items())),
        "authors": {
            "people": len(authors),
            "top5_share": sum(sorted(shares)[-5:]) if shares else None,
            "hhi": sum(share * share for share in shares) if shares else None,
        },
    }


def _labels(configuration: Mapping[str, Any]) -> Iterator[str]:
    for field in configuration.get("output") or ():
        yield from field.get("labels") or ()
