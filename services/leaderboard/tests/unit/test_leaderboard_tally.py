"""The shares of examples in the sums; updated sums equal a recount."""

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from random import Random
from uuid import UUID

import pytest
from dynabench.example.v1 import example_pb2
from dynabench.validation.v1 import validation_pb2
from dynabench_common.events.cloud_events import Event
from dynabench_events import decode
from dynabench_events.example import ExampleCreated
from google.protobuf import json_format
from hypothesis import given, settings
from hypothesis import strategies as st
from leaderboard.domain.changes import Changes
from leaderboard.domain.counting_rule import DEFAULT_RULE, CountingRule, counting_rule
from leaderboard.domain.effort import context_try
from leaderboard.domain.facts import EXAMPLE_EVENTS, Example
from leaderboard.domain.history import HistoryCounts, history_shares
from leaderboard.domain.matrix import PatternCounts, pattern_shares
from leaderboard.domain.tally import RULE, Counted, Tally, TallyKey, counted, tally_shares
from leaderboard.domain.votes import VOTE_EVENTS, VOTES, Vote

from services.leaderboard.tests.conftest import Story

CONTEXT = [{"name": "passage", "type": "string"}]
LABEL = {"name": "label", "type": "multiclass", "labels": ["negative", "neutral", "positive"]}
MAJORITY = counting_rule(
    {
        "context": CONTEXT,
        "input": [LABEL],
        "output": [LABEL],
        "validation": {"gold": "majority"},
    }
)
NewStory = Callable[..., Story]
CORRECT = validation_pb2.RESOLUTION_CORRECT


def known_from(*events: Event) -> Example:
    known, votes = Example(events[0].aggregate_id), dict[UUID, Vote]()
    for event in events:
        known = _with_event(known, event, votes)
    return known


def _with_event(known: Example, event: Event, votes: dict[UUID, Vote]) -> Example:
    """Return the example after one more event; `votes` are those known so far."""
    version, record = event.aggregate_version, decode(event.message)
    if type(record) in EXAMPLE_EVENTS:
        return known.with_event(version, record)
    more = 0
    for vote_id in VOTES[type(record)](record):
        before = votes.get(vote_id, Vote(vote_id, known.example_id))
        votes[vote_id] = VOTE_EVENTS[type(record)](before, version, record)
        more += int(votes[vote_id].counts) - int(before.counts)
    return known.with_votes(more)


def by_subject(example: Example, rule: CountingRule = DEFAULT_RULE) -> dict[str, Tally]:
    return {key.subject: share for key, share in counted(example, rule).shares}


def test_a_target_is_counted_over_the_tries_that_it_answered(new_story: NewStory) -> None:
    story = new_story()
    found = by_subject(known_from(story.tried("negative", ["positive", ""], story.new_id())))
    assert set(found) == {RULE, "roberta"}
    assert found["roberta"].fooled == found[RULE].fooled == 1


def test_a_dispute_of_people_who_were_all_unsure_says_nothing_of_validity(new_story: NewStory) -> None:
    story = new_story()
    tried = story.tried("negative", ["positive", "negative"], story.new_id())
    disputed = story.resolved(tried, validation_pb2.RESOLUTION_DISPUTED, version=5)
    unsure, answered = (story.voted(tried, "negative", 4, counted=counts) for counts in (False, True))
    found = by_subject(known_from(tried, unsure, disputed))[RULE]
    assert (found.resolved, found.fooled_resolved) == (1, 0)
    assert by_subject(known_from(tried, answered, disputed))[RULE].fooled_resolved == 1


def test_a_target_can_be_wrong_where_the_ensemble_held(new_story: NewStory) -> None:
    story = new_story()
    verdict = example_pb2.VERDICT_NOT_FOOLED
    tried = story.tried("negative", ["positive", "negative"], story.new_id(), verdict)
    found = by_subject(known_from(tried, story.resolved(tried, CORRECT, "negative")))
    assert (found[RULE].fooled, found[RULE].errors) == (0, 0)
    assert (found["roberta"].fooled, found["roberta"].stratum_not_fooled_errors) == (1, 1)
    assert found["deberta"].not_fooled == 1


def test_a_retracted_try_stays_and_its_fooling_goes(new_story: NewStory) -> None:
    story = new_story()
    tried = story.tried("negative", ["positive", "negative"], story.new_id())
    events = [tried, story.voted(tried, "negative", 1), story.resolved(tried, CORRECT, "negative")]
    found = by_subject(known_from(*events, story.retracted(tried)))
    assert found[RULE] == Tally(tries=1, decided=1, retracted=1, votes=1)


