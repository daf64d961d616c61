"""Decisions of owners and appeals of authors: the aggregate beyond votes."""

from datetime import UTC, datetime, timedelta

import pytest
from dynabench_common.identifiers import new_id
from dynabench_events.validation import (
    ExampleAppealed,
    ExampleResolved,
    ResolutionWithdrawn,
    VoteCast,
    VotesWithdrawn,
    WithdrawalCause,
)
from dynabench_tasks.fields import InputRefused
from dynabench_tasks.resolution import Resolution
from dynabench_tasks.votes import VoteKind
from validation.domain.ballots import Ballot
from validation.domain.errors import (
    AlreadyAppealed,
    AppealOfAnother,
    ExampleRetracted,
    NotAdjudicated,
    NothingToAppeal,
    OwnDecision,
    WrongVoteKind,
)
from validation.domain.example_validation import ExampleValidation
from validation.domain.identifiers import ExampleId, LeaseId, PersonId, RoundId, VoteId
from validation.domain.outcomes import Appeal
from validation.domain.queue import Lease
from validation.domain.rules import read_rules

CONTEXT = [{"name": "passage", "type": "string"}]
NOW = datetime(2026, 1, 5, 12, 0, tzinfo=UTC)
LABEL = {"name": "label", "type": "multiclass", "labels": ["negative", "neutral", "positive"]}
WITH_MIXED = {"options": ["negative", "neutral", "positive", "mixed"]}
RULES = read_rules(
    {
        "context": CONTEXT,
        "input": [LABEL],
        "output": [LABEL],
        "validation": WITH_MIXED,
    }
)
JUDGEMENT_RULES = read_rules(
    {
        "context": CONTEXT,
        "input": [LABEL],
        "output": [LABEL],
        "validation": {"vote": "judgement"},
    }
)
OWNER, AUTHOR = PersonId(new_id()), PersonId(new_id())


def label(option: str) -> Ballot:
    return Ballot(VoteKind.LABEL, option)


FLAG = Ballot(VoteKind.FLAG, reason="spam")


def voted(words: str = "", claimed: str = "negative") -> ExampleValidation:
    """Return an example on which different people gave these answers, its events forgotten."""
    subject = ExampleValidation(
        example_id=ExampleId(new_id()),
        round_id=RoundId(new_id()),
        author_id=AUTHOR,
        claimed=claimed,
        rules=RULES,
    )
    for word in words.split():
        ballot = {"flag": FLAG, "?": Ballot(VoteKind.UNSURE)}.get(word) or label(word)
        cast(subject, ballot)
    subject.take_unsaved()
    return subject


def cast(subject: ExampleValidation, ballot: Ballot, at: datetime = NOW) -> None:
    holder = PersonId(new_id())
    lease = Lease(LeaseId(new_id()), subject.example_id, holder, at, at + timedelta(minutes=5))
    subject.cast(VoteId(new_id()), ballot, lease, 0, at)


def resolution(subject: ExampleValidation) -> Resolution | None:
    return None if subject.outcome is None else subject.outcome.resolution


def kinds(subject: ExampleValidation) -> list[type]:
    return [type(event.record) for event in subject.unsaved]


@pytest.mark.parametrize(
    ("words", "claimed", "ballot", "expected", "golds"),
    [
        # The owner sides with the author of a disputed example.
        ("negative positive neutral", "negative", label("negative"), Resolution.CORRECT, ("negative",)),
        # Or against; what is right then is the gold.
        ("negative positive neutral", "negative", label("positive"), Resolution.INCORRECT, ("positive",)),
        # An option that is no label of the task leaves no gold.
        ("negative positive neutral", "negative", label("mixed"), Resolution.INCORRECT, ()),
        # A flag of the owner's alone takes the example out.
        ("negative negative", "negative", FLAG, Resolution.FLAGGED, ()),
        # A flagged example comes back.
        ("flag flag", "negative", label("negative"), Resolution.CORRECT, ("negative",)),
        # One that still waits is decided at once.
        ("positive", "negative", label("negative"), Resolution.CORRECT, ("negative",)),
        # Without a claim there is a gold, and nothing to confirm.
        ("negative positive neutral", "", label("neutral"), Resolution.NO_CLAIM, ("neutral",)),
    ],
)
def test_an_owner_decides_alone(
    words: str, claimed: str, ballot: Ballot, expected: Resolution, golds: tuple[str, ...]
) -> None:
    subject = voted(words, claimed)
    counted = subject.votes_counted
    assert subject.adjudicate(ballot, "I looked it up.", OWNER, NOW)
    assert (resolution(subject), subject.possible_slots) == (expected, 0)
    (event,) = subject.unsaved
    resolved = event.record
    assert isinstance(resolved, ExampleResolved)
    assert (resolved.adjudicated_by, resolved.golds, resolved.votes_counted) == (OWNER, golds, counted)


