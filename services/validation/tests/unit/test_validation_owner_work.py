"""Between whom votes disagree."""

import pytest
from dynabench_tasks.votes import VoteAnswer, VoteKind
from validation.domain.owner_work import Disagreement, disagreements
from validation.domain.rules import read_rules

CONTEXT = [{"name": "passage", "type": "string"}]
LABEL = {"name": "label", "type": "multiclass", "labels": ["negative", "neutral", "positive"]}
TAGS = {"name": "tags", "type": "multilabel", "labels": ["a", "b", "c"]}
LABELS = read_rules({"context": CONTEXT, "input": [LABEL], "output": [LABEL]})
LABEL_SETS = read_rules({"context": CONTEXT, "input": [TAGS], "output": [TAGS]})
JUDGEMENTS = read_rules(
    {
        "context": CONTEXT,
        "input": [LABEL],
        "output": [LABEL],
        "validation": {"vote": "judgement"},
    }
)
AUTHOR, VOTERS = Disagreement.AUTHOR, Disagreement.VOTERS


def answers(words: str, kind: VoteKind = VoteKind.LABEL) -> list[VoteAnswer]:
    special = {"flag": VoteAnswer(VoteKind.FLAG), "?": VoteAnswer(VoteKind.UNSURE)}
    return [special.get(word) or VoteAnswer(kind, word) for word in words.split()]


@pytest.mark.parametrize(
    ("words", "claimed", "between"),
    [
        # Everybody says what the author says.
        ("negative negative", "negative", set()),
        # Everybody says something else.
        ("positive positive", "negative", {AUTHOR}),
        # Somebody sides with the author.
        ("negative positive neutral", "negative", {VOTERS}),
        # Nobody does, and they don't agree either.
        ("positive neutral", "negative", {AUTHOR, VOTERS}),
        # Without a claim nobody can disagree with it.
        ("positive neutral", "", {VOTERS}),
        # A flag says nothing about the claim, yet it is a vote.
        ("flag flag", "negative", set()),
        ("flag negative", "negative", {VOTERS}),
        ("flag positive", "negative", {AUTHOR, VOTERS}),
        # `unsure` is no vote.
        ("? ? ?", "negative", set()),
        ("", "negative", set()),
    ],
)
def test_labels(words: str, claimed: str, between: set[Disagreement]) -> None:
    assert disagreements(answers(words), claimed, LABELS) == between


@pytest.mark.parametrize(
    ("words", "between"),
    [
        ("correct correct", set()),
        ("incorrect incorrect", {AUTHOR}),
        ("correct incorrect", {VOTERS}),
    ],
)
def test_judgements(words: str, between: set[Disagreement]) -> None:
    assert disagreements(answers(words, VoteKind.JUDGEMENT), "negative", JUDGEMENTS) == between


def test_sets_are_the_same_in_whichever_order_the_author_named_them() -> None:
    assert disagreements(answers('["a","b"]'), '["b","a"]', LABEL_SETS) == set()
