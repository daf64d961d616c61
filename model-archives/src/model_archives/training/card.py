"""Update of the figures in a model card from `evaluation.json`; people write the prose around them."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from model_archives.errors import BuildError

BEGIN = "<!-- figures: written by `python -m model_archives evaluate` -->"
END = "<!-- end of figures -->"
CHECKLIST_KINDS = {"MFT": "minimum functionality: wrong", "INV": "invariance: label changed"}


def update_card(card: Path, evaluation: dict[str, Any]) -> None:
    """Replace what stands between the two markers."""
    content = card.read_text(encoding="utf-8")
    try:
        before, rest = content.split(BEGIN)
        _, after = rest.split(END)
    except ValueError as error:
        raise BuildError(f"{card} needs the lines {BEGIN!r} and {END!r}, each once") from error
    card.write_text(f"{before}{BEGIN}\n{figures(evaluation)}\n{END}{after}", encoding="utf-8")


def figures(evaluation: dict[str, Any]) -> str:
    """The tables as Markdown, in percent with 95 % intervals."""
    lines = [f"Model digest `{evaluation['model_digest']}`."]
    for section, table in TABLES.items():
        if section in evaluation:
            lines += ["", *table(evaluation[section])]
    return "\n".join(lines)


def _sets(sets: dict[str, Any]) -> Iterator[str]:
    labels = " / ".join(next(iter(sets.values()))["recall"])
    yield f"| set | n | accuracy (95 %) | macro F1 | recall {labels} | ECE |"
    yield "|---|---:|---|---:|---|---:|"
    for title, row in sets.items():
        recalls = " / ".join(_percent(value) for value in row["recall"].values())
        yield f"| {title} | {row['n']} | {_share(row)} | {_percent(row['macro_f1'])} | {recalls} | {row['ece']:.3f} |"


def _answers(sets: dict[str, Any]) -> Iterator[str]:
    yield "| set | n | F1 (95 %) | exact match (95 %) |"
    yield "|---|---:|---|---|"
    for title, row in sets.items():
        f1 = _with_interval(row["f1"], row["f1_interval"])
        yield f"| {title} | {row['n']} | {f1} | {_share(row)} |"


def _label_sets(sets: dict[str, Any]) -> Iterator[str]:
    yield "| set | n | all labels right (95 %) | micro F1 |"
    yield "|---|---:|---|---:|"
    for title, row in sets.items():
        yield f"| {title} | {row['n']} | {_share(row)} | {_percent(row['micro_f1'])} |"


def _checklist(kinds: dict[str, Any]) -> Iterator[str]:
    yield "| CheckList test | kind | n | failures (95 %) |"
    yield "|---|---|---:|---|"
    for kind in sorted(kinds, reverse=True):
        for test, row in kinds[kind].items():
            yield f"| {test} | {CHECKLIST_KINDS[kind]} | {row['n']} | {_share(row)} |"


def _hatecheck(functionalities: dict[str, Any]) -> Iterator[str]:
    yield "| HateCheck functionality | n | accuracy (95 %) |"
    yield "|---|---:|---|"
    for name, row in functionalities.items():
        yield f"| {name} | {row['n']} | {_share(row)} |"


TABLES: dict[str, Callable[[dict[str, Any]], Iterator[str]]] = {
    "sets": _sets,
    "answers": _answers,
    "label_sets": _label_sets,
    "checklist": _checklist,
    "hatecheck": _hatecheck,
}


def _share(row: dict[str, Any]) -> str:
    return _with_interval(row["share"], row["interval"])


def _with_interval(value: float, interval: list[float]) -> str:
    low, high = interval
    return f"{_percent(value)} ({_percent(low)}–{_percent(high)})"


def _percent(share: float) -> str:
    return f"{100 * share:.1f}"
