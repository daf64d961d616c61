"""Taking one's vote back, changing it, keeping a lease for longer: what is refused, and what becomes of the example."""

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from dynabench_common.identifiers import new_id
from dynabench_events import EventRecord, Versioned
from dynabench_events.validation import (
    ExampleResolved,
    ResolutionWithdrawn,
    VoteCast,
    VoteJudged,
    VotesWithdrawn,
    WithdrawalCause,
)
from dynabench_tasks.fields import InputRefused
from dynabench_tasks.resolution import Resolution
from dynabench_tasks.votes import VoteKind
from validation.domain.ballots import Ballot, Remarks
from validation.domain.errors import (
    AlreadyVoted,
    ExampleRetracted,
    LeaseExpired,
    NothingToJudge,
    OwnExample,
    SlotTaken,
    UndoTooLate,
    VoteFollowed,
    VoteOfAnother,
    VoteRevealed,
    VoteSettled,
    VoteUnknown,
)
from validation.domain.example_validation import ExampleValidation
from validation.domain.identifiers import ExampleId, LeaseId, PersonId, RoundId, VoteId
from validation.domain.queue import Lease
from validation.domain.rules import read_rules
from validation.domain.votes import Vote

CONTEXT = [{"name": "passage", "type": "string"}]
NOW = datetime(2026, 1, 5, 12, 0, tzinfo=UTC)
SOON, LATER = NOW + timedelta(seconds=60), NOW + timedelta(seconds=61)
LABEL = {"name": "label", "type": "multiclass", "labels": ["negative", "neutral", "positive"]}
FIELDS = {"context": CONTEXT, "input": [LABEL], "output": [LABEL]}
ONE_VOTE = {"policy": {"adaptive": {"agree": 1, "max_votes": 1}}}
Act = Callable[[ExampleValidation, Vote, datetime], Any]


def example(**validation: Any) -> ExampleValidation:
    return ExampleValidation(
        example_id=ExampleId(new_id()),
        round_id=RoundId(new_id()),
        author_id=PersonId(new_id()),
        claimed="negative",
        rules=read_rules({**FIELDS, "validation": validation}),
    )


def lease(on: ExampleValidation, holder: PersonId | None = None, granted: datetime = NOW) -> Lease:
    holder = holder or PersonId(new_id())
    return Lease(LeaseId(new_id()), on.example_id, holder, granted, granted + timedelta(minutes=5))


def ballot(label: str) -> Ballot:
    return Ballot(VoteKind.UNSURE) if label == "unsure" else Ballot(VoteKind.LABEL, label)


def cast(on: ExampleValidation, *labels: str, at: datetime = NOW) -> list[Vote]:
    return [on.cast(VoteId(new_id()), ballot(label), lease(on), 0, at) for label in labels]


def undo(on: ExampleValidation, vote: Vote, at: datetime = NOW, others: int = 0) -> bool:
    return on.undo(vote.vote_id, vote.voter_id, others, at)


def change(
    on: ExampleValidation, vote: Vote, at: datetime = NOW, label: str = "positive", others: int = 0
) -> Vote:
    return on.change(vote.vote_id, VoteId(new_id()), ballot(label), vote.voter_id, others, at)


def kinds(events: list[Versioned[EventRecord]]) -> list[type]:
    return [type(event.record) for event in events]


def test_a_vote_taken_back_is_forgotten_and_its_slot_is_free_again() -> None:
    subject = example()
    first, second = cast(subject, "negative", "positive")
    subject.take_unsaved()
    undo(subject, second)
    assert subject.votes == [first]
    assert (subject.votes_counted, subject.possible_slots, subject.certain_slots) == (1, 2, 1)
    (event,) = subject.unsaved
    withdrawn = event.record
    assert isinstance(withdrawn, VotesWithdrawn)
    assert (withdrawn.vote_ids, withdrawn.cause) == ((second.vote_id,), WithdrawalCause.UNDONE)
    assert (event.version, withdrawn.withdrawn_at) == (3, NOW)


