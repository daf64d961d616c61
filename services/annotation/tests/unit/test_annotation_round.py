"""A round's life, and the stretches that its tries fall into."""

from datetime import UTC, datetime
from uuid import uuid4

import pytest
from annotation.domain.identifiers import PersonId, RoundId, SegmentId, TaskId
from annotation.domain.round import (
    EnsembleTooSmall,
    Round,
    RoundHasNoContexts,
    RoundImmutable,
    RoundNotOpen,
    RoundWouldBeEmptied,
    TransitionRefused,
)
from annotation.domain.round_preview import Collected, preview
from annotation.domain.verdict import MissingAnswer, TargetAnswer
from dynabench_events.task import (
    RoundCreated,
    RoundLostTarget,
    RoundStateChanged,
    RoundTargetsChanged,
    SegmentStarted,
)
from dynabench_tasks.rounds import RoundState
from dynabench_tasks.verdict import Ensemble

NOW = datetime(2026, 1, 5, tzinfo=UTC)
DRAFT, OPEN, PAUSED, CLOSED, RELEASED = RoundState
ALLOWED = {
    (DRAFT, OPEN),
    (OPEN, PAUSED),
    (PAUSED, OPEN),
    (OPEN, CLOSED),
    (PAUSED, CLOSED),
    (CLOSED, OPEN),
}


def a_round(state: RoundState = DRAFT, targets: tuple[str, ...] = ("alpha", "beta")) -> Round:
    round_ = Round.draft(RoundId(uuid4()), TaskId(uuid4()), 1, "", targets, NOW)
    round_.state = state
    round_.take_unsaved()
    return round_


def answer(target: str, digest: str = "1") -> TargetAnswer:
    return TargetAnswer(target, "positive", 0.9, {}, True, f"sha256:m{digest}", f"sha256:h{digest}", 1.0)


BOTH = (answer("alpha"), answer("beta"))


@pytest.mark.parametrize("state", RoundState)
@pytest.mark.parametrize("wanted", RoundState)
def test_a_round_moves_only_along_its_life(state: RoundState, wanted: RoundState) -> None:
    round_ = a_round(state)
    if state == wanted or (state, wanted) in ALLOWED:
        round_.move_to(wanted, PersonId(uuid4()), NOW)
        assert round_.state is wanted
        assert len(round_.unsaved) == (state != wanted)
    else:
        with pytest.raises(TransitionRefused):
            round_.move_to(wanted, PersonId(uuid4()), NOW)
        assert (round_.state, round_.unsaved) == (state, [])


def test_each_event_is_the_next_version() -> None:
    round_ = Round.draft(RoundId(uuid4()), TaskId(uuid4()), 1, "First", ("alpha",), NOW)
    round_.open(1, Ensemble(1), PersonId(uuid4()), NOW)
    round_.start_segment(SegmentId(uuid4()), (answer("alpha"),), 1, NOW)

    events = round_.take_unsaved()

    assert [type(event.record) for event in events] == [RoundCreated, RoundStateChanged, SegmentStarted]
    assert [event.version for event in events] == [1, 2, 3]
    assert round_.take_unsaved() == []


def test_a_round_opens_only_with_a_context() -> None:
    with pytest.raises(RoundHasNoContexts):
        a_round().open(0, Ensemble(1), PersonId(uuid4()), NOW)


def test_a_released_round_without_contexts_is_refused_for_being_released() -> None:
    with pytest.raises(TransitionRefused):
        a_round(RELEASED).open(0, Ensemble(1), PersonId(uuid4()), NOW)


@pytest.mark.parametrize("state", RoundState)
def test_a_release_freezes_a_closed_round_and_no_other(state: RoundState) -> None:
    round_ = a_round(state)
    assert round_.release(NOW) is (state is CLOSED)
    assert round_.state is (RELEASED if state is CLOSED else state)
    assert len(round_.unsaved) == (state is CLOSED)


