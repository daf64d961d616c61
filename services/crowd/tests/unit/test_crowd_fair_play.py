"""Rules of fair play as tables: each row begins with its rule in words."""

from datetime import UTC, datetime
from uuid import UUID

import pytest
from crowd.domain.errors import AppealRefused
from crowd.domain.fair_play import (
    Fingerprint,
    Pace,
    Share,
    alike,
    fast,
    fingerprint,
    frequent,
    shared,
)
from crowd.domain.review import Review
from dynabench_api.words import EvidenceKind, FairPlayDecision

NOW = datetime(2026, 1, 5, 12, 0, tzinfo=UTC)
ROUND = UUID(int=99)
EXCLUDED, NO_CONCERN = FairPlayDecision.EXCLUDED, FairPlayDecision.NO_CONCERN
PACES = [28.0, 33, 37, 41, 45, 50, 55, 62, 70, 85, 110]
"""Seconds of eleven people, as skewed as times of people are; the median is 50."""
CONTEXT = "The committee met on Tuesday to discuss the new library, and most members liked the plan."
STORY = "My neighbour paints her fence in another colour each spring, and this year it is bright orange."
ARABIC = "تقوم جارتي بطلاء سياجها بلون مختلف كل ربيع، وهذا العام اختارت اللون البرتقالي الزاهي جدا."
EMOJI = "🍕 Pizza again?! 🙃 The third time this week… and nobody, not even 🐶 Rex, wants the crusts."


def person(number: int) -> UUID:
    return UUID(int=number)


def paces(*seconds: float, units: int = 8) -> dict[UUID, Pace]:
    return {person(number): Pace(each, units) for number, each in enumerate(seconds)}


@pytest.mark.parametrize(
    ("rule", "last", "is_found"),
    [
        ("somebody twenty times as fast as the median is found", 2.5, True),
        ("an honest fast typist is not: three times as fast happens", 17.0, False),
        ("a slow person is not", 2000.0, False),
        ("no time at all counts as one second", 0.0, True),
    ],
)
def test_speed_is_compared_with_the_task(rule: str, last: float, is_found: bool) -> None:
    found = fast(paces(*PACES, last))
    assert (set(found.findings) == {person(11)}) is is_found, rule
    assert found.base_rate == pytest.approx(1 / 12 if is_found else 0)
    assert 40 < (found.typical or 0) < 60


@pytest.mark.parametrize(
    ("rule", "all_of"),
    [
        ("nine people are too few", paces(*PACES[:8], 1.0)),
        ("few units of each are too few", paces(*PACES, 1.0, units=4)),
        ("equal times have no spread to compare with", paces(*[30.0] * 20, 1.0)),
        ("nobody is nothing to compare", {}),
    ],
)
def test_too_little_work_finds_nobody_fast(rule: str, all_of: dict[UUID, Pace]) -> None:
    found = fast(all_of)
    assert (found.base_rate, found.findings) == (None, {}), rule


def test_small_differences_of_equal_people_are_no_finding() -> None:
    alike_people = [30.0, 30.1, 29.9, 30.2, 29.8, 30.1, 29.9, 30.0, 30.3, 29.7, 30.1]
    assert not fast(paces(*alike_people, 24.0)).findings
    assert fast(paces(*alike_people, 12.0)).findings


@pytest.mark.parametrize(
    ("rule", "others", "own", "is_found"),
    [
        ("all texts pasted where others paste none", (0, 5), (5, 5), True),
        ("one pasted text is an accident", (0, 5), (1, 5), False),
        ("in a task where people paste, it is no sign", (4, 5), (5, 5), False),
        ("half of the units where others have a tenth", (1, 10), (10, 20), True),
        ("as often as others", (1, 10), (2, 20), False),
        ("few units can't be judged", (0, 5), (4, 4), False),
    ],
)
def test_shares_are_compared_with_other_people(
    rule: str, others: tuple[int, int], own: tuple[int, int], is_found: bool
) -> None:
    shares = {person(number): Share(*others) for number in range(1, 13)} | {person(0): Share(*own)}
    found = frequent(EvidenceKind.PASTED, shares).findings
    assert (set(found) == {person(0)}) is is_found, rule
    if is_found:
        assert found[person(0)].figure == own[0] / own[1]
        assert found[person(0)].base_rate == others[0] / others[1]


