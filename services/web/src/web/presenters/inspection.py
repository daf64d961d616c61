"""Which parts of a text moved a target: coloured text, and the table of the same numbers."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from dynabench_client.results.annotation import Inspection

from web.presenters import words
from web.presenters.numbers import percent
from web.presenters.words import LabelView

STEPS = 4
FAINTEST = 0.05
LARGE_DELTA = 0.15
SMALLEST_DELTA = 0.01


@dataclass(frozen=True)
class Piece:
    """A stretch of the text; `style` is empty where nothing was attributed."""

    text: str
    weight: str = ""
    style: str = ""

    @property
    def has_weight(self) -> bool:
        """Tell whether the model read this stretch."""
        return bool(self.weight)


@dataclass(frozen=True)
class InspectionView:
    """An explanation of one answer."""

    target: str
    label: LabelView
    probability: str
    pieces: list[Piece]
    rows: list[Piece]
    n_steps: str
    delta: str
    delta_note: str
    method: str
    truncated: bool


def inspection_view(inspection: Inspection, text: str, labels: tuple[str, ...]) -> InspectionView:
    """Return the view of an explanation of `text`. Offsets count code points, as Python's slices do."""
    document = inspection.document()
    tokens = [token for token in document.get("tokens") or [] if isinstance(token, Mapping)]
    largest = max((abs(float(token["weight"])) for token in tokens), default=0.0)
    pieces = _pieces(tokens, text, largest)
    return InspectionView(
        target=str(document.get("target", "")),
        label=words.label(str(document.get("label", "")), labels),
        probability=percent(document.get("probability"), 0),
        pieces=pieces,
        rows=sorted((p for p in pieces if p.has_weight), key=lambda piece: -abs(float(_plain(piece.weight)))),
        n_steps=str(document.get("n_steps", "–")),
        delta=_signed(document.get("convergence_delta")),
        delta_note=_delta_note(document),
        method=str(document.get("method", "")).replace("_", " "),
        truncated=bool(document.get("truncated")),
    )


def _pieces(tokens: list[Mapping[str, Any]], text: str, largest: float) -> list[Piece]:
    pieces, reached = [], 0
    for token in sorted(tokens, key=lambda token: int(token["start"])):
        start, end, weight = int(token["start"]), int(token["end"]), float(token["weight"])
        if start > reached:
            pieces.append(Piece(text[reached:start]))
        pieces.append(Piece(text[start:end], _signed(weight), weight_style(weight, largest)))
        reached = max(reached, end)
    if reached < len(text):
        pieces.append(Piece(text[reached:]))
    return pieces


def weight_style(weight: float, largest: float) -> str:
    """Return the class of a weight: its side, and its intensity in steps of the text's largest weight."""
    share = abs(weight) / largest if largest else 0.0
    if share < FAINTEST:
        return "weight-none"
    step = min(STEPS, 1 + int(share * STEPS * 0.9999))
    return f"{'for' if weight > 0 else 'against'}-{step}"


def _delta_note(document: Mapping[str, Any]) -> str:
    delta, difference = document.get("convergence_delta"), document.get("difference")
    if not isinstance(delta, int | float) or not isinstance(difference, int | float) or not difference:
        return ""
    share = abs(delta / difference)
    words = f"{percent(share, 0) if share >= SMALLEST_DELTA else 'under 1 %'} of what there is to explain"
    return words if share <= LARGE_DELTA else f"{words}: trust the order of the words, not the numbers"


def _signed(weight: object) -> str:
    return f"{weight:+.3f}".replace("-", "−") if isinstance(weight, int | float) else "–"


def _plain(weight: str) -> str:
    return weight.replace("−", "-")