def test_other_targets_begin_a_new_segment_at_the_next_try_and_the_same_ones_change_nothing() -> None:
    round_ = a_round(OPEN)
    first = round_.start_segment(SegmentId(uuid4()), BOTH, 1, NOW)
    assert not round_.change_targets(("alpha", "beta"), Ensemble(1), PersonId(uuid4()), "Too easy.", NOW)
    assert round_.change_targets(("gamma",), Ensemble(1), PersonId(uuid4()), "Too easy.", NOW)
    gammas = (answer("gamma"),)
    assert round_.segment_holding(gammas, 1, None) is None
    second = round_.start_segment(SegmentId(uuid4()), gammas, 1, NOW)
    assert [target.name for target in second.targets] == ["gamma"]
    assert round_.segment_holding(BOTH, 1, first) is first
    assert round_.segment_holding(BOTH, 1, None) is None


@pytest.mark.parametrize("state", [CLOSED, RELEASED])
def test_a_finished_round_keeps_its_targets(state: RoundState) -> None:
    with pytest.raises(RoundImmutable):
        a_round(state).change_targets(("gamma",), Ensemble(1), PersonId(uuid4()), "Too easy.", NOW)


@pytest.mark.parametrize("state", [OPEN, PAUSED])
def test_a_round_in_progress_loses_its_last_target_on_purpose_only(state: RoundState) -> None:
    round_ = a_round(state)
    with pytest.raises(RoundWouldBeEmptied):
        round_.change_targets((), Ensemble(1), PersonId(uuid4()), "Too easy.", NOW)
    assert round_.change_targets(
        (), Ensemble(1), PersonId(uuid4()), "A control arm.", NOW, may_be_emptied=True
    )


def test_targets_too_few_for_the_rule_are_refused() -> None:
    with pytest.raises(EnsembleTooSmall):
        a_round(OPEN).change_targets(("gamma",), Ensemble(2), PersonId(uuid4()), "Too easy.", NOW)


@pytest.mark.parametrize(
    ("state", "wanted", "contexts", "says"),
    [
        (DRAFT, OPEN, 0, "no context"),
        (DRAFT, PAUSED, 1, "can't become paused"),
        (OPEN, OPEN, 1, "is open already"),
        (RELEASED, OPEN, 1, "can't become open"),
    ],
)
def test_a_preview_says_why_a_round_cannot_be_moved(
    state: RoundState, wanted: RoundState, contexts: int, says: str
) -> None:
    found = preview(a_round(state), Ensemble(1), Collected(contexts, 0, 0), wanted)
    assert says in found.blockers[0].text
    assert found.blockers[0].remedy
    assert found.consequences == ()


@pytest.mark.parametrize(
    ("state", "wanted", "says"),
    [
        (DRAFT, OPEN, {"Contexts available.": 9}),
        (CLOSED, OPEN, {"Contexts available.": 9}),
        (OPEN, PAUSED, {"People who are writing right now.": 2}),
        (OPEN, CLOSED, {"People who are writing right now.": 2, "Unused contexts.": 4}),
    ],
)
def test_a_preview_counts_what_a_move_touches(
    state: RoundState, wanted: RoundState, says: dict[str, int]
) -> None:
    found = preview(a_round(state), Ensemble(1), Collected(9, 4, 2), wanted)
    assert found.blockers == ()
    assert {each.text: each.count for each in found.consequences if each.count is not None} == says


def test_a_rule_that_needs_more_targets_than_there_are_can_never_fool() -> None:
    with pytest.raises(EnsembleTooSmall):
        a_round().open(1, Ensemble(3), PersonId(uuid4()), NOW)


def test_a_control_arm_opens_under_any_rule() -> None:
    round_ = a_round(targets=())
    round_.open(1, Ensemble(3), PersonId(uuid4()), NOW)
    assert round_.state is OPEN


@pytest.mark.parametrize("state", [DRAFT, PAUSED, CLOSED, RELEASED])
def test_only_an_open_round_takes_tries(state: RoundState) -> None:
    with pytest.raises(RoundNotOpen):
        a_round(state).ensure_open()


