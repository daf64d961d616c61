"""View of measurements of a dataset or a round: figures, and each warning in plain words.

A part that was not measured shows the reason, never a zero.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from dynabench_client.results.base import Result
from dynabench_client.results.datasets import Failure, Measurements

from web.datasets.findings import Finding, findings_of, shown_labels
from web.kit.language import N_, _, capitalised
from web.kit.numbers import TimeView, count, decimal, interval, moment, percent
from web.kit.service_words import service_words

PREFIX = "not measured: "
NOT_STATED = N_("This measurement is missing.")
Figures = list[tuple[str, str]]


@dataclass(frozen=True)
class PartView:
    """One measured part; `missing` is the reason for a missing result, else empty."""

    part_id: str
    title: str
    missing: str
    figures: Figures
    findings: list[Finding]


@dataclass(frozen=True)
class MeasurementsView:
    """All measurements and their progress; `has_result` is true also for an older result."""

    is_computing: bool
    has_result: bool
    measured: TimeView | None
    error: Failure | None
    parts: list[PartView]

    @property
    def warnings(self) -> list[tuple[PartView, Finding]]:
        """The warnings among the findings, each with its part."""
        return [(part, found) for part in self.parts for found in part.findings if found.is_warning]


@dataclass(frozen=True)
class _Kind:
    """A part: its title, whether it has figures, and the message if it has no result."""

    title: str
    is_there: Callable[[Measurements], bool]
    empty: str
    is_left_out_when_empty: bool = False


PARTS = {
    "label_balance": _Kind(
        N_("Label balance"),
        lambda found: any(shown_labels(found).values()),
        N_("No example has a label from a list."),
    ),
    "lengths": _Kind(
        N_("Lengths"),
        lambda found: any(each.words.n for each in found.lengths.values()),
        N_("There is no text to measure."),
    ),
    "vocabulary": _Kind(
        N_("Vocabulary"), lambda found: found.vocabulary.tokens > 0, N_("There are no words to count.")
    ),
    "near_duplicates": _Kind(
        N_("Near duplicates"),
        lambda found: found.near_duplicates.share is not None,
        N_("There are no two texts to compare."),
    ),
    "overlap": _Kind(
        N_("Overlap with the context"),
        lambda found: found.overlap.mean is not None,
        N_("The context has no text to compare with."),
        is_left_out_when_empty=True,
    ),
    "authors": _Kind(
        N_("Author concentration"),
        lambda found: found.authors.people > 0,
        N_("The authors of the examples are not known."),
    ),
    "associations": _Kind(
        N_("Words that give labels away"),
        lambda found: (
            "associations" in found.model_fields_set
            and any(shown_labels(found).values())
            and not found.associations_reason
        ),
        N_("There are no labels to compare words with."),
    ),
    "input_only_baseline": _Kind(
        N_("Without the context"),
        lambda found: found.input_only_baseline.accuracy is not None,
        N_("There are too few labelled examples."),
    ),
}


def measurements_view(
    found: Measurements, inputs: str = "", before: Sequence[PartView] = ()
) -> MeasurementsView:
    """Return the view of measurements, after the parts `before`; `inputs` is the task's word for people's texts."""
    has_result = any(name in found.model_fields_set for name in PARTS)
    return MeasurementsView(
        is_computing=found.is_computing,
        has_result=has_result,
        measured=moment(found.measured_at),
        error=found.error and _failure(found.error),
        parts=[*before, *(_part(found, name, inputs or _("input")) for name in PARTS)] if has_result else [],
    )


def why_missing(found: Measurements, name: str) -> str:
    """Return the reason why a part has no figures; empty if it has some."""
    kind = PARTS[name]
    if kind.is_there(found):
        return ""
    part = getattr(found, name)
    stated = part.document().get("reason") if isinstance(part, Result) else None
    stated = found.associations_reason if name == "associations" else stated
    if isinstance(stated, str) and stated:
        return _sentence(service_words(stated.removeprefix(PREFIX)))
    is_known = name in found.model_fields_set or kind.is_left_out_when_empty
    return _(kind.empty if is_known else NOT_STATED)


def _failure(found: Failure) -> Failure:
    said = {"detail": service_words(found.detail), "remedy": service_words(found.remedy)}
    return found.model_copy(update=said)


def _sentence(reason: str) -> str:
    return capitalised(reason.rstrip(".") + ".")


def _part(found: Measurements, name: str, inputs: str) -> PartView:
    title, missing = _(PARTS[name].title), why_missing(found, name)
    if missing:
        return PartView(name, title, missing, [], [])
    return PartView(name, title, "", _figures(found, name), findings_of(found, name, inputs))


def _figures(found: Measurements, name: str) -> Figures:
    match name:
        case "vocabulary":
            words = found.vocabulary
            share = decimal(words.type_token_ratio, 3)
            return [
                (_("Different words"), count(words.types)),
                (_("Words"), count(words.tokens)),
                (_("Share of different words"), share),
            ]
        case "near_duplicates":
            pairs = found.near_duplicates
            return [(_("Pairs"), count(pairs.pairs)), (_("Share of examples"), percent(pairs.share))]
        case "overlap":
            return [(_("Mean"), percent(found.overlap.mean)), (_("Median"), percent(found.overlap.p50))]
        case "authors":
            return _author_figures(found)
        case "input_only_baseline":
            return _baseline_figures(found)
    return []


def _author_figures(found: Measurements) -> Figures:
    authors = found.authors
    figures = [(_("People"), count(authors.people))]
    if authors.top1_share is not None:
        figures.append((_("Share of the busiest author"), percent(authors.top1_share)))
    figures.append((_("Share of the five busiest"), percent(authors.top5_share)))
    if authors.hhi:
        figures.append((_("Effective number of authors"), decimal(1 / authors.hhi)))
    return figures


def _baseline_figures(found: Measurements) -> Figures:
    baseline = found.input_only_baseline
    band = interval(baseline.low, baseline.high)
    accuracy = percent(baseline.accuracy) + (f" ({band})" if band else "")
    return [
        (_("Right without the context"), accuracy),
        (_("Always the most common label"), percent(baseline.majority)),
        (_("Examples"), count(baseline.n)),
    ]
