"""Keeps the figures in a model card equal to `evaluation.json`; the prose around them is written by people."""

from pathlib import Path
from typing import Any

from model_archives.errors import BuildError

BEGIN = "<!-- figures: written by `python -m model_archives evaluate` -->"
END = "<!-- end of figures -->"


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
    """The tables as Markdown, in percent with 95 % Wilson intervals."""
    return "\n".join(
        (
            f"Model digest `{evaluation['model_digest']}`.",
            "",
            "| set | n | accuracy (95 %) | macro F1 | recall negative / neutral / positive | ECE |",
            "|---|---:|---|---:|---|---:|",
            *(_set_row(title, row) for title, row in evaluation["sets"].items()),
            "",
            "| CheckList capability | minimum functionality: accuracy (95 %) | invariance: failures (95 %) |",
            "|---|---|---|",
            *_checklist_rows(evaluation),
        )
    )


def _set_row(title: str, row: dict[str, Any]) -> str:
    recalls = " / ".join(_percent(row["recall"][label]) for label in ("negative", "neutral", "positive"))
    return f"| {title} | {row['n']} | {_share(row)} | {_percent(row['macro_f1'])} | {recalls} | {row['ece']:.3f} |"


def _checklist_rows(evaluation: dict[str, Any]) -> list[str]:
    functionality = evaluation["checklist_mft"]["capabilities"]
    invariance = evaluation["checklist_inv"]["capabilities"]
    return [
        f"| {name} | {_counted(functionality.get(name))} | {_counted(invariance.get(name))} |"
        for name in sorted({*functionality, *invariance})
    ]


def _counted(row: dict[str, Any] | None) -> str:
    return f"{_share(row)}, n = {row['n']}" if row else "–"


def _share(row: dict[str, Any]) -> str:
    low, high = row["interval"]
    return f"{_percent(row['share'])} ({_percent(low)}–{_percent(high)})"


def _percent(share: float) -> str:
    return f"{100 * share:.1f}"