def test_the_same_decision_again_changes_nothing_and_another_takes_its_place() -> None:
    subject = voted("negative positive neutral")
    assert subject.adjudicate(label("negative"), "because", OWNER, NOW)
    assert not subject.adjudicate(label("negative"), "because", PersonId(new_id()), NOW)
    assert subject.adjudicate(label("positive"), "on second thoughts", OWNER, NOW)
    assert [event.version for event in subject.unsaved] == [subject.version - 1, subject.version]
    assert resolution(subject) is Resolution.INCORRECT


def test_judgements_are_decided_by_judgements() -> None:
    subject = voted("")
    subject.rules = JUDGEMENT_RULES
    with pytest.raises(WrongVoteKind):
        subject.adjudicate(label("negative"), "because", OWNER, NOW)
    subject.adjudicate(Ballot(VoteKind.JUDGEMENT, "incorrect"), "because", OWNER, NOW)
    assert resolution(subject) is Resolution.INCORRECT


def test_unusable_decisions_change_nothing() -> None:
    subject = voted("negative positive neutral")
    with pytest.raises(InputRefused):
        subject.adjudicate(label("lovely"), "because", OWNER, NOW)
    with pytest.raises(OwnDecision):
        subject.adjudicate(label("negative"), "because", AUTHOR, NOW)
    with pytest.raises(NotAdjudicated):
        subject.reverse_adjudication(OWNER, NOW)
    subject.retracted = True
    with pytest.raises(ExampleRetracted):
        subject.adjudicate(label("negative"), "because", OWNER, NOW)
    assert (subject.unsaved, resolution(subject)) == ([], Resolution.DISPUTED)


@pytest.mark.parametrize(
    ("words", "expected", "told"),
    [
        # The votes had disputed it, and do again.
        ("negative positive neutral", Resolution.DISPUTED, ExampleResolved),
        ("positive positive", Resolution.INCORRECT, ExampleResolved),
        # It had waited, and waits again.
        ("positive", None, ResolutionWithdrawn),
        ("", None, ResolutionWithdrawn),
    ],
)
def test_a_reversed_decision_leaves_what_the_votes_say(
    words: str, expected: Resolution | None, told: type
) -> None:
    subject = voted(words)
    before = subject.votes_counted, subject.possible_slots, subject.certain_slots
    subject.adjudicate(label("negative"), "because", OWNER, NOW)
    subject.reverse_adjudication(OWNER, NOW)
    assert resolution(subject) == expected
    assert (subject.votes_counted, subject.possible_slots, subject.certain_slots) == before
    assert kinds(subject) == [ExampleResolved, told]
    assert getattr(subject.unsaved[1].record, "adjudicated_by", None) is None


def test_votes_after_a_decision_are_evidence_even_once_it_is_reversed() -> None:
    subject = voted("positive")
    subject.adjudicate(label("negative"), "because", OWNER, NOW)
    cast(subject, label("positive"))
    assert resolution(subject) is Resolution.CORRECT
    assert [vote.counted for vote in subject.votes] == [True, False]
    subject.reverse_adjudication(OWNER, NOW)
    assert resolution(subject) is None
    cast(subject, label("positive"))
    assert resolution(subject) is Resolution.INCORRECT


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("positive positive", [VotesWithdrawn, ResolutionWithdrawn]),
        ("negative positive neutral", [VotesWithdrawn, ResolutionWithdrawn]),
        # Nothing was decided yet.
        ("positive ?", [VotesWithdrawn]),
    ],
)
def test_people_are_asked_anew(words: str, told: list[type]) -> None:
    subject = voted(words)
    assert subject.requeue("The guidelines changed.", NOW)
    assert kinds(subject) == told
    withdrawn = subject.unsaved[0].record
    assert isinstance(withdrawn, VotesWithdrawn)
    assert withdrawn.vote_ids == tuple(vote.vote_id for vote in subject.votes)
    assert withdrawn.cause is WithdrawalCause.REQUEUED
    assert (resolution(subject), subject.votes_counted) == (None, 0)
    assert (subject.certain_slots, subject.possible_slots) == (2, 3)
    for _ in range(2):
        cast(subject, label("negative"))
    assert resolution(subject) is Resolution.CORRECT


