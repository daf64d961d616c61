"""Agreement of marked spans, the winning spans, and their effect on the claim."""

from collections.abc import Sequence

import pytest
from dynabench_tasks.fields.span import SpanField
from dynabench_tasks.resolution import (
    Adaptive,
    Decision,
    Fixed,
    Policy,
    Resolution,
    decide,
    resolve,
    standing,
)
from dynabench_tasks.span_agreement import agrees_with_any, largest_agreeing_set, texts_agree
from dynabench_tasks.values import to_text
from dynabench_tasks.vote_question import blind
from dynabench_tasks.votes import VoteAnswer, VoteKind
from hypothesis import given
from hypothesis import strategies as st

MARKED = blind(SpanField("answer", "answer", "passage"))
FLAG = VoteAnswer(VoteKind.FLAG)
TWO_OF_THREE = Adaptive(agree=2, max_votes=3)
THREE_OF_FIVE = Fixed(votes=5, agree=3)

LONG = "one two three four five"
LONG_AND_ONE = "one two three four five six"
LONG_LESS_ONE = "one two three four"
SHORT = "one two three"
OTHER = "lighthouse"


def span(text: str, start: int = 0) -> str:
    return to_text({"start": start, "end": start + len(text), "text": text})


def votes(texts: Sequence[str]) -> list[VoteAnswer]:
    return [FLAG if text == "flag" else VoteAnswer(VoteKind.LABEL, span(text)) for text in texts]


def resolution_of(policy: Policy, texts: Sequence[str], claimed: str) -> Resolution | None:
    decision = decide(policy, votes(texts), MARKED.camps)
    return None if decision is None else resolve(decision.agreed, claimed, MARKED.confirms)


@pytest.mark.parametrize(
    ("one", "other", "agree"),
    [
        # Articles, case and punctuation don't count.
        ("The Lighthouse.", "lighthouse", True),
        # 2 · 2 / (3 + 2) is exactly 0.8.
        ("one two three", "one two", True),
        # 2 · 4 / (6 + 4) is exactly 0.8, 2 · 3 / (5 + 3) just below it.
        (LONG_AND_ONE, LONG_LESS_ONE, True),
        (LONG, SHORT, False),
        # 7 of 9 shared tokens: 0.7778; 8 of 10: 0.8.
        ("a1 a2 a3 a4 a5 a6 a7 b8 b9", "a1 a2 a3 a4 a5 a6 a7 c8 c9", False),
        ("a1 a2 a3 a4 b5", "a1 a2 a3 a4 c5", True),
        # Order does not matter to a bag of tokens, repetition does.
        ("red house", "house red", True),
        ("no no no", "no", False),
        # An emoji is a token like another; a joined sequence is one token.
        ("🙂 sea", "sea 🙂", True),
        ("🙂", "🙃", False),
        ("👩‍🚀", "👩‍🚀", True),
        # Two spans of articles or punctuation alone say the same: nothing.
        ("the", ".", True),
        ("the", "sea", False),
    ],
)
def test_spans_agree_from_four_fifths(one: str, other: str, agree: bool) -> None:
    assert texts_agree(one, other) is agree
    assert texts_agree(other, one) is agree


@pytest.mark.parametrize(
    ("texts", "agreed"),
    [
        ([], []),
        ([OTHER], [OTHER]),
        # All three agree with one another.
        ([LONG, LONG_AND_ONE, LONG], [LONG, LONG_AND_ONE, LONG]),
        # The middle one agrees with both others, but those don't agree: the earliest pair of two wins.
        ([LONG_AND_ONE, LONG_LESS_ONE, SHORT], [LONG_AND_ONE, LONG_LESS_ONE]),
        ([SHORT, LONG_LESS_ONE, LONG_AND_ONE], [SHORT, LONG_LESS_ONE]),
        # A larger set wins though it began later.
        ([OTHER, LONG, SHORT, LONG_AND_ONE, LONG_LESS_ONE], [LONG, LONG_AND_ONE, LONG_LESS_ONE]),
        # Of two sets with the same first span, the one whose second is earlier.
        ([LONG_LESS_ONE, SHORT, OTHER, LONG_AND_ONE], [LONG_LESS_ONE, SHORT]),
        # Two pairs that have nothing in common.
        ([OTHER, SHORT, OTHER, SHORT], [OTHER, OTHER]),
        ([SHORT, OTHER, OTHER, SHORT], [SHORT, SHORT]),
    ],
)
def test_the_largest_set_of_spans_that_all_agree(texts: list[str], agreed: list[str]) -> None:
    assert [span(text) for text in agreed] == list(largest_agreeing_set([span(text) for text in texts]))


