"""The rules by which votes decide an example."""

import pytest
from dynabench_tasks.fields.multiclass import MulticlassField
from dynabench_tasks.resolution import (
    UNSURE_LIMIT,
    Adaptive,
    Decision,
    Fixed,
    Policy,
    Resolution,
    standing,
)
from dynabench_tasks.resolution import decide as decide_with
from dynabench_tasks.resolution import resolve as resolve_with
from dynabench_tasks.vote_question import VoteQuestion, blind, judging
from dynabench_tasks.votes import VoteAnswer, VoteKind
from hypothesis import given
from hypothesis import strategies as st

FLAG = VoteAnswer(VoteKind.FLAG)
UNSURE = VoteAnswer(VoteKind.UNSURE)
TWO_OF_THREE = Adaptive(agree=2, max_votes=3)
THREE_OF_FIVE = Fixed(votes=5, agree=3)
OPTIONS = ("negative", "neutral", "positive", "mixed")
LABEL = MulticlassField("label", "label", OPTIONS[:3])
BLIND = blind(LABEL, OPTIONS)


def decide(policy: Policy, answers: list[VoteAnswer]) -> Decision | None:
    return decide_with(policy, answers, BLIND.camps)


def labels(text: str) -> list[VoteAnswer]:
    """Turn "neg flag ?" into answers."""
    special = {"flag": FLAG, "?": UNSURE}
    return [special.get(word, VoteAnswer(VoteKind.LABEL, word)) for word in text.split()]


def judgements(text: str) -> list[VoteAnswer]:
    return [FLAG if word == "flag" else VoteAnswer(VoteKind.JUDGEMENT, word) for word in text.split()]


def resolution_of(
    policy: Policy, answers: list[VoteAnswer], claimed: str, question: VoteQuestion = BLIND
) -> Resolution | None:
    decision = decide_with(policy, answers, question.camps)
    return None if decision is None else resolve_with(decision.agreed, claimed, question.confirms)


@pytest.mark.parametrize(
    ("policy", "claimed", "votes", "expected"),
    [
        # Two validators confirm the author.
        (TWO_OF_THREE, "neg", "neg neg", Resolution.CORRECT),
        # Two validators agree with the model that the author meant to fool.
        (TWO_OF_THREE, "neg", "pos pos", Resolution.INCORRECT),
        # Two agree on a third label.
        (TWO_OF_THREE, "neg", "neu neu", Resolution.INCORRECT),
        # The author claimed the model's answer, and validators disagree.
        (TWO_OF_THREE, "pos", "neg neg", Resolution.INCORRECT),
        # Nobody disagrees with anybody.
        (TWO_OF_THREE, "pos", "pos pos", Resolution.CORRECT),
        # A third vote settles a split.
        (TWO_OF_THREE, "neg", "neg pos neg", Resolution.CORRECT),
        # Three different answers leave no way to agree.
        (TWO_OF_THREE, "neg", "neg pos neu", Resolution.DISPUTED),
        # An option that is no task label can win.
        (THREE_OF_FIVE, "neg", "mixed neg mixed pos mixed", Resolution.INCORRECT),
        # Two flags agree like two labels.
        (TWO_OF_THREE, "neg", "flag flag", Resolution.FLAGGED),
        # Without a claim there is an agreed label, but nothing to confirm.
        (THREE_OF_FIVE, "", "neg neg pos neg neu", Resolution.NO_CLAIM),
        # A flag needs no claim.
        (TWO_OF_THREE, "", "flag flag", Resolution.FLAGGED),
        # A flag is one option among others and wins no tie.
        (TWO_OF_THREE, "neg", "flag neg neg", Resolution.CORRECT),
        (TWO_OF_THREE, "neg", "flag neg pos", Resolution.DISPUTED),
        # Fixed asks everybody, and too small a lead is a dispute.
        (THREE_OF_FIVE, "neg", "neg neg pos pos neu", Resolution.DISPUTED),
        (Fixed(votes=4, agree=2), "neg", "neg neg pos pos", Resolution.DISPUTED),
        (THREE_OF_FIVE, "neg", "neg neg neg", None),
        # One vote decides nothing here.
        (TWO_OF_THREE, "neg", "neg", None),
        # `unsure` takes no slot, and the third one ends the voting.
        (TWO_OF_THREE, "neg", "? neg ? neg", Resolution.CORRECT),
        (TWO_OF_THREE, "neg", "? neg ? ?", Resolution.DISPUTED),
        (THREE_OF_FIVE, "neg", "? ?", None),
        # Five with three to agree stops as soon as three can't.
        (Adaptive(3, 5), "neg", "neg neg pos pos", None),
        (Adaptive(3, 5), "neg", "neg pos neu flag", Resolution.DISPUTED),
    ],
)
def test_label_votes(policy: Policy, claimed: str, votes: str, expected: Resolution | None) -> None:
    assert resolution_of(policy, labels(votes), claimed) == expected


