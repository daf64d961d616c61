"""Votes that make a try a validated error."""

from datetime import UTC, datetime
from uuid import UUID

import pytest
from dynabench_events.example import ExampleRetracted
from dynabench_events.validation import ExampleResolved, ResolutionWithdrawn
from dynabench_tasks.fields.multiclass import MulticlassField
from dynabench_tasks.resolution import Resolution
from dynabench_tasks.validated_error import ErrorRule, GoldPolicy
from dynabench_tasks.verdict import Ensemble, Verdict
from dynabench_tasks.wrong_when.exact_match import ExactMatch
from leaderboard.domain.counting_rule import CountingRule
from leaderboard.domain.facts import Example, NewestResolution, StoredAnswer, Try
from leaderboard.domain.validated_error import is_rule_error, is_target_error

NOW = datetime(2026, 3, 2, tzinfo=UTC)
OF = {"example_id": UUID(int=4), "round_id": UUID(int=1)}
LABELS = {"neg", "neu", "pos"}
ANY, ALL = Ensemble(1), Ensemble(None)


def resolved_example(
    claimed: str, answered: list[str], ensemble: Ensemble, outcome: Resolution, agreed: str
) -> Example:
    answers = tuple(
        StoredAnswer(f"target {number}", label, bool(claimed) and bool(label) and label != claimed, not label)
        for number, label in enumerate(answered)
    )
    fooled = ensemble.is_fooled(sum(answer.wrong for answer in answers), len(answers))
    verdict = Verdict.UNKNOWN if not claimed else Verdict.FOOLED if fooled else Verdict.NOT_FOOLED
    attempt = Try(1, UUID(int=1), UUID(int=2), 1, None, UUID(int=3), verdict, answers, NOW)
    resolution = NewestResolution(3, outcome, (agreed,) if agreed in LABELS else (), NOW)
    return Example(UUID(int=4), attempt, resolved=resolution, votes=2)


def rule(gold: GoldPolicy = GoldPolicy.AUTHOR_CONFIRMED, ensemble: Ensemble = ANY) -> CountingRule:
    label = MulticlassField("label", "label", tuple(sorted(LABELS)))
    return CountingRule(ErrorRule(gold, ensemble, ExactMatch(("label",)), label))


def errors(example: Example, rule: CountingRule) -> tuple[list[bool], bool]:
    assert example.attempt is not None
    targets = [is_target_error(example, answer, rule) for answer in example.attempt.answers]
    return targets, is_rule_error(example, example.attempt, rule)


C, X, F, D, N = (
    Resolution.CORRECT,
    Resolution.INCORRECT,
    Resolution.FLAGGED,
    Resolution.DISPUTED,
    Resolution.NO_CLAIM,
)
NONE, ERROR = ([False], False), ([True], True)
FIRST_AND_RULE, FIRST_ONLY = ([True, False], True), ([True, False], False)


@pytest.mark.parametrize(
    ("claimed", "answered", "ensemble", "outcome", "agreed", "author_confirmed", "majority"),
    [
        pytest.param("neg", ["pos"], ANY, C, "neg", ERROR, ERROR, id="votes confirm the claim"),
        pytest.param("neg", ["pos"], ANY, X, "pos", NONE, NONE, id="votes side with the target"),
        pytest.param("neg", ["pos"], ANY, X, "neu", NONE, ERROR, id="votes agree on a third label"),
        pytest.param("pos", ["pos"], ANY, X, "neg", NONE, ERROR, id="target agreed with a wrong claim"),
        pytest.param("pos", ["pos"], ANY, C, "pos", NONE, NONE, id="target, claim and votes agree"),
        pytest.param("neg", ["pos"], ANY, C, "neg", ERROR, ERROR, id="two of three confirm"),
        pytest.param("neg", ["pos"], ANY, D, "", NONE, NONE, id="no two agree"),
        pytest.param("neg", ["pos"], ANY, X, "mixed", NONE, NONE, id="the agreed option is no task label"),
        pytest.param("neg", ["pos"], ANY, F, "flag", NONE, NONE, id="flagged"),
        pytest.param("", ["pos"], ANY, N, "neg", NONE, ERROR, id="imported without a claim"),
        pytest.param("neg", ["pos", "neg"], ANY, C, "neg", FIRST_AND_RULE, FIRST_AND_RULE, id="any of two"),
        pytest.param("neg", ["pos", "neg"], ALL, C, "neg", FIRST_ONLY, FIRST_ONLY, id="all of two"),
        pytest.param(
            "neg", ["pos", ""], ANY, C, "neg", FIRST_AND_RULE, FIRST_AND_RULE, id="one answer missing"
        ),
        pytest.param("neg", [], ANY, C, "neg", ([], False), ([], False), id="no targets"),
    ],
)
def test_truth_table(
    claimed: str,
    answered: list[str],
    ensemble: Ensemble,
    outcome: Resolution,
    agreed: str,
    author_confirmed: tuple[list[bool], bool],
    majority: tuple[list[bool], bool],
) -> None:
    example = resolved_example(claimed, answered, ensemble, outcome, agreed)
    assert errors(example, rule(GoldPolicy.AUTHOR_CONFIRMED, ensemble)) == author_confirmed
    assert errors(example, rule(GoldPolicy.MAJORITY, ensemble)) == majority


@pytest.mark.parametrize("gold", GoldPolicy)
def test_a_retracted_example_is_no_error(gold: GoldPolicy) -> None:
    example = resolved_example("neg", ["pos"], ANY, C, "neg")
    example = example.with_event(2, ExampleRetracted(**OF, retracted_at=NOW))
    assert errors(example, rule(gold)) == NONE


@pytest.mark.parametrize("gold", GoldPolicy)
def test_an_unresolved_example_is_no_error(gold: GoldPolicy) -> None:
    resolved = resolved_example("neg", ["pos"], ANY, C, "neg")
    assert errors(Example(resolved.example_id, resolved.attempt), rule(gold)) == NONE


def test_a_withdrawn_resolution_is_no_error_until_a_newer_one_stands() -> None:
    example = resolved_example("neg", ["pos"], ANY, C, "neg")
    example = example.with_event(4, ResolutionWithdrawn(**OF, withdrawn_at=NOW))
    assert errors(example, rule()) == NONE
    again = ExampleResolved(
        **OF,
        resolution=C,
        agreed_option="neg",
        agreed_is_task_label=True,
        votes_counted=2,
        golds=("neg",),
        resolved_at=NOW,
    )
    assert errors(example.with_event(5, again), rule()) == ([True], True)