def test_unsure_answers_of_before_dispute_nothing_later() -> None:
    subject = voted("? ?")
    subject.requeue("The text was cut off.", NOW)
    cast(subject, Ballot(VoteKind.UNSURE))
    assert resolution(subject) is None


def test_asking_anew_drops_a_decision_and_names_no_vote_twice() -> None:
    subject = voted("positive positive")
    subject.requeue("The guidelines changed.", NOW)
    subject.adjudicate(label("negative"), "because", OWNER, NOW)
    subject.take_unsaved()
    assert subject.requeue("They changed again.", NOW)
    assert (kinds(subject), subject.adjudication) == ([ResolutionWithdrawn], None)


def test_what_waits_for_its_first_vote_or_is_withdrawn_is_left_alone() -> None:
    fresh, retracted = voted(""), voted("positive positive")
    retracted.retracted = True
    assert not fresh.requeue("why not", NOW)
    assert not retracted.requeue("why not", NOW)
    assert (fresh.unsaved, retracted.unsaved) == ([], [])


@pytest.mark.parametrize(
    ("words", "refusal"),
    [
        ("positive positive", None),
        ("negative positive neutral", None),
        ("flag flag", None),
        # People said what the author said.
        ("negative negative", NothingToAppeal),
        # Nothing is decided yet.
        ("positive", NothingToAppeal),
    ],
)
def test_what_authors_appeal_against(words: str, refusal: type[Exception] | None) -> None:
    subject = voted(words)
    if refusal:
        with pytest.raises(refusal):
            subject.appeal("Look again.", AUTHOR, NOW)
        assert (subject.unsaved, subject.appealed) == ([], None)
    else:
        assert subject.appeal("Look again.", AUTHOR, NOW) == Appeal("Look again.", NOW)
        assert kinds(subject) == [ExampleAppealed]


def test_authors_appeal_once_and_nobody_for_them() -> None:
    subject = voted("positive positive")
    with pytest.raises(AppealOfAnother):
        subject.appeal("Look again.", OWNER, NOW)
    subject.appeal("Look again.", AUTHOR, NOW)
    with pytest.raises(AlreadyAppealed):
        subject.appeal("And again.", AUTHOR, NOW)
    withdrawn = voted("positive positive")
    withdrawn.retracted = True
    with pytest.raises(ExampleRetracted):
        withdrawn.appeal("Look again.", AUTHOR, NOW)


def test_a_decision_answers_an_appeal_and_its_reversal_opens_it_again() -> None:
    subject = voted("positive positive")
    subject.appeal("Look again.", AUTHOR, NOW)
    later = NOW + timedelta(hours=1)
    subject.adjudicate(label("positive"), "Voters are right.", OWNER, later)
    assert subject.appealed == Appeal("Look again.", NOW, "Voters are right.", later)
    subject.take_unsaved()
    subject.reverse_adjudication(OWNER, later)
    assert subject.appealed == Appeal("Look again.", NOW)
    assert kinds(subject)[-1] is ExampleAppealed


def test_the_decision_that_stands_is_the_answer_to_an_appeal() -> None:
    subject = voted("positive positive")
    subject.appeal("Look again.", AUTHOR, NOW)
    subject.adjudicate(label("negative"), "You are right.", OWNER, NOW + timedelta(hours=1))
    later = NOW + timedelta(hours=2)
    subject.adjudicate(label("positive"), "On second thoughts, no.", OWNER, later)
    assert subject.appealed == Appeal("Look again.", NOW, "On second thoughts, no.", later)
    subject.reverse_adjudication(OWNER, later)
    assert subject.appealed == Appeal("Look again.", NOW)


def test_an_appeal_against_a_decision_is_answered_by_the_same_decision_too() -> None:
    subject = voted("positive positive")
    subject.adjudicate(label("positive"), "It is.", OWNER, NOW)
    subject.appeal("Look again.", AUTHOR, NOW)
    assert subject.adjudicate(label("positive"), "It is.", OWNER, NOW)
    assert subject.appealed is not None
    assert not subject.appealed.is_open


def test_asking_anew_answers_an_appeal() -> None:
    subject = voted("positive positive")
    subject.appeal("Look again.", AUTHOR, NOW)
    subject.requeue("Other people shall look.", NOW)
    assert subject.appealed == Appeal("Look again.", NOW, "Other people shall look.", NOW)


def test_votes_after_an_appeal_are_evidence() -> None:
    subject = voted("positive positive")
    subject.appeal("Look again.", AUTHOR, NOW)
    cast(subject, label("negative"))
    assert (kinds(subject), resolution(subject)) == ([ExampleAppealed, VoteCast], Resolution.INCORRECT)