@pytest.mark.parametrize(
    "labels",
    [("negative", "negative"), ("negative", "positive", "neutral"), ("unsure", "unsure", "unsure")],
)
def test_a_resolution_that_hung_on_the_vote_is_withdrawn(labels: tuple[str, ...]) -> None:
    subject = example()
    votes = cast(subject, *labels)
    before = subject.outcome
    assert before is not None
    subject.take_unsaved()
    undo(subject, votes[-1])
    assert subject.outcome is None
    assert subject.possible_slots > 0
    assert kinds(subject.unsaved) == [VotesWithdrawn, ResolutionWithdrawn]
    assert cast(subject, labels[-1]) == subject.votes[-1:]
    assert kinds(subject.unsaved)[2:] == [VoteCast, ExampleResolved]


@pytest.mark.parametrize("label", ["positive", "unsure"])
def test_evidence_taken_back_leaves_the_resolution(label: str) -> None:
    subject = example()
    cast(subject, "negative", "negative")
    before = subject.outcome
    (evidence,) = cast(subject, label)
    subject.take_unsaved()
    undo(subject, evidence, others=3)
    assert subject.outcome == before
    assert kinds(subject.unsaved) == [VotesWithdrawn]


def test_a_vote_can_be_taken_back_for_a_minute() -> None:
    subject = example()
    (vote,) = cast(subject, "negative")
    assert vote.undo_until == SOON
    with pytest.raises(UndoTooLate):
        undo(subject, vote, LATER)
    undo(subject, vote, SOON)
    assert subject.votes == []


def adjudicated(subject: ExampleValidation) -> None:
    subject.adjudicate(ballot("neutral"), "ambiguous", PersonId(new_id()), NOW)


def appealed(subject: ExampleValidation) -> None:
    subject.appeal("it is right", subject.author_id, NOW)


def voted(subject: ExampleValidation) -> None:
    cast(subject, "neutral")


def requeued(subject: ExampleValidation) -> None:
    subject.requeue("the guideline changed", NOW)


@pytest.mark.parametrize("act", [adjudicated, appealed, voted, requeued])
def test_what_others_have_gone_on_from_stays(act: Callable[[ExampleValidation], None]) -> None:
    subject = example(**ONE_VOTE)
    (vote,) = cast(subject, "positive")
    act(subject)
    before, events = list(subject.votes), list(subject.unsaved)
    with pytest.raises(VoteFollowed):
        undo(subject, vote)
    assert (subject.votes, subject.unsaved) == (before, events)


def test_evidence_after_the_owners_decision_may_be_taken_back() -> None:
    subject = example(**ONE_VOTE)
    subject.adjudicate(ballot("neutral"), "clear", PersonId(new_id()), NOW - timedelta(seconds=5))
    (evidence,) = cast(subject, "positive")
    decided = subject.outcome
    undo(subject, evidence)
    assert subject.outcome == decided


def test_an_answer_is_not_taken_back_into_a_slot_that_others_hold() -> None:
    """`unsure` leaves its slot to another person; who takes it back needs one."""
    subject = example(**ONE_VOTE)
    (unsure,) = cast(subject, "unsure")
    with pytest.raises(SlotTaken):
        undo(subject, unsure, others=1)
    with pytest.raises(SlotTaken):
        change(subject, unsure, others=1)
    assert subject.votes == [unsure]
    assert change(subject, unsure, label="unsure", others=1).answer.kind is VoteKind.UNSURE
    undo(subject, subject.votes[0], others=0)
    assert subject.votes == []


def test_a_changed_vote_is_another_vote_and_the_newest() -> None:
    subject = example()
    first, second = cast(subject, "negative", "positive")
    subject.take_unsaved()
    changed = change(subject, first, LATER, "neutral")
    assert subject.votes == [second, changed]
    assert changed.vote_id != first.vote_id
    assert (changed.lease_id, changed.seconds, changed.cast_at) == (first.lease_id, first.seconds, LATER)
    assert kinds(subject.unsaved) == [VotesWithdrawn, VoteCast]
    assert [event.version for event in subject.unsaved] == [3, 4]