@pytest.mark.parametrize(
    ("policy", "claimed", "texts", "expected"),
    [
        # Two that agree confirm a claim that agrees with either.
        (TWO_OF_THREE, SHORT, [SHORT, SHORT], Resolution.CORRECT),
        (TWO_OF_THREE, LONG_AND_ONE, [SHORT, LONG_LESS_ONE], Resolution.CORRECT),
        (TWO_OF_THREE, LONG_AND_ONE, [SHORT, SHORT], Resolution.INCORRECT),
        # The same words elsewhere in the passage are the same answer.
        (TWO_OF_THREE, "the three", ["three", "three"], Resolution.CORRECT),
        # A third person settles a split, or leaves it.
        (TWO_OF_THREE, SHORT, [SHORT, OTHER], None),
        (TWO_OF_THREE, SHORT, [SHORT, OTHER, LONG_LESS_ONE], Resolution.CORRECT),
        (TWO_OF_THREE, SHORT, [SHORT, OTHER, "harbour"], Resolution.DISPUTED),
        # Flags are a camp of their own.
        (TWO_OF_THREE, SHORT, ["flag", SHORT, "flag"], Resolution.FLAGGED),
        (TWO_OF_THREE, SHORT, ["flag", SHORT, SHORT], Resolution.CORRECT),
        # Without a claim there are golds, and nothing to confirm.
        (TWO_OF_THREE, "", [SHORT, SHORT], Resolution.NO_CLAIM),
        # A fixed number is collected whole.
        (THREE_OF_FIVE, SHORT, [SHORT, SHORT, SHORT, SHORT], None),
        (THREE_OF_FIVE, SHORT, [SHORT, OTHER, SHORT, OTHER, LONG_LESS_ONE], Resolution.CORRECT),
        (THREE_OF_FIVE, SHORT, [SHORT, OTHER, SHORT, OTHER, "harbour"], Resolution.DISPUTED),
        # Between two sets of spans the earlier wins; between spans and flags nobody does.
        (Fixed(votes=4, agree=2), SHORT, [SHORT, OTHER, OTHER, SHORT], Resolution.CORRECT),
        (Fixed(votes=4, agree=2), SHORT, [OTHER, SHORT, SHORT, OTHER], Resolution.INCORRECT),
        (Fixed(votes=4, agree=2), SHORT, [SHORT, SHORT, "flag", "flag"], Resolution.DISPUTED),
    ],
)
def test_span_votes(policy: Policy, claimed: str, texts: list[str], expected: Resolution | None) -> None:
    assert resolution_of(policy, texts, span(claimed) if claimed else "") == expected


def test_the_agreed_spans_come_once_each_in_order() -> None:
    decision = decide(Fixed(votes=4, agree=3), votes([LONG, OTHER, LONG_AND_ONE, LONG]), MARKED.camps)
    assert decision == Decision(tuple(votes([LONG, LONG_AND_ONE])), 4)


def test_a_claim_agrees_with_any_gold() -> None:
    assert agrees_with_any(span(SHORT, 40), [span(OTHER), span(LONG_LESS_ONE)])
    assert not agrees_with_any(span(SHORT), [span(OTHER)])


TEXTS = [LONG, LONG_AND_ONE, LONG_LESS_ONE, SHORT, "one two", OTHER, "harbour", "flag"]
texts_of_any_kind = st.lists(st.sampled_from(TEXTS), max_size=9)


def agreeing_sets(texts: Sequence[str], size: int) -> set[frozenset[int]]:
    """Every set of so many positions whose texts all agree, by looking at all of them."""
    found: set[frozenset[int]] = {frozenset()}
    for _ in range(size):
        found = {
            one | {new}
            for one in found
            for new in range(len(texts))
            if new not in one and all(texts_agree(texts[new], texts[old]) for old in one)
        }
    return found


@given(texts_of_any_kind)
def test_no_agreeing_set_is_larger_and_none_of_its_size_is_earlier(texts: list[str]) -> None:
    marked = [text for text in texts if text != "flag"]
    spans = [span(text, start) for start, text in enumerate(marked)]
    chosen = tuple(spans.index(each) for each in largest_agreeing_set(spans))
    assert not agreeing_sets(marked, len(chosen) + 1)
    assert chosen == min(tuple(sorted(each)) for each in agreeing_sets(marked, len(chosen)))


@given(st.data(), st.integers(1, 5), texts_of_any_kind)
def test_order_matters_only_between_sets_of_one_size(
    data: st.DataObject, agree: int, texts: list[str]
) -> None:
    """Agreement never depends on the order of votes; the agreed span does only where several sets tie."""
    policy = Fixed(votes=max(agree, len(texts)), agree=agree)
    shuffled = data.draw(st.permutations(texts))
    one = decide(policy, votes(texts), MARKED.camps)
    other = decide(policy, votes(shuffled), MARKED.camps)
    assert (one is None) == (other is None)
    if one is None or other is None:
        return
    assert bool(one.agreed) == bool(other.agreed)
    marked = [text for text in texts if text != "flag"]
    if len(agreeing_sets(marked, standing(votes(marked), MARKED.camps).most)) == 1:
        assert set(one.agreed) == set(other.agreed)


@given(st.integers(1, 5), st.integers(0, 4), texts_of_any_kind)
def test_certain_slots_are_needed_whatever_people_mark(agree: int, more: int, texts: list[str]) -> None:
    policy = Adaptive(agree, agree + more)
    if decide(policy, votes(texts), MARKED.camps) is not None:
        return
    stand = standing(votes(texts), MARKED.camps)
    certain, possible = policy.certain_votes(stand), policy.possible_votes(stand)
    assert 1 <= certain <= possible
    for text in TEXTS:
        assert decide(policy, votes([*texts, *[text] * (certain - 1)]), MARKED.camps) is None
    different = [f"word{number}" for number in range(possible)]
    assert decide(policy, votes([*texts, *different]), MARKED.camps) is not None