@pytest.mark.parametrize(
    ("verdict", "answered", "field"),
    [
        (example_pb2.VERDICT_UNDECIDED, [], "no_target"),
        (example_pb2.VERDICT_UNDECIDED, ["positive"], "undecided"),
        (example_pb2.VERDICT_UNKNOWN, ["positive"], "unknown"),
    ],
)
def test_tries_without_a_verdict_are_counted_apart(
    new_story: NewStory, verdict: example_pb2.Verdict, answered: list[str], field: str
) -> None:
    story = new_story()
    found = by_subject(known_from(story.tried("", answered, story.new_id(), verdict)))
    assert found[RULE] == Tally(tries=1)._replace(**{field: 1})


def test_a_decision_takes_the_place_of_the_stored_verdict_in_either_order(new_story: NewStory) -> None:
    story = new_story()
    tried = story.asked(["positive", "negative"], story.new_id())
    decided = story.decided_by_author(tried, ["roberta"])
    confirmed = story.resolved(tried, CORRECT, "negative")
    found = by_subject(known_from(tried, decided, confirmed))
    assert found == by_subject(known_from(confirmed, decided, tried))
    assert (found[RULE].fooled, found[RULE].errors, found[RULE].undecided) == (1, 1, 0)
    assert [found[name].errors for name in ("roberta", "deberta")] == [1, 0]
    before = by_subject(known_from(tried, confirmed))[RULE]
    assert (before.undecided, before.decided, before.fooled, before.errors) == (1, 0, 0, 0)


def test_a_decision_that_nobody_is_wrong_is_a_verdict(new_story: NewStory) -> None:
    story = new_story()
    tried = story.asked(["positive", "negative"], story.new_id())
    found = by_subject(known_from(tried, story.decided_by_author(tried, [])))
    assert (found[RULE].decided, found[RULE].not_fooled, found[RULE].pending) == (1, 1, 0)


ASKING = counting_rule(
    {"context": CONTEXT, "input": [LABEL], "output": [LABEL], "wrong_when": "ask_annotator"}
)


def test_a_target_that_answered_is_judged_where_the_rounds_verdict_lacks_anothers_answer(
    new_story: NewStory,
) -> None:
    """Imported: the first target is right, the second did not answer, and would decide the round's verdict."""
    story = new_story()
    verdict = example_pb2.VERDICT_UNDECIDED
    tried = story.tried("negative", ["negative", ""], story.new_id(), verdict)
    found = by_subject(known_from(tried, story.resolved(tried, CORRECT, "negative")))
    assert (found[RULE].decided, found[RULE].undecided) == (0, 1)
    assert (found["roberta"].decided, found["roberta"].not_fooled, found["roberta"].undecided) == (1, 1, 0)
    assert found["roberta"].stratum_not_fooled_resolved == 1


def test_a_target_waits_where_only_the_author_can_say(new_story: NewStory) -> None:
    story = new_story()
    asked = story.asked(["positive", "negative"], story.new_id())
    found = by_subject(known_from(asked), ASKING)
    assert [(found[name].decided, found[name].undecided) for name in (RULE, "roberta")] == [(0, 1), (0, 1)]


def test_without_a_claim_nobody_can_say_whether_a_target_was_fooled(new_story: NewStory) -> None:
    story = new_story()
    tried = story.tried("", ["positive", "negative"], None, example_pb2.VERDICT_UNKNOWN)
    found = by_subject(known_from(tried))
    assert [(found[name].decided, found[name].unknown) for name in (RULE, "roberta")] == [(0, 1), (0, 1)]


def test_dodged_tries_stay_in_the_denominator(new_story: NewStory) -> None:
    """Five that fooled and five that were taken back undecided: annotation decides the latter, MER is a half."""
    story = new_story()
    total = Tally()
    for fools in [True] * 5 + [False] * 5:
        asked = story.asked(["positive", "negative"], story.new_id())
        events = [asked, story.decided_by_author(asked, ["roberta"] if fools else [])]
        events += [] if fools else [story.retracted(asked)]
        total = total.plus(by_subject(known_from(*events), ASKING)[RULE])
    assert (total.fooled, total.decided, total.retracted) == (5, 10, 5)


