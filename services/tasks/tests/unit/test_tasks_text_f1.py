"""Text F1: the differences that count between answers, in any language, and the uses of the rule."""

import unicodedata
from pathlib import Path

import pytest
import yaml
from dynabench_tasks.configuration.reader import read_task_configuration
from dynabench_tasks.text_f1 import ARTICLES, SCRIPTS, TextF1
from dynabench_tasks.values import Value, to_text
from dynabench_tasks.vote_question import vote_question
from dynabench_tasks.votes import VoteAnswer, VoteKind
from hypothesis import given
from hypothesis import strategies as st

ENGLISH = ("en",)
MARKED = (Path(__file__).parents[1] / "golden" / "v1" / "any-language.yaml").read_text()


@pytest.mark.parametrize(
    ("languages", "one", "other", "f1"),
    [
        # A number is one token with its sign and its marks.
        (ENGLISH, "-5", "5", 0),
        (ENGLISH, "\u22125 °C", "-5 °C", 1),
        (ENGLISH, "(-5)", "-5", 1),
        (ENGLISH, "3.5", "35", 0),
        (ENGLISH, "10²", "102", 0),
        (ENGLISH, "12:30", "1230", 0),
        (ENGLISH, "1/2", "12", 0),
        (ENGLISH, "1990–1995", "1990-1995", 1),
        (ENGLISH, "5kg", "5 kg", 1),
        (ENGLISH, "١٢", "12", 1),
        # Groups of digits, where all languages of the task group them by commas.
        (ENGLISH, "1,000", "1000", 1),
        (ENGLISH, "1,234,567.5", "1234567.5", 1),
        (ENGLISH, "1,5", "15", 0),
        (("de",), "1,000", "1000", 0),
        (("en", "de"), "1,000", "1000", 0),
        # Symbols make a difference between answers.
        (ENGLISH, "C++", "C", 0),
        (ENGLISH, "C#", "C", 0),
        (ENGLISH, "C++", "C#", 0),
        (ENGLISH, ".NET", "net", 0),
        (ENGLISH, "A-", "A+", 0),
        (ENGLISH, "$5", "5", 2 / 3),
        (ENGLISH, "-$5", "$5", 1 / 2),
        (ENGLISH, "5 $", "$5", 1),
        (ENGLISH, "5 %", "5%", 1),
        (ENGLISH, "❤️", "❤", 1),
        (ENGLISH, "👍🏽", "👍", 0),
        # What normalises to nothing is equal to itself alone.
        (ENGLISH, "the", "The", 1),
        (ENGLISH, "the", "a", 0),
        (ENGLISH, "?", "?", 1),
        (ENGLISH, "?", "!", 0),
        (ENGLISH, "? !", "?", 0),
        (ENGLISH, "—", "the", 0),
        (ENGLISH, "", "?", 0),
        (ENGLISH, " ", "", 1),
        # Case, width, punctuation and articles before a word don't count.
        (ENGLISH, "The Eiffel Tower", "eiffel tower!", 1),
        (ENGLISH, "vitamin A", "vitamin", 2 / 3),
        (ENGLISH, "U.S.A.", "USA", 1),
        (ENGLISH, "Newton’s", "newton's", 1),
        (ENGLISH, "well-known", "well known", 1),
        (("fr",), "«\u00a0Paris\u00a0»", "Paris", 1),
        (("zh",), "３．５、北京。", "3.5 北京", 1),
        (("de",), "die Straße", "STRASSE", 1),
        (("en",), "die", "the die", 1),
        (("ar",), "القاهرة", "قاهرة", 1),
        # Without spaces between words each character is a token; other scripts keep their words.
        (("zh",), "京都大学", "京都", 2 / 3),
        (("zh-Hant-TW", "en"), "用Python写", "Python", 1 / 2),
        (("ja",), "東京タワー", "東京", 4 / 7),
        (("th",), "กรุงเทพ", "กรุง", 2 / 3),
        (ENGLISH, "京都大学", "京都", 0),
        (("ko",), "서울 특별시", "서울", 2 / 3),
    ],
)  # fmt: skip
def test_text_f1(languages: tuple[str, ...], one: str, other: str, f1: float) -> None:
    assert TextF1(languages)(one, other) == pytest.approx(f1)


LANGUAGES = st.lists(
    st.sampled_from(["fr", "ko", "pt-BR", *ARTICLES, *SCRIPTS]), min_size=1, max_size=3, unique=True
)
PIECES = st.sampled_from(
    ["the", "A", "die", "-5", "−", "$", "1,000", ".5", "C++", "?", "京都", "ー", "กำ", "é", "ｶﾞ", " "]
)
TEXTS = st.one_of(st.text(max_size=20), st.lists(PIECES, max_size=8).map("".join))


@given(LANGUAGES, TEXTS, TEXTS)
def test_the_rule_is_symmetric_within_0_to_1_and_the_same_in_canonical_forms(
    languages: list[str], one: str, other: str
) -> None:
    likeness = TextF1(tuple(languages))
    found = likeness(one, other)
    assert 0 <= found <= 1
    assert found == likeness(other, one)
    assert likeness(one, one) == 1
    for form in ("NFC", "NFD"):
        assert likeness(unicodedata.normalize(form, one), other) == found
        assert likeness(one, unicodedata.normalize(form, one)) == 1


def marked(text: str) -> Value:
    return {"start": 0, "end": len(text), "text": text}


@pytest.mark.parametrize(
    ("rule", "is_wrong", "agree", "metrics"),
    [
        # SQuAD's rule takes a sign away and sees one word where there are no spaces.
        ("token_f1", (False, True), (True, False), ("exact_match", "squad_f1")),
        ("text_f1", (True, False), (False, True), ("exact_match", "squad_f1", "text_f1")),
    ],
)
def test_the_rule_of_verdicts_reaches_votes_and_metrics(
    rule: str, is_wrong: tuple[bool, bool], agree: tuple[bool, bool], metrics: tuple[str, ...]
) -> None:
    found = read_task_configuration(
        {**yaml.safe_load(MARKED), "wrong_when": {rule: {"field": "answer"}}, "metrics": {}}
    )
    question = vote_question(found)
    pairs = [(marked("-5"), marked("5")), (marked("京都大学の"), marked("京都大学"))]
    assert tuple(found.wrong_when.is_wrong(one, other) for one, other in pairs) == is_wrong
    for (one, other), same in zip(pairs, agree, strict=True):
        votes = [VoteAnswer(VoteKind.LABEL, to_text(each)) for each in (one, other)]
        assert (max(len(camp) for camp in question.camps(votes)) == 2) == same
        assert question.confirms(votes[:1], to_text(other)) == same
        assert found.claimed_field.agrees_with_any(to_text(one), [to_text(other)]) == same
    assert found.performance_metrics == metrics
    assert found.metrics.primary == "squad_f1"
    assert read_task_configuration(found.document()) == found