def test_shares_of_few_people_find_nobody() -> None:
    shares = {person(number): Share(0, 5) for number in range(8)} | {person(9): Share(5, 5)}
    found = frequent(EvidenceKind.ALONE, shares)
    assert (found.compared, found.base_rate, found.findings) == (9, None, {})


def text_of(number: int, text: str, context: str = CONTEXT) -> list[Fingerprint]:
    bands = fingerprint(ROUND, [text], [context])
    return [Fingerprint(person(number), frozenset(bands))] if bands else []


def changed(text: str) -> str:
    """Return a text as somebody copies it who changes its end."""
    return text.upper().replace("  ", " ")[:-3]


@pytest.mark.parametrize("text", [STORY, ARABIC, EMOJI], ids=["english", "arabic", "emoji"])
def test_two_texts_that_somebody_else_wrote_too_are_a_ring(text: str) -> None:
    other = f"{text} Then it rained for a week, so nobody saw the result of all that work."
    texts = [
        *(each for number in (1, 2) for each in (*text_of(number, changed(text)), *text_of(number, other))),
        *text_of(3, "Something else that has nothing to do with the other texts of this round."),
        *text_of(4, text),
    ]
    found = alike(texts)
    assert set(found.findings) == {person(1), person(2)}
    assert found.findings[person(1)].figure == 1
    assert found.findings[person(1)].people == (person(2), person(4))
    assert found.base_rate == pytest.approx(5 / 6)


@pytest.mark.parametrize(
    ("rule", "first", "second"),
    [
        ("quotes of the context do not count", CONTEXT, f"{CONTEXT} No!"),
        ("short texts are equal by chance", "Great movie!", "Great movie!"),
        ("an empty text is no text", "", " "),
    ],
)
def test_what_people_may_share_is_not_compared(rule: str, first: str, second: str) -> None:
    texts = [*text_of(1, first), *text_of(1, second), *text_of(2, first), *text_of(2, second)]
    assert not alike(texts).findings, rule


def test_ones_own_repetitions_and_a_single_copy_are_no_ring() -> None:
    own = [*text_of(1, STORY), *text_of(1, changed(STORY)), *text_of(2, ARABIC), *text_of(2, STORY)]
    assert not alike(own[:3]).findings
    assert set(alike(own).findings) == {person(1)}
    assert alike([]).base_rate is None


def test_people_with_one_device_are_found_with_each_other() -> None:
    marks = {person(1): ["a"], person(2): ["a", "b"], person(3): ["b"], person(4): ["c"]}
    found = shared(EvidenceKind.DEVICE, marks)
    assert {each: finding.people for each, finding in found.findings.items()} == {
        person(1): (person(2),),
        person(2): (person(1), person(3)),
        person(3): (person(2),),
    }
    assert (found.compared, found.base_rate) == (4, 0.75)
    assert shared(EvidenceKind.DEVICE, {person(1): ["a"]}).base_rate is None


def decided(decision: FairPlayDecision) -> Review:
    return Review(assignment_id=person(1), decision=decision, reason="Two devices.", decided_at=NOW)


def test_the_next_decision_answers_an_appeal() -> None:
    review = decided(EXCLUDED)
    review.decide(EXCLUDED, "Three devices.", NOW)
    review.make_appeal("We share a flat.", NOW)
    review.decide(NO_CONCERN, "That explains it.", NOW)
    assert (review.reason, review.answer) == ("Three devices.", "That explains it.")
    assert review.concerns_person
    with pytest.raises(AppealRefused):
        review.make_appeal("Once more.", NOW)


def test_without_an_exclusion_there_is_nothing_to_appeal_against() -> None:
    review = decided(NO_CONCERN)
    assert not review.concerns_person
    with pytest.raises(AppealRefused):
        review.make_appeal("Why me?", NOW)