@pytest.mark.parametrize(
    ("claimed", "rule", "possible"),
    [
        ("negative", DEFAULT_RULE, [1, 1, 0]),
        ("positive", DEFAULT_RULE, [0, 0, 0]),
        ("negative", MAJORITY, [1, 1, 1]),
        ("positive", MAJORITY, [0, 0, 0]),
        ("positive", replace(MAJORITY, validates_all=True), [1, 1, 1]),
    ],
    ids=["confirms the author", "not asked", "any gold", "nobody votes", "all are voted on"],
)
def test_what_votes_may_still_make_an_error(
    new_story: NewStory, claimed: str, rule: CountingRule, possible: list[int]
) -> None:
    """Both targets answer; the first is wrong if negative is claimed."""
    story = new_story()
    answers = ["positive", claimed]
    tried = story.tried(claimed, answers, story.new_id())
    found = by_subject(known_from(tried), rule)
    assert [found[name].possible_errors for name in (RULE, "roberta", "deberta")] == possible
    resolved = by_subject(known_from(tried, story.resolved(tried, CORRECT, claimed)), rule)
    assert {share.possible_errors for share in resolved.values()} == {0}


def test_an_import_without_claims_has_errors_under_majority(new_story: NewStory) -> None:
    story = new_story()
    tried = story.tried("", ["positive", "negative"], None, example_pb2.VERDICT_UNKNOWN)
    resolved = story.resolved(tried, validation_pb2.RESOLUTION_NO_CLAIM, "negative")
    found = by_subject(known_from(tried, resolved), MAJORITY)
    assert [found[name].apart_errors for name in (RULE, "roberta", "deberta")] == [1, 1, 0]


def test_pending_are_the_fooling_tries_or_all_by_policy(new_story: NewStory) -> None:
    story = new_story()
    fooling = known_from(story.tried("negative", ["positive", "negative"], story.new_id()))
    examples = known_from(story.tried("negative", ["negative", "negative"], story.new_id()))
    everything = replace(DEFAULT_RULE, validates_all=True)
    assert [by_subject(example)[RULE].pending for example in (fooling, examples)] == [1, 0]
    assert [by_subject(example, everything)[RULE].pending for example in (fooling, examples)] == [1, 1]


def test_nothing_is_counted_before_the_try_is_known(new_story: NewStory) -> None:
    story = new_story()
    tried = story.tried("negative", ["positive", "negative"], story.new_id())
    assert by_subject(known_from(story.resolved(tried, CORRECT, "negative"), story.retracted(tried))) == {}


def test_an_adjudication_replaces_the_resolution_in_either_order(new_story: NewStory) -> None:
    story = new_story()
    tried = story.tried("negative", ["positive", "negative"], story.new_id())
    disputed = story.resolved(tried, validation_pb2.RESOLUTION_DISPUTED, version=4)
    adjudicated = story.resolved(tried, CORRECT, "negative", version=5)
    first = by_subject(known_from(tried, disputed, adjudicated))
    assert first == by_subject(known_from(tried, adjudicated, disputed))
    assert first[RULE].errors == 1


def test_every_try_stands_in_one_place(new_story: NewStory) -> None:
    story = new_story()
    grouped: dict[object, list[Event]] = {}
    for event in story.round_of_tries(200):
        grouped.setdefault(event.aggregate_id, []).append(event)
    for events in grouped.values():
        if any(isinstance(decode(event.message), ExampleCreated) for event in events):
            for _, share in counted(known_from(*events), DEFAULT_RULE).shares:
                placed = share.fooled + share.not_fooled + share.retracted
                assert placed + share.undecided + share.unknown + share.no_target == share.tries == 1


@settings(max_examples=40, deadline=None)
@given(order=st.randoms(use_true_random=False), size=st.integers(1, 40), seed=st.integers(0, 5))
def test_moved_sums_equal_a_recount(new_story: NewStory, order: Random, size: int, seed: int) -> None:
    """Differences add up to a recount, in every order of events and with every size of batches."""
    events = [event for event in new_story(seed).round_of_tries(25) if event.topic != "dynabench.task.v1"]
    order.shuffle(events)
    examples: dict[object, Example] = {}
    votes: dict[UUID, Vote] = {}
    sums: Counter[tuple[TallyKey, str]] = Counter()
    for start in range(0, len(events), size):
        changes: Changes[Counted, TallyKey, Tally] = Changes(tally_shares, Tally._make)
        for event in events[start : start + size]:
            before = examples.get(event.aggregate_id, Example(event.aggregate_id))
            examples[event.aggregate_id] = _with_event(before, event, votes)
            after = examples[event.aggregate_id]
            changes.replace(counted(before, DEFAULT_RULE), counted(after, DEFAULT_RULE))
        for key, change in changes.items():
            for name, number in zip(Tally._fields, change, strict=True):
                sums[key, name] += number
    recount: Counter[tuple[TallyKey, str]] = Counter()
    for example in examples.values():
        for key, share in counted(example, DEFAULT_RULE).shares:
            for name, number in zip(Tally._fields, share, strict=True):
                recount[key, name] += number
    assert +sums == +recount