def test_a_changed_vote_may_resolve_the_example() -> None:
    subject = example()
    first, _ = cast(subject, "negative", "positive")
    change(subject, first, LATER, "positive")
    assert subject.outcome is not None
    assert subject.outcome.resolution is Resolution.INCORRECT
    assert (subject.outcome.votes_counted, subject.votes_counted) == (2, 2)


def test_a_vote_that_resolved_may_be_changed_within_its_minute_and_another_person_is_asked() -> None:
    """A round's counts say how the example was resolved, so what comes after that is evidence."""
    subject = example()
    first, second = cast(subject, "negative", "negative")
    subject.take_unsaved()
    changed = change(subject, second, SOON, "positive")
    assert (changed.counted, changed.is_evidence) == (False, True)
    assert subject.outcome is None
    assert (subject.votes_counted, subject.possible_slots, subject.certain_slots) == (1, 2, 1)
    assert kinds(subject.unsaved) == [VotesWithdrawn, ResolutionWithdrawn, VoteCast]
    again = change(subject, changed, SOON, "negative")
    assert (again.counted, subject.outcome) == (False, None)
    assert not undo(subject, again, SOON)
    assert subject.votes == [first]


def test_only_an_answer_that_left_the_example_waiting_is_asked_for_again() -> None:
    subject = example()
    first, second = cast(subject, "negative", "negative")
    assert not undo(subject, second)
    assert subject.outcome is None
    assert undo(subject, first)


@pytest.mark.parametrize("label", ["negative", "unsure"])
@pytest.mark.parametrize("act", [undo, change])
def test_whoever_has_seen_the_claim_answers_no_more(act: Act, label: str) -> None:
    subject = example()
    (vote,) = cast(subject, label)
    revealed = subject.reveal(vote.vote_id, vote.voter_id, SOON)
    assert (revealed.revealed_at, subject.votes) == (SOON, [revealed])
    assert subject.reveal(vote.vote_id, vote.voter_id, LATER) == revealed
    with pytest.raises(VoteRevealed):
        act(subject, revealed, SOON)
    assert (subject.votes, len(subject.unsaved)) == ([revealed], 1)


def test_only_the_voter_is_shown_the_claim() -> None:
    subject = example()
    (vote,) = cast(subject, "negative")
    with pytest.raises(VoteOfAnother):
        subject.reveal(vote.vote_id, PersonId(new_id()), NOW)
    with pytest.raises(VoteUnknown):
        subject.reveal(VoteId(new_id()), vote.voter_id, NOW)
    assert subject.votes == [vote]


def test_remarks_on_the_claim_make_a_blind_vote_final() -> None:
    subject = example()
    (vote,) = cast(subject, "positive")
    judged = subject.judge(vote.vote_id, vote.voter_id, Remarks(agrees=False), SOON)
    assert judged.revealed_at == SOON
    with pytest.raises(VoteRevealed):
        change(subject, judged, SOON)


@pytest.mark.parametrize(
    ("votes", "changed", "at"),
    [
        # The minute is over.
        (("negative", "negative"), 1, LATER),
        # Somebody else voted since, and that resolved the example.
        (("negative", "negative"), 0, NOW),
        # Evidence, a minute old.
        (("negative", "negative", "positive"), 2, LATER),
    ],
)
def test_votes_on_resolved_examples_settle(votes: tuple[str, ...], changed: int, at: datetime) -> None:
    subject = example()
    cast(subject, *votes)
    with pytest.raises(VoteSettled):
        change(subject, subject.votes[changed], at)
    assert len(subject.votes) == len(votes)


def test_a_vote_that_was_set_aside_can_not_be_changed() -> None:
    subject = example()
    (vote,) = cast(subject, "negative")
    subject.requeue("the guideline changed", NOW)
    with pytest.raises(VoteSettled):
        change(subject, vote)


