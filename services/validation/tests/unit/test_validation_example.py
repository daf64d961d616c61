"""The aggregate: casting, resolving and judging."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from dynabench_common.identifiers import new_id
from dynabench_events.validation import ExampleResolved, VoteCast, VoteJudged
from dynabench_tasks.fields import InputRefused
from dynabench_tasks.resolution import Resolution
from dynabench_tasks.votes import VoteKind
from validation.domain.ballots import Ballot, Remarks
from validation.domain.errors import (
    AlreadyVoted,
    ExampleRetracted,
    FieldOutOfPlace,
    FlagReasonMissing,
    LeaseExpired,
    NothingToJudge,
    OwnExample,
    VoteOfAnother,
    VoteUnknown,
    WrongVoteKind,
)
from validation.domain.example_validation import ExampleValidation
from validation.domain.identifiers import ExampleId, LeaseId, PersonId, RoundId, VoteId
from validation.domain.queue import Lease
from validation.domain.rules import read_rules
from validation.domain.votes import Vote

CONTEXT = [{"name": "passage", "type": "string"}]
NOW = datetime(2026, 1, 5, 12, 0, tzinfo=UTC)
LABEL = {"name": "label", "type": "multiclass", "labels": ["negative", "neutral", "positive"]}
RULES = read_rules({"context": CONTEXT, "input": [LABEL], "output": [LABEL]})
JUDGEMENT_RULES = read_rules(
    {
        "context": CONTEXT,
        "input": [LABEL],
        "output": [LABEL],
        "validation": {"vote": "judgement"},
    }
)


def example(claimed: str = "negative") -> ExampleValidation:
    return ExampleValidation(
        example_id=ExampleId(new_id()),
        round_id=RoundId(new_id()),
        author_id=PersonId(new_id()),
        claimed=claimed,
        rules=RULES,
    )


def lease(on: ExampleValidation, holder: PersonId | None = None, minutes_ago: float = 1) -> Lease:
    granted = NOW - timedelta(minutes=minutes_ago)
    holder = holder or PersonId(new_id())
    return Lease(LeaseId(new_id()), on.example_id, holder, granted, granted + timedelta(minutes=5))


def cast(on: ExampleValidation, label: str, others: int = 0) -> Vote:
    ballot = Ballot(VoteKind.LABEL, label)
    return on.cast(VoteId(new_id()), ballot, lease(on), others, NOW)


def test_two_equal_votes_resolve_and_every_event_has_the_next_version() -> None:
    subject = example()
    resolutions = []
    for _ in range(2):
        cast(subject, "negative")
        resolutions.append(subject.outcome and subject.outcome.resolution)
    assert resolutions == [None, Resolution.CORRECT]
    assert [type(event.record) for event in subject.unsaved] == [VoteCast, VoteCast, ExampleResolved]
    assert [event.version for event in subject.unsaved] == [1, 2, 3]
    resolved = subject.unsaved[-1].record
    assert isinstance(resolved, ExampleResolved)
    assert (resolved.agreed_option, resolved.agreed_is_task_label, resolved.votes_counted) == (
        "negative",
        True,
        2,
    )


def test_a_vote_after_the_resolution_is_evidence() -> None:
    subject = example()
    for _ in range(2):
        cast(subject, "negative")
    before = subject.outcome
    late = cast(subject, "positive")
    assert not late.counted
    assert subject.outcome == before
    assert isinstance(subject.unsaved[-1].record, VoteCast)
    assert subject.votes_counted == 2


def test_slots_run_out_with_the_votes() -> None:
    subject = example()
    slots = [(subject.certain_slots, subject.possible_slots)]
    for label in ("negative", "positive", "negative"):
        cast(subject, label)
        slots.append((subject.certain_slots, subject.possible_slots))
    assert slots == [(2, 3), (1, 2), (1, 1), (0, 0)]


def test_the_third_unsure_disputes() -> None:
    subject = example()
    for _ in range(3):
        vote = subject.cast(VoteId(new_id()), Ballot(VoteKind.UNSURE), lease(subject), 0, NOW)
        assert not vote.counted
    assert subject.outcome is not None
    assert subject.outcome.resolution is Resolution.DISPUTED
    assert (subject.outcome.agreed_option, subject.outcome.votes_counted) == ("", 0)


def test_a_vote_keeps_how_long_it_took() -> None:
    assert cast(example(), "negative").seconds == 60


def test_an_expired_lease_is_honoured_while_its_slot_is_free() -> None:
    subject = example()
    old = lease(subject, minutes_ago=30)
    with pytest.raises(LeaseExpired):
        subject.cast(VoteId(new_id()), Ballot(VoteKind.LABEL, "negative"), old, 3, NOW)
    assert subject.votes == []
    assert subject.cast(VoteId(new_id()), Ballot(VoteKind.LABEL, "negative"), old, 2, NOW).counted


def test_an_expired_lease_on_a_resolved_example_is_refused_and_a_live_one_is_not() -> None:
    subject = example()
    for _ in range(2):
        cast(subject, "negative")
    with pytest.raises(LeaseExpired):
        subject.cast(
            VoteId(new_id()), Ballot(VoteKind.LABEL, "negative"), lease(subject, minutes_ago=30), 0, NOW
        )
    assert not cast(subject, "negative").counted


def test_authors_second_votes_and_withdrawn_examples_are_refused() -> None:
    subject = example()
    with pytest.raises(OwnExample):
        subject.ensure_may_vote(subject.author_id)
    voter = cast(subject, "negative").voter_id
    with pytest.raises(AlreadyVoted):
        subject.ensure_may_vote(voter)
    subject.retracted = True
    with pytest.raises(ExampleRetracted):
        subject.ensure_may_vote(PersonId(new_id()))


@pytest.mark.parametrize(
    ("ballot", "error"),
    [
        (Ballot(VoteKind.LABEL, "lovely"), InputRefused),
        (Ballot(VoteKind.LABEL), InputRefused),
        (Ballot(VoteKind.LABEL, "negative", "because"), FieldOutOfPlace),
        (Ballot(VoteKind.LABEL, ["negative"]), InputRefused),
        (Ballot(VoteKind.LABEL, "negative", metadata={"mood": "good"}), InputRefused),
        (Ballot(VoteKind.JUDGEMENT, "correct"), WrongVoteKind),
        (Ballot(VoteKind.FLAG), FlagReasonMissing),
        (Ballot(VoteKind.FLAG, reason=" \t\n"), FlagReasonMissing),
        (Ballot(VoteKind.FLAG, "negative", "spam"), FieldOutOfPlace),
        (Ballot(VoteKind.UNSURE, "negative"), FieldOutOfPlace),
        (Ballot(VoteKind.UNSURE, reason="hm"), FieldOutOfPlace),
    ],
)
def test_unusable_ballots_change_nothing(ballot: Ballot, error: type[Exception]) -> None:
    subject = example()
    with pytest.raises(error):
        subject.cast(VoteId(new_id()), ballot, lease(subject), 0, NOW)
    assert (subject.votes, subject.unsaved, subject.version) == ([], [], 0)


def test_a_judgement_is_kept_and_changes_nothing_else() -> None:
    subject = example()
    vote = cast(subject, "positive")
    judged = subject.judge(vote.vote_id, vote.voter_id, Remarks(agrees=True), NOW)
    assert judged == replace(vote, agrees=True, judged_at=NOW, revealed_at=NOW)
    assert subject.outcome is None
    subject.judge(vote.vote_id, vote.voter_id, Remarks(agrees=True), NOW)
    assert [type(event.record) for event in subject.unsaved] == [VoteCast, VoteJudged]
    subject.judge(vote.vote_id, vote.voter_id, Remarks(agrees=False), NOW)
    assert subject.votes[0].agrees is False
    assert [event.version for event in subject.unsaved] == [1, 2, 3]


def test_only_the_voter_judges_and_only_a_claim() -> None:
    subject = example()
    vote = cast(subject, "positive")
    with pytest.raises(VoteOfAnother):
        subject.judge(vote.vote_id, PersonId(new_id()), Remarks(agrees=True), NOW)
    with pytest.raises(VoteUnknown):
        subject.judge(VoteId(new_id()), vote.voter_id, Remarks(agrees=True), NOW)
    subject.claimed = ""
    with pytest.raises(NothingToJudge):
        subject.judge(vote.vote_id, vote.voter_id, Remarks(agrees=True), NOW)


def test_judgement_mode_takes_judgements_that_need_no_second_one() -> None:
    subject = example("positive")
    subject.rules = JUDGEMENT_RULES
    for _ in range(2):
        vote = subject.cast(VoteId(new_id()), Ballot(VoteKind.JUDGEMENT, "correct"), lease(subject), 0, NOW)
    assert subject.outcome is not None
    assert subject.outcome.resolution is Resolution.CORRECT
    assert not subject.outcome.agreed_is_task_label
    with pytest.raises(NothingToJudge):
        subject.judge(vote.vote_id, vote.voter_id, Remarks(agrees=True), NOW)
