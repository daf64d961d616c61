"""Signs of unfair work, for an owner to look at. A finding decides nothing.

Each rule compares a person with other people, and finds nothing in too little work.

- `fast`: the logarithm of a person's median seconds a unit, compared with that of all people of the task. It is found
  if its modified z-score, `0.6745 (x - median) / MAD`, is below -3.5 (B. Iglewicz and D. Hoaglin, "How to Detect and
  Handle Outliers", 1993). Times of people are skewed, so logarithms are compared. Where nearly everybody takes the same
  time, the score finds small differences; so a person also has to take less than half of the median.
- `pasted`, `alone`: a share of a person's units, compared with the share of all other people's units. It is found if so
  many units have a chance below 5 %, binomial and with Bonferroni's correction for the number of people. One unit with
  and one without are added to those of the others, so a first case is no proof.
- `alike`: texts of different people that share bands of MinHash values like near duplicates. Chance makes none, so two
  are a finding.
- `device`, `address`: several people of a campaign with one.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from itertools import combinations
from math import ceil, exp, log
from statistics import median
from uuid import UUID

from dynabench_api.words import EvidenceKind
from dynabench_tasks.near_duplicates import BANDS, LEAST_SIMILARITY, ROWS, bands_of, shingles_of
from scipy.special import bdtrc

FEWEST_UNITS = 5
"""Units of a person that a median or a share needs."""
FEWEST_PEOPLE = 10
LEAST_SCORE, NORMAL_MAD = -3.5, 0.6745
MOST_OF_MEDIAN = 0.5
SIGNIFICANT = 0.05
SEVERAL = 2
"""Units with a sign that a finding needs, since one may be an accident; and people to compare."""
FEWEST_SHINGLES = 30
FEWEST_SHARED_BANDS = ceil(BANDS * LEAST_SIMILARITY**ROWS)
"""Shared bands to expect of texts that are near duplicates."""


@dataclass(frozen=True)
class Finding:
    """A person's figure, and the rate of the same among others. `people` are those that it connects with."""

    figure: float
    units: int
    base_rate: float
    characters: int | None = None
    people: tuple[UUID, ...] = ()


@dataclass(frozen=True)
class Comparison:
    """Findings of one kind by person. `base_rate` is None with too little work to find anything."""

    kind: EvidenceKind
    compared: int
    base_rate: float | None = None
    typical: float | None = None
    findings: Mapping[UUID, Finding] = field(default_factory=dict)


@dataclass(frozen=True)
class Share:
    """Units of a person that have a sign, among all that were examined."""

    found: int
    units: int
    characters: int | None = None


@dataclass(frozen=True)
class Pace:
    """A person's median seconds a unit, and the number of units."""

    seconds: float
    units: int


@dataclass(frozen=True)
class Fingerprint:
    """Bands of a person's text."""

    person_id: UUID
    bands: frozenset[int]


def fast(paces: Mapping[UUID, Pace]) -> Comparison:
    """Find people who are far faster than the others."""
    logs = {
        person_id: log(max(pace.seconds, 1.0))
        for person_id, pace in paces.items()
        if pace.units >= FEWEST_UNITS
    }
    middle = median(logs.values()) if logs else 0.0
    spread = median(abs(each - middle) for each in logs.values()) if logs else 0.0
    if len(logs) < FEWEST_PEOPLE or not spread:
        return Comparison(EvidenceKind.FAST, len(logs))
    limit = middle + min(LEAST_SCORE * spread / NORMAL_MAD, log(MOST_OF_MEDIAN))
    found = [person_id for person_id, each in logs.items() if each < limit]
    rate = len(found) / len(logs)
    return Comparison(
        EvidenceKind.FAST,
        len(logs),
        rate,
        exp(middle),
        {each: Finding(paces[each].seconds, paces[each].units, rate) for each in found},
    )


def frequent(kind: EvidenceKind, shares: Mapping[UUID, Share]) -> Comparison:
    """Find people whose share of units with a sign is far above other people's."""
    tested = {person_id: own for person_id, own in shares.items() if own.units >= FEWEST_UNITS}
    if len(tested) < FEWEST_PEOPLE:
        return Comparison(kind, len(tested))
    found, units = (sum(getattr(each, name) for each in tested.values()) for name in ("found", "units"))
    findings = {}
    for person_id, own in tested.items():
        others_found, others_units = found - own.found, units - own.units
        chance = bdtrc(own.found - 1, own.units, (others_found + 1) / (others_units + 2))
        if own.found >= SEVERAL and chance * len(tested) < SIGNIFICANT:
            rate = others_found / others_units
            findings[person_id] = Finding(own.found / own.units, own.units, rate, own.characters)
    return Comparison(kind, len(tested), found / units, None, findings)


def fingerprint(round_id: UUID, texts: Iterable[str], context: Iterable[str]) -> list[int]:
    """Return the bands of an author's own words, without quotes of the context; none for a short text."""
    quoted = frozenset[str]().union(*map(shingles_of, context))
    own = shingles_of("\n".join(texts)) - quoted
    return bands_of(round_id, own) if len(own) >= FEWEST_SHINGLES else []


def alike(texts: Collection[Fingerprint]) -> Comparison:
    """Find people who share near duplicates of several texts with others."""
    authors: dict[frozenset[int], set[UUID]] = defaultdict(set)
    for text in texts:
        authors[text.bands].add(text.person_id)
    together = {bands: set(people) for bands, people in authors.items()}
    for one, other in _near_duplicates(authors):
        together[one] |= authors[other]
        together[other] |= authors[one]
    units = Counter(text.person_id for text in texts)
    copies: Counter[UUID] = Counter()
    others: dict[UUID, set[UUID]] = defaultdict(set)
    for text in texts:
        if len(together[text.bands]) > 1:
            copies[text.person_id] += 1
            others[text.person_id] |= together[text.bands] - {text.person_id}
    if len(units) < SEVERAL:
        return Comparison(EvidenceKind.ALIKE, len(units))
    rate = copies.total() / len(texts)
    findings = {
        each: Finding(number / units[each], units[each], rate, people=tuple(sorted(others[each])))
        for each, number in copies.items()
        if number >= SEVERAL
    }
    return Comparison(EvidenceKind.ALIKE, len(units), rate, None, findings)


def _near_duplicates(texts: Iterable[frozenset[int]]) -> list[tuple[frozenset[int], frozenset[int]]]:
    """Return the pairs of different texts that share enough bands."""
    by_band: dict[int, list[frozenset[int]]] = defaultdict(list)
    for text in texts:
        for band in text:
            by_band[band].append(text)
    shared = Counter(pair for same in by_band.values() for pair in combinations(same, 2))
    return [pair for pair, number in shared.items() if number >= FEWEST_SHARED_BANDS]


def shared(kind: EvidenceKind, marks: Mapping[UUID, Collection[object]]) -> Comparison:
    """Find people of a campaign who have a device or an address in common; `marks` are theirs by person."""
    people: dict[object, set[UUID]] = defaultdict(set)
    for person_id, own in marks.items():
        for mark in own:
            people[mark].add(person_id)
    groups = {
        person_id: frozenset[UUID]().union(*(people[mark] for mark in own))
        for person_id, own in marks.items()
    }
    found = {person_id: group for person_id, group in groups.items() if len(group) > 1}
    if len(marks) < SEVERAL:
        return Comparison(kind, len(marks))
    rate = len(found) / len(marks)
    findings = {
        person_id: Finding(len(group), len(marks[person_id]), rate, people=tuple(sorted(group - {person_id})))
        for person_id, group in found.items()
    }
    return Comparison(kind, len(marks), rate, None, findings)