def test_an_unusable_change_changes_nothing() -> None:
    subject = example()
    (vote,) = cast(subject, "negative")
    with pytest.raises(InputRefused):
        change(subject, vote, label="lovely")
    assert (subject.votes, len(subject.unsaved)) == ([vote], 1)


@pytest.mark.parametrize("act", [undo, change])
def test_only_the_voter_thinks_again_and_only_while_the_example_stands(act: Act) -> None:
    subject = example()
    (vote,) = cast(subject, "negative")
    with pytest.raises(VoteOfAnother):
        act(subject, replace(vote, voter_id=PersonId(new_id())), NOW)
    with pytest.raises(VoteUnknown):
        act(subject, replace(vote, vote_id=VoteId(new_id())), NOW)
    subject.retracted = True
    with pytest.raises(ExampleRetracted):
        act(subject, vote, NOW)


def test_a_lease_may_be_kept_while_a_vote_is_needed() -> None:
    subject = example()
    old = lease(subject, granted=NOW - timedelta(minutes=30))
    subject.ensure_may_hold(lease(subject), 5, NOW)
    subject.ensure_may_hold(old, 2, NOW)
    with pytest.raises(LeaseExpired):
        subject.ensure_may_hold(old, 3, NOW)
    with pytest.raises(OwnExample):
        subject.ensure_may_hold(lease(subject, subject.author_id), 0, NOW)
    voter = cast(subject, "negative")[0].voter_id
    with pytest.raises(AlreadyVoted):
        subject.ensure_may_hold(lease(subject, voter), 0, NOW)
    cast(subject, "negative")
    with pytest.raises(LeaseExpired):
        subject.ensure_may_hold(lease(subject), 0, NOW)


def test_remarks_take_the_place_of_earlier_ones() -> None:
    subject = example()
    (vote,) = cast(subject, "positive")
    first = Remarks(agrees=False, corrected="neutral", explanation="it is both")
    subject.judge(vote.vote_id, vote.voter_id, first, NOW)
    judged = subject.judge(vote.vote_id, vote.voter_id, Remarks(agrees=True), SOON)
    assert (judged.agrees, judged.corrected, judged.explanation) == (True, "", "")
    events = [event.record for event in subject.unsaved if isinstance(event.record, VoteJudged)]
    said = [(event.agrees, event.corrected, event.explanation) for event in events]
    assert said == [(False, "neutral", "it is both"), (True, "", "")]


def test_a_correction_must_be_a_value_of_the_claimed_field() -> None:
    subject = example()
    (vote,) = cast(subject, "positive")
    with pytest.raises(InputRefused) as refused:
        subject.judge(vote.vote_id, vote.voter_id, Remarks(corrected="lovely"), NOW)
    assert refused.value.field == "corrected"
    assert subject.votes == [vote]


@pytest.mark.parametrize(
    ("claimed", "corrected", "kept"),
    [(LABEL, "neutral", "neutral"), ({"name": "label", "type": "string"}, "in May", "in May")],
)
def test_who_votes_by_judgement_may_say_what_is_right(
    claimed: dict[str, Any], corrected: str, kept: str
) -> None:
    subject = example()
    subject.rules = read_rules(
        {
            "context": CONTEXT,
            "input": [claimed],
            "output": [claimed],
            "validation": {"vote": "judgement"},
        }
    )
    judgement = Ballot(VoteKind.JUDGEMENT, "incorrect")
    vote = subject.cast(VoteId(new_id()), judgement, lease(subject), 0, NOW)
    judged = subject.judge(vote.vote_id, vote.voter_id, Remarks(corrected=corrected), NOW)
    assert (judged.agrees, judged.corrected) == (None, kept)
    with pytest.raises(NothingToJudge):
        subject.judge(vote.vote_id, vote.voter_id, Remarks(agrees=True, corrected=corrected), NOW)
