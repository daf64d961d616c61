"""Votes and going back, owners' decisions, the quality of votes, and agreement."""

from collections.abc import Callable
from typing import Any

import pytest
from dynabench_client import Dynabench, ProblemError

from services.client.tests.client_answers import LEASE, RATE, VOTE
from services.client.tests.client_owner_answers import page
from services.client.tests.client_rows import Row, addresses, check
from services.client.tests.conftest import StubPlatform, Told

NOON = "2026-11-21T12:00:00Z"
MEASURE = {"value": 0.61, "n": 2356, "reason": None}
APPEAL = {"reason": "It is ironic.", "at": NOON, "answer": None}
RESOLUTION = {
    "resolution": "correct",
    "agreed_option": "negative",
    "golds": ["negative"],
    "votes_counted": 2,
    "pending": False,
    "retracted": False,
    "resolved_at": NOON,
}
CAST: dict[str, Any] = {
    "vote_id": "v1",
    "voter_id": None,
    "kind": "label",
    "option": "negative",
    "reason": "",
    "metadata": {},
    "counted": False,
    "set_aside": True,
    "seconds": 3.5,
    "cast_at": NOON,
    "agrees": False,
    "corrected": "neutral",
    "explanation": "It only tells.",
    "judged_at": NOON,
}
RECENT = {
    "vote_id": "v1",
    "example": LEASE["example"],
    "options": LEASE["options"],
    "kind": "label",
    "value": "negative",
    "reason": "",
    "metadata": {},
    "counted": True,
    "resolution": "correct",
    "reveal": {"claimed": "negative", "explanation": None},
    "agrees": True,
    "corrected": None,
    "explanation": None,
    "cast_at": NOON,
    "undo_until": NOON,
    "can_change": True,
}
WORK = {
    "example_id": "e1",
    "context": {"prompt": "A prompt"},
    "input": {"text": "A text"},
    "claimed": "negative",
    "resolution": "disputed",
    "kinds": ["disputed", "low_posterior"],
    "votes": [{"option": "negative", "count": 1}, {"option": "neutral", "count": 2}],
    "posterior": {"label": "neutral", "p": 0.55},
    "appealed_at": None,
    "oldest_at": NOON,
}
COUNTS = {
    "disputed": 1,
    "flagged": 2,
    "appealed": 3,
    "low_posterior": 4,
    "pending": 5,
    "oldest_pending_at": NOON,
    "leases_out": 6,
}
VALIDATOR = {
    "voter_id": "p2",
    "votes": 50,
    "agreement": RATE,
    "gold": RATE,
    "failures": 2,
    "seconds_median": 6.5,
    "state": "warned",
    "appeal": APPEAL,
}
GOLD: dict[str, Any] = {
    "gold_id": "g1",
    "kind": "attention",
    "context": {"prompt": "A prompt"},
    "input": {"text": "Choose neutral."},
    "claimed": "neutral",
    "answers": ["neutral"],
}
AGREEMENT = {
    "examples": 3600,
    "votes": 18000,
    "voters": 700,
    "options": ["mixed", "negative", "neutral", "positive"],
    "basis": "all_votes",
    "raw": MEASURE,
    "fleiss_kappa": MEASURE,
    "krippendorff_alpha": MEASURE,
    "gwet_ac1": {"value": None, "n": 0, "reason": "undefined: one option used"},
    "vote_histogram": {"3": 600, "4": 800, "5": 2200},
    "votes_equal_gold": 15644,
    "gold": {"negative": 1200},
}
SUGGESTION = {
    "policy": {"name": "fixed", "votes": 5},
    "expected_votes": 5.0,
    "resolution_error": 0.03,
    "disputed": 0.1,
}
ROWS: list[Row] = [
    (
        lambda c: c.validation.lease("r1", {"verdict": "fooled", "tag": "irony"}),
        "POST /validation/v1/rounds/r1/leases",
        {**LEASE, "can_go_back": True},
        {"filter": {"verdict": "fooled", "tag": "irony"}},
        lambda made: made.can_go_back,
    ),
    (
        lambda c: c.validation.lease("r1"),
        "POST /validation/v1/rounds/r1/leases",
        {"lease_id": None, "state": "only_own", "reason": "Yours wait.", "retry_after_seconds": 60},
        {},
        lambda made: (made.example, made.state, made.retry_after_seconds) == (None, "only_own", 60),
    ),
    (
        lambda c: c.validation.renew("l1"),
        "PUT /validation/v1/leases/l1",
        {"lease_id": "l1", "expires_at": NOON},
        {},
        lambda made: made.expires_at.hour == 12,
    ),
    (
        lambda c: c.validation.vote("l1", "label", value="negative"),
        "POST /validation/v1/leases/l1/votes",
        {**VOTE, "undo_until": NOON, "notice": {"kind": "warned", "text": "Read again."}},
        {"kind": "label", "value": "negative"},
        lambda made: (made.undo_until.hour, made.notice.kind) == (12, "warned"),
    ),
    (
        lambda c: c.validation.undo("v1"),
        "DELETE /validation/v1/votes/v1",
        LEASE,
        None,
        lambda made: (made.lease_id, made.example.example_id) == ("l1", "e1"),
    ),
    (
        lambda c: c.validation.my_recent_votes("r1", 3),
        "GET /validation/v1/rounds/r1/me/votes?limit=3",
        {"items": [RECENT]},
        None,
        lambda made: (
            (made[0].can_change, made[0].explanation, made[0].corrected, made[0].options)
            == (True, None, None, tuple(LEASE["options"]))
        ),
    ),
    (
        lambda c: c.validation.change_vote("v1", "flag", reason="It is spam."),
        "PUT /validation/v1/votes/v1",
        VOTE,
        {"kind": "flag", "reason": "It is spam."},
        lambda made: made.vote_id == "v1",
    ),
    (
        lambda c: c.validation.judge("v1", False, "neutral", "It only tells."),
        "PUT /validation/v1/votes/v1/judgement",
        {key: CAST[key] for key in ("vote_id", "agrees", "corrected", "explanation", "judged_at")},
        {"agrees": False, "corrected": "neutral", "explanation": "It only tells."},
        lambda made: (made.agrees, made.corrected) == (False, "neutral"),
    ),
    (
        lambda c: c.validation.judge("v1", explanation="It only tells."),
        "PUT /validation/v1/votes/v1/judgement",
        {"vote_id": "v1", "agrees": None, "explanation": "It only tells."},
        {"explanation": "It only tells."},
        lambda made: made.agrees is None,
    ),
    (
        lambda c: c.validation.counts("r1"),
        "GET /validation/v1/rounds/r1/counts",
        {"examples": 9, "pending_fooling": 2, "leases_out": 4},
        None,
        lambda made: (made.pending_fooling, made.leases_out) == (2, 4),
    ),
    (
        lambda c: c.validation.my_votes("r1"),
        "GET /validation/v1/rounds/r1/me",
        {
            "votes": 9,
            "agreement": 0.9,
            "agreement_low": 0.8,
            "agreement_high": 0.95,
            "gold": RATE,
            "state": "paused",
            "pause": {"reason": "Too fast.", "appeal": APPEAL},
        },
        None,
        lambda made: (
            (made.agreement_low, made.gold.value, made.state, made.pause.appeal.reason)
            == (0.8, 0.4, "paused", "It is ironic.")
        ),
    ),
    (
        lambda c: c.validation.votes("e1"),
        "GET /validation/v1/examples/e1/votes",
        {
            **RESOLUTION,
            "items": [CAST],
            "appeal": APPEAL,
            "adjudication": {"resolution": "correct", "reason": "Irony.", "at": NOON},
        },
        None,
        lambda made: (
            made.items[0].voter_id is None
            and made.items[0].set_aside
            and made.adjudication.reason == "Irony."
        ),
    ),
    (
        lambda c: c.validation.adjudicate("e1", "label", "It is ironic.", value="negative"),
        "PUT /validation/v1/examples/e1/adjudication",
        RESOLUTION,
        {"kind": "label", "value": "negative", "reason": "It is ironic."},
        lambda made: made.resolution == "correct",
    ),
    (
        lambda c: c.validation.reverse_adjudication("e1"),
        "DELETE /validation/v1/examples/e1/adjudication",
        {**RESOLUTION, "resolution": None, "pending": True},
        None,
        lambda made: made.pending,
    ),
    (
        lambda c: c.validation.appeal("e1", "It is ironic."),
        "POST /validation/v1/examples/e1/appeal",
        APPEAL,
        {"reason": "It is ironic."},
        lambda made: (made.reason, made.answer) == ("It is ironic.", None),
    ),
    (
        lambda c: c.validation.work("r1", kind="disputed", agreed="neutral", disagreement="author", limit=5),
        "GET /validation/v1/rounds/r1/work?kind=disputed&agreed=neutral&disagreement=author&limit=5",
        page(WORK),
        None,
        lambda made: made.items[0].votes[1].count == 2 and made.items[0].posterior.p == 0.55,
    ),
    (
        lambda c: c.validation.work_counts("r1"),
        "GET /validation/v1/rounds/r1/work/counts",
        COUNTS,
        None,
        lambda made: (made.low_posterior, made.leases_out) == (4, 6),
    ),
    (
        lambda c: c.validation.work_counts_of(["r1", "r2"]),
        "GET /validation/v1/work-counts?round_id=r1&round_id=r2",
        {"items": [{**COUNTS, "round_id": "r2"}]},
        None,
        lambda made: [(each.round_id, each.pending) for each in made] == [("r2", 5)],
    ),
    (
        lambda c: c.validation.work_counts("r1"),
        "GET /validation/v1/rounds/r1/work/counts",
        {**COUNTS, "pause_appeals": 2},
        None,
        lambda made: made.pause_appeals == 2,
    ),
    (
        lambda c: c.validation.requeue("r1", ["e1", "e2"], "The options changed."),
        "POST /validation/v1/rounds/r1/requeue",
        {"requeued": 2},
        {"example_ids": ["e1", "e2"], "reason": "The options changed."},
        lambda made: made.requeued == 2,
    ),
    (
        lambda c: c.validation.validators("qa", cursor="x"),
        "GET /validation/v1/tasks/qa/validators?cursor=x",
        page(VALIDATOR),
        None,
        lambda made: made.items[0].appeal.reason == "It is ironic.",
    ),
    (
        lambda c: c.validation.set_validator("qa", "p2", "paused", "They vote too fast."),
        "PUT /validation/v1/tasks/qa/validators/p2",
        {**VALIDATOR, "state": "paused"},
        {"state": "paused", "reason": "They vote too fast."},
        lambda made: made.state == "paused",
    ),
    (
        lambda c: c.validation.appeal_pause("r1", "I was tired."),
        "POST /validation/v1/rounds/r1/me/pause-appeal",
        {"state": "paused", "appeal": {"reason": "I was tired.", "at": NOON}},
        {"reason": "I was tired."},
        lambda made: (made.state, made.appeal.at.hour) == ("paused", 12),
    ),
    (
        lambda c: c.validation.gold("qa"),
        "GET /validation/v1/tasks/qa/gold",
        page(GOLD),
        None,
        lambda made: made.items[0].answers == ("neutral",),
    ),
    (
        lambda c: c.validation.add_gold("qa", GOLD["context"], GOLD["input"], "neutral"),
        "POST /validation/v1/tasks/qa/gold",
        GOLD,
        {"kind": "attention", "context": GOLD["context"], "input": GOLD["input"], "answer": "neutral"},
        lambda made: made.gold_id == "g1",
    ),
    (
        lambda c: c.validation.refresh_gold("r1"),
        "POST /validation/v1/rounds/r1/gold/refresh",
        {"added": 4, "retired": 1, "in_use": 30},
        {},
        lambda made: (made.added, made.retired, made.in_use) == (4, 1, 30),
    ),
    (
        lambda c: c.validation.retire_gold("g1"),
        "DELETE /validation/v1/gold/g1",
        None,
        None,
        lambda made: made is None,
    ),
    (
        lambda c: c.validation.agreement("r1", by="week"),
        "GET /validation/v1/rounds/r1/agreement?by=week",
        {**AGREEMENT, "round_id": "r1", "groups": [{**AGREEMENT, "name": "2026-47"}]},
        None,
        lambda made: (
            made.votes_equal_gold == 15644
            and made.groups[0].name == "2026-47"
            and made.gwet_ac1.reason == "undefined: one option used"
        ),
    ),
    (
        lambda c: c.validation.human_estimate("r1"),
        "GET /validation/v1/rounds/r1/human-estimate",
        {"agreement": RATE, "n_votes": 100, "n_examples": 20, "reason": None},
        None,
        lambda made: made.agreement.low == 0.373,
    ),
    (
        lambda c: c.validation.validator_pairs("r1"),
        "GET /validation/v1/rounds/r1/validators/pairs",
        {
            "items": [
                {"a": "p1", "b": "p2", "examples": 40, "agreed": 40, "expected": 20.5, "p_adjusted": 0.01}
            ],
            "one_author": [
                {
                    "voter_id": "p3",
                    "author_id": "p4",
                    "confirmed": 6,
                    "of_author": 6,
                    "expected": 0.7,
                    "p_adjusted": 0.02,
                }
            ],
        },
        None,
        lambda made: (made.items[0].expected, made.one_author[0].p_adjusted) == (20.5, 0.02),
    ),
    (
        lambda c: c.validation.votes_advice("r1"),
        "GET /validation/v1/rounds/r1/votes-advice",
        {
            "current": {"name": "adaptive", "agree": 2},
            "validator_error": RATE,
            "resolution_error_now": 0.08,
            "expected_votes_now": 2.4,
            "disputed_now": 0.1,
            "suggestions": [SUGGESTION],
            "reason": None,
            "computed_at": NOON,
        },
        None,
        lambda made: made.suggestions[0].policy["votes"] == 5,
    ),
]


@pytest.mark.parametrize("row", ROWS, ids=addresses(ROWS))
def test_a_method_sends_its_request_and_reads_its_answer(stub: StubPlatform, row: Row) -> None:
    check(stub, row)


def test_an_undo_that_comes_too_late_says_so(stub: StubPlatform, tell_problem: Callable[..., Told]) -> None:
    stub.tell("DELETE", "/validation/v1/votes/v1", tell_problem(409, "undo-too-late"))
    with pytest.raises(ProblemError) as caught:
        Dynabench(stub.url).validation.undo("v1")
    assert caught.value.slug == "undo-too-late"