def test_history_puts_an_error_at_its_resolution(new_story: NewStory) -> None:
    story = new_story()
    tried = story.tried("negative", ["positive", "negative"], story.new_id())
    for _ in range(30):
        resolved = story.resolved(tried, CORRECT, "negative")
    shares = list(history_shares(counted(known_from(tried, resolved), DEFAULT_RULE)))
    at_try, at_resolution = (share for share in shares if share[0].pace == 10)
    assert at_try[1] == HistoryCounts(decided=1, fooled=1)
    assert at_resolution[1] == HistoryCounts(errors=1)
    assert at_try[0].bucket_start < at_resolution[0].bucket_start


@pytest.mark.parametrize("rule", [DEFAULT_RULE, MAJORITY], ids=["author_confirmed", "majority"])
def test_a_duplicate_is_a_try_that_fooled_nobody_until_an_owner_lets_it_count(
    new_story: NewStory, rule: CountingRule
) -> None:
    story = new_story()
    tried = story.tried("negative", ["positive", "negative"], story.new_id())
    resolved = story.resolved(tried, CORRECT, "negative")
    counts_as_any = by_subject(known_from(tried, resolved), rule)
    json_format.ParseDict({"duplicate_of": str(story.new_id())}, tried.message)
    overruled = story.overruled(tried)
    found = by_subject(known_from(resolved, tried), rule)
    assert (found[RULE].tries, found[RULE].decided, found[RULE].fooled, found[RULE].errors) == (1, 1, 0, 0)
    assert (found["roberta"].fooled, found["roberta"].errors, found["roberta"].not_fooled) == (0, 0, 1)
    assert by_subject(known_from(tried, resolved, overruled), rule) == counts_as_any
    assert by_subject(known_from(overruled, resolved, tried), rule) == counts_as_any
    assert (counts_as_any[RULE].fooled, counts_as_any[RULE].errors) == (1, 1)


def test_the_authors_word_on_a_duplicate_counts_as_no_fooling(new_story: NewStory) -> None:
    story = new_story()
    tried = story.asked(["positive", "negative"], story.new_id())
    decided = story.decided_by_author(tried, ["roberta"])
    json_format.ParseDict({"duplicate_of": str(story.new_id())}, decided.message)
    found = by_subject(known_from(tried, decided))
    assert (found[RULE].decided, found[RULE].fooled, found["roberta"].fooled) == (1, 0, 0)
    assert by_subject(known_from(decided, story.overruled(tried, 3), tried))[RULE].fooled == 1


def test_a_target_that_was_not_asked_has_no_try_and_is_counted_apart(new_story: NewStory) -> None:
    story = new_story()
    verdict = example_pb2.VERDICT_NOT_FOOLED
    tried = story.tried("negative", ["negative", ""], story.new_id(), verdict)
    given = tried.message.answers[1]  # type: ignore[attr-defined]
    given.missing_reason, given.not_asked = "not asked", True
    example = known_from(tried)
    found = by_subject(example)
    assert found["deberta"] == Tally(not_asked=1)
    assert (found["roberta"].tries, found["roberta"].not_asked) == (1, 0)
    assert (found[RULE].tries, found[RULE].not_fooled, found[RULE].not_asked) == (1, 1, 0)
    ((pattern, counts),) = pattern_shares(counted(example, DEFAULT_RULE))
    assert (pattern.answered, counts) == ('["roberta"]', PatternCounts(1, 0, 1))
    effort = context_try(example)
    assert effort is not None
    assert effort.fooled == {RULE: False, "roberta": False}


def test_what_was_not_asked_is_no_error_of_the_rule_under_majority_gold(new_story: NewStory) -> None:
    story = new_story()
    tried = story.tried("negative", ["negative", ""], story.new_id(), example_pb2.VERDICT_NOT_FOOLED)
    given = tried.message.answers[1]  # type: ignore[attr-defined]
    given.missing_reason, given.not_asked = "not asked", True
    every = counting_rule(
        {
            "context": CONTEXT,
            "input": [LABEL],
            "output": [LABEL],
            "ensemble": "all",
            "validation": {"gold": "majority"},
        }
    )
    found = by_subject(known_from(tried, story.resolved(tried, CORRECT, "positive")), every)
    assert (found[RULE].errors, found["roberta"].errors, found["deberta"].errors) == (0, 1, 0)
