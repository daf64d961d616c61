"""Warnings about a dataset's splits and votes, in addition to those about its texts.

Alpha under 0.667 allows not even tentative conclusions (K. Krippendorff, "Content Analysis", 2004, ch. 11). The other
thresholds are rules of thumb: on fewer examples a share moves by ten points and more by chance alone.
"""

from collections.abc import Mapping

from dynabench_client.results.datasets import Dataset

from web.datasets.findings import Finding
from web.datasets.measurements_view import PartView
from web.kit.language import _, ngettext
from web.kit.numbers import count, decimal
from web.kit.released import splits_of

FEWEST_EXAMPLES = 100
FEWEST_AUTHORS = 5
LEAST_ALPHA = 0.667


def release_parts(found: Dataset) -> list[PartView]:
    """Return the warnings about splits and agreement."""
    return [part for part in (_splits(found), _agreement(found)) if part]


def _splits(found: Dataset) -> PartView:
    rows, said = [], []
    for name, split in splits_of(found):
        unknown = _unknown_authors(found, name)
        examples, people = _examples(split.examples), _people(split.authors - unknown, unknown)
        rows.append((name, _("%(examples)s by %(people)s", examples=examples, people=people)))
        is_by_few = not unknown and split.authors < FEWEST_AUTHORS
        if split.examples and (split.examples < FEWEST_EXAMPLES or is_by_few):
            words = _(
                "%(split)s: only %(people)s wrote these %(examples)s. Scores may reflect their style, or chance.",
                split=name,
                examples=examples,
                people=people,
            )
            said.append(Finding(words, True))
    return PartView("splits", _("Splits"), "", rows, said or [Finding(_enough(found))])


def _enough(found: Dataset) -> str:
    examples = _examples(FEWEST_EXAMPLES)
    if any(_unknown_authors(found, name) for name, _split in splits_of(found)):
        return _(
            "Each split in use has at least %(examples)s. Not all authors are known: a few people may have written "
            "most.",
            examples=examples,
        )
    people = _people(FEWEST_AUTHORS)
    return _(
        "Each split in use has at least %(examples)s, by at least %(people)s.",
        examples=examples,
        people=people,
    )


def _unknown_authors(found: Dataset, split: str) -> int:
    """Return the number of examples without a known author in a split; `authors` counts each as one."""
    counted = found.counts.get("unknown_authors")
    number = counted.get(split) if isinstance(counted, Mapping) else None
    return number if isinstance(number, int) else 0


def _agreement(found: Dataset) -> PartView | None:
    collected = found.about.get("collected")
    stated = collected.get("agreement") if isinstance(collected, Mapping) else None
    alpha = stated.get("krippendorff_alpha") if isinstance(stated, Mapping) else None
    if not isinstance(alpha, int | float) or not isinstance(stated, Mapping):
        return None
    examples, title = int(stated.get("examples") or 0), _("Agreement of votes")
    figures = [
        (_("Agreement beyond chance (Krippendorff's alpha)"), decimal(alpha, 2)),
        (_("Examples"), count(examples)),
    ]
    said = {"alpha": decimal(alpha, 2), "examples": _examples(examples)}
    if alpha < LEAST_ALPHA:
        words = _(
            "Agreement is %(alpha)s on %(examples)s (1: full, 0: chance). Below 0.67, labels are a matter of opinion, "
            "or people understand the task differently.",
            **said,
        )
        return PartView("agreement", title, "", figures, [Finding(words, True)])
    words = _("Agreement is %(alpha)s on %(examples)s (1: full, 0: chance).", **said)
    return PartView("agreement", title, "", figures, [Finding(words)])


def _examples(number: int) -> str:
    return ngettext("%(shown)s\u00a0example", "%(shown)s\u00a0examples", number, shown=count(number))


def _people(known: int, unknown: int = 0) -> str:
    if unknown and known <= 0:
        return _("unknown authors")
    shown = count(known)
    if unknown:
        return ngettext(
            "%(shown)s\u00a0person and unknown authors",
            "%(shown)s\u00a0people and unknown authors",
            known,
            shown=shown,
        )
    return ngettext("%(shown)s\u00a0person", "%(shown)s\u00a0people", known, shown=shown)