@pytest.mark.parametrize(
    ("votes", "expected"),
    [
        # Three of five judge the author's label to be right.
        ("correct incorrect correct correct", Resolution.CORRECT),
        # Three judge it wrong.
        ("incorrect incorrect incorrect", Resolution.INCORRECT),
        ("flag flag flag", Resolution.FLAGGED),
        ("correct correct incorrect incorrect flag", Resolution.DISPUTED),
    ],
)
def test_judgements(votes: str, expected: Resolution) -> None:
    assert resolution_of(Adaptive(3, 5), judgements(votes), "neg", judging(LABEL)) == expected


def test_a_label_called_correct_is_no_judgement() -> None:
    agreed = [VoteAnswer(VoteKind.LABEL, "correct")]
    assert resolve_with(agreed, "incorrect", BLIND.confirms) is Resolution.INCORRECT


votes_of_any_kind = st.lists(
    st.sampled_from([FLAG, *(VoteAnswer(VoteKind.LABEL, option) for option in OPTIONS)]), max_size=12
)
answers_of_any_kind = st.lists(
    st.sampled_from([FLAG, UNSURE, *(VoteAnswer(VoteKind.LABEL, option) for option in OPTIONS)]), max_size=15
)


@st.composite
def policies(draw: st.DrawFn) -> Policy:
    votes = draw(st.integers(1, 7))
    agree = draw(st.integers(1, votes))
    return Adaptive(agree, votes) if draw(st.booleans()) else Fixed(votes, agree)


def most_votes(policy: Policy) -> int:
    return policy.max_votes if isinstance(policy, Adaptive) else policy.votes


@given(policies(), answers_of_any_kind, answers_of_any_kind)
def test_a_decision_never_changes(policy: Policy, answers: list[VoteAnswer], later: list[VoteAnswer]) -> None:
    decision = decide(policy, answers)
    if decision is not None:
        assert decide(policy, answers + later) == decision


@given(policies(), answers_of_any_kind)
def test_votes_never_overshoot(policy: Policy, answers: list[VoteAnswer]) -> None:
    decision = decide(policy, answers)
    if decision is not None:
        assert decision.votes_counted <= most_votes(policy)
    else:
        assert standing(answers, BLIND.camps).total < most_votes(policy)
        assert answers.count(UNSURE) < UNSURE_LIMIT


@given(st.data(), st.integers(1, 6), votes_of_any_kind)
def test_the_order_of_a_fixed_number_of_votes_does_not_matter(
    data: st.DataObject, agree: int, votes: list[VoteAnswer]
) -> None:
    policy = Fixed(votes=max(agree, len(votes)), agree=agree)
    shuffled = data.draw(st.permutations(votes))
    assert decide(policy, shuffled) == decide(policy, votes)


@given(policies(), votes_of_any_kind)
def test_certain_slots_are_needed_whatever_people_say(policy: Policy, votes: list[VoteAnswer]) -> None:
    if decide(policy, votes) is not None:
        return
    counts = standing(votes, BLIND.camps)
    certain, possible = policy.certain_votes(counts), policy.possible_votes(counts)
    assert 1 <= certain <= possible
    fewer = certain - 1
    for option in [FLAG, *(VoteAnswer(VoteKind.LABEL, option) for option in OPTIONS)]:
        assert decide(policy, votes + [option] * fewer) is None
    different = [VoteAnswer(VoteKind.LABEL, f"new {number}") for number in range(fewer)]
    assert decide(policy, votes + different) is None


@given(policies(), votes_of_any_kind)
def test_possible_slots_always_suffice(policy: Policy, votes: list[VoteAnswer]) -> None:
    if decide(policy, votes) is not None:
        return
    possible = policy.possible_votes(standing(votes, BLIND.camps))
    different = [VoteAnswer(VoteKind.LABEL, f"new {number}") for number in range(possible)]
    assert decide(policy, votes + different) is not None


@pytest.mark.parametrize(
    ("policy", "votes", "certain", "possible"),
    [
        (TWO_OF_THREE, "", 2, 3),
        (TWO_OF_THREE, "neg", 1, 2),
        (TWO_OF_THREE, "neg pos", 1, 1),
        (Adaptive(3, 5), "", 3, 5),
        (Adaptive(3, 5), "neg pos neu", 1, 2),
        (THREE_OF_FIVE, "neg neg neg", 2, 2),
    ],
)
def test_slots(policy: Policy, votes: str, certain: int, possible: int) -> None:
    counts = standing(labels(votes), BLIND.camps)
    assert (policy.certain_votes(counts), policy.possible_votes(counts)) == (certain, possible)
