"""Probability of each label from a target: an output, so it is shown and never asked for."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from dynabench_tasks.values import Value

from web.kit import words
from web.kit.configuration import Field
from web.kit.fields import Asking, FieldView, ShownValue, Texts, register
from web.kit.fields.unknown import UnaskedView
from web.kit.language import _
from web.kit.numbers import percent
from web.kit.words import LabelView


@dataclass(frozen=True)
class ProbabilityView:
    """Probability of one label from a target; `meter` is the share for <meter>."""

    label: LabelView
    meter: str
    percent: str


@dataclass(frozen=True, kw_only=True)
class ShownProbabilities(ShownValue):
    """Every label with its share."""

    probabilities: list[ProbabilityView]


@register("probabilities")
class ProbabilitiesType:
    """Meters."""

    def ask(self, field: Field, asking: Asking) -> FieldView:
        """Return that only models give probabilities."""
        return UnaskedView.of(
            field, asking, _("Only models give probabilities; there is nothing to fill in.")
        )

    def read(self, field: Field, asking: Asking, texts: Texts) -> Value | None:  # noqa: ARG002
        """Return nothing: no form holds probabilities."""
        return None

    def fill(self, control: str, value: Value) -> dict[str, Sequence[str]]:  # noqa: ARG002
        """Return no controls."""
        return {}

    def show(self, field: Field, value: Value) -> ShownProbabilities:
        """Return each label's share, in the order of the task's labels."""
        if not isinstance(value, Mapping):
            raise TypeError("no probabilities")
        views = probabilities(value, field.labels)
        return ShownProbabilities(
            name=field.name,
            type=field.type,
            label=field.label,
            text=", ".join(f"{view.label.name} {view.percent}" for view in views),
            probabilities=views,
        )


def probabilities(shares: Mapping[str, float], names: Sequence[str]) -> list[ProbabilityView]:
    """Return shares in the order of the task's labels; labels that are none of the task's come last."""
    order = [name for name in names if name in shares] + sorted(set(shares) - set(names))
    return [probability(name, shares[name], names) for name in order]


def probability(name: str, share: float, names: Sequence[str]) -> ProbabilityView:
    """Return one label's share."""
    return ProbabilityView(words.label(name, names), f"{share:.4f}", percent(share, 0))