@pytest.mark.parametrize("state", [CLOSED, RELEASED])
def test_a_finished_round_takes_no_contexts(state: RoundState) -> None:
    with pytest.raises(RoundImmutable):
        a_round(state).ensure_takes_contexts()


def test_a_released_round_takes_no_changes_of_its_examples() -> None:
    a_round(CLOSED).ensure_mutable()
    with pytest.raises(RoundImmutable):
        a_round(RELEASED).ensure_mutable()


def test_the_first_try_starts_the_first_segment() -> None:
    round_ = a_round()

    assert round_.segment_holding(BOTH, 1, None) is None
    segment = round_.start_segment(SegmentId(uuid4()), BOTH, 1, NOW)

    assert (segment.number, [t.name for t in segment.targets]) == (1, ["alpha", "beta"])
    assert round_.segment_holding(BOTH, 1, None) is segment


@pytest.mark.parametrize(
    ("answers", "version", "holds"),
    [
        (BOTH, 1, True),
        (BOTH, 2, False),
        ((answer("alpha", "2"), answer("beta")), 1, False),
        ((answer("alpha"), MissingAnswer("beta", "deadline")), 1, True),
        ((MissingAnswer("alpha", "deadline"), answer("beta", "2")), 1, False),
    ],
)
def test_a_segment_holds_tries_with_its_digests_and_version(
    answers: tuple[MissingAnswer | TargetAnswer, ...], version: int, holds: bool
) -> None:
    segment = a_round().start_segment(SegmentId(uuid4()), BOTH, 1, NOW)
    assert segment.holds(answers, version) is holds


def test_a_missing_target_keeps_its_digest_in_the_next_segment() -> None:
    round_ = a_round()
    round_.start_segment(SegmentId(uuid4()), BOTH, 1, NOW)

    second = round_.start_segment(
        SegmentId(uuid4()), (answer("alpha", "2"), MissingAnswer("beta", "deadline")), 1, NOW
    )

    assert [target.model_digest for target in second.targets] == ["sha256:m2", "sha256:m1"]


def test_a_try_under_way_when_the_target_changed_belongs_to_the_segment_it_was_sent_in() -> None:
    round_ = a_round()
    first = round_.start_segment(SegmentId(uuid4()), BOTH, 1, NOW)
    round_.start_segment(SegmentId(uuid4()), (answer("alpha", "2"), answer("beta")), 1, NOW)

    assert round_.segment_holding(BOTH, 1, first) is first
    assert round_.segment_holding(BOTH, 1, round_.segment) is None


@pytest.mark.parametrize(
    ("state", "targets", "needed", "left", "now"),
    [
        pytest.param(OPEN, ("alpha", "beta"), 1, ("alpha",), OPEN, id="it goes on with the others"),
        pytest.param(OPEN, ("alpha", "beta"), None, ("alpha",), OPEN, id="all is all that are left"),
        pytest.param(OPEN, ("beta",), 1, ("beta",), PAUSED, id="never the last one"),
        pytest.param(OPEN, ("alpha", "beta"), 2, ("alpha", "beta"), PAUSED, id="nor one that the rule needs"),
        pytest.param(PAUSED, ("alpha", "beta"), 1, ("alpha", "beta"), PAUSED, id="nobody waits in a pause"),
        pytest.param(OPEN, ("alpha",), 1, ("alpha",), OPEN, id="another round's target"),
    ],
)
def test_what_a_round_does_without_a_target(
    state: RoundState, targets: tuple[str, ...], needed: int | None, left: tuple[str, ...], now: RoundState
) -> None:
    round_ = a_round(state, targets)
    is_lost = round_.lose_target("beta", Ensemble(needed), NOW, "It crashed.", NOW)
    assert (round_.targets, round_.state) == (left, now)
    assert is_lost == (left != targets or now != state)
    kinds = [type(each.record) for each in round_.unsaved]
    follows = RoundStateChanged if now != state else RoundTargetsChanged
    assert kinds == ([RoundLostTarget, follows] if is_lost else [])
