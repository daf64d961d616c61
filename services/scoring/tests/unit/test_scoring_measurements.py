"""Measurements of datasets' texts and labels, on rows with known results."""

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from itertools import product
from typing import Any

import pytest
from scoring.dataset.measurements import measure
from scoring.dataset.measurements.associations import LEVEL, Association, associate, holm
from scoring.dataset.measurements.distribution import spread
from scoring.dataset.measurements.vocabulary import MOST_POINTS
from scoring.dataset.measurements.words import words_of
from scoring.dataset.rows import ExampleRow, Field, Fields

LABELS = ("negative", "positive")
PAIR = Fields((Field("premise", "string"),), (Field("text", "string"),), Field("label", "multiclass"))
SINGLE = replace(PAIR, context=())
NOUNS = ("soup", "sea", "boat", "dinner", "waiter", "train", "garden", "letter", "window", "music")


def row(
    number: int, text: str, label: Any = "positive", premise: str = "", author: str | None = "p0"
) -> ExampleRow:
    return ExampleRow(
        example_id=f"e{number}", context={"premise": premise}, input={"text": text}, label=label, golds=(label,),
        claimed="negative", split="train", verdict="fooled", fooled=True, targets=(), resolution="correct", votes=(),
        metadata={}, explanations=None, condition="", cohort="volunteer", segment=1, tags=(), author=author,
        created_at=datetime(2026, 3, 2, tzinfo=UTC),
    )  # fmt: skip


def of(rows: Sequence[ExampleRow], fields: Fields = PAIR) -> dict[str, Any]:
    return measure(rows, fields, LABELS)


def story(number: int, generator: random.Random, telling: str = "") -> ExampleRow:
    words = [*generator.choices(NOUNS, k=8), *(str(generator.randrange(10**6)) for _ in range(3))]
    label = LABELS[number % 2]
    if label == "negative" and telling:
        words.append(telling)
    return row(number, " ".join(words), label, "A long day by the sea.", f"p{number % 40}")


def stories(number: int, telling: str = "") -> Iterator[ExampleRow]:
    generator = random.Random(3)
    return (story(position, generator, telling) for position in range(number))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("The soup's COLD – isn’t it?", ["the", "soup's", "cold", "isn't", "it"]),
        ("'quoted' rock'n'roll", ["quoted", "rock'n'roll"]),
        ("well-known 3.5 e_mail", ["well", "known", "3", "5", "e", "mail"]),
        ("Straße ÉTÉ e\u0301te\u0301", ["straße", "été", "e\u0301te\u0301"]),
        ("हिन्दी में", ["हिन्दी", "में"]),
        ("今日は、雨", ["今日は", "雨"]),
        (" \n'' — ", []),
    ],
)
def test_words_are_runs_of_letters_marks_and_digits(text: str, words: list[str]) -> None:
    assert words_of(text) == words


def test_without_rows_nothing_is_undefined() -> None:
    found = of([])
    assert found["examples"] == 0
    assert found["label_balance"] == {
        "gold": {"negative": 0, "positive": 0},
        "claimed": {"negative": 0, "positive": 0},
    }
    assert found["lengths"] == {}
    assert found["vocabulary"] == {"types": 0, "tokens": 0, "type_token_ratio": None, "new_per_1000": []}
    assert found["near_duplicates"] == {"pairs": 0, "share": None}
    assert found["overlap"] is None
    assert found["authors"] == {
        "people": 0,
        "examples": 0,
        "top1_share": None,
        "top5_share": None,
        "hhi": None,
    }
    assert found["associations"] == []
    assert found["associations_reason"] == "not measured: no example has a label"
    assert found["input_only_baseline"]["accuracy"] is None


def test_labels_are_counted_as_gold_and_as_claimed() -> None:
    unvalidated = replace(row(3, "One more."), golds=(), resolution=None)
    found = of([row(1, "One."), row(2, "Two.", "negative"), unvalidated])["label_balance"]
    assert found == {"gold": {"negative": 1, "positive": 1}, "claimed": {"negative": 3, "positive": 0}}


def test_answers_that_are_no_labels_are_not_counted() -> None:
    fields = replace(PAIR, label=Field("answer", "span"))
    span = {"start": 0, "end": 3, "text": "sea"}
    found = measure([row(number, "Which sea?", span) for number in range(60)], fields, ())
    assert found["label_balance"] == {"gold": {}, "claimed": {}}
    assert found["associations"] == []
    assert found["input_only_baseline"]["reason"] == "not measured: answers are not one label each"


def test_lengths_are_in_words_and_in_code_points() -> None:
    found = of([row(1, "a bb ccc"), row(2, "é"), row(3, "  ")])["lengths"]
    assert set(found) == {"text"}
    assert {name: found["text"]["words"][name] for name in ("n", "mean", "p5", "p50", "p95", "max")} == {
        "n": 2, "mean": 2.0, "p5": 1, "p50": 1, "p95": 3, "max": 3,
    }  # fmt: skip
    assert found["text"]["characters"]["max"] == 8


def test_percentiles_are_by_nearest_rank_and_bins_hold_everything() -> None:
    found = spread(Counter(range(1, 101)))
    assert (found["p5"], found["p50"], found["p95"], found["max"]) == (5, 50, 95, 100)
    assert [one["count"] for one in found["histogram"]] == [5] * 20
    assert (found["histogram"][0]["low"], found["histogram"][-1]["high"]) == (1, 101)
    assert [one["count"] for one in spread(Counter({7: 4}))["histogram"]] == [4]
    tenths = spread(Counter({0: 1, 1_000: 2}), unit=0.001, bins=range(0, 1_001, 100))["histogram"]
    assert [one["count"] for one in tenths] == [1, 0, 0, 0, 0, 0, 0, 0, 0, 2]


def test_the_growth_of_the_vocabulary_is_per_thousand_examples() -> None:
    found = of([row(number, f"word{min(number, 1_499)}") for number in range(2_500)])["vocabulary"]
    assert (found["types"], found["tokens"], found["type_token_ratio"]) == (1_500, 2_500, 0.6)
    assert found["new_per_1000"] == [
        {"examples": 1_000, "new": 1_000.0},
        {"examples": 2_000, "new": 500.0},
        {"examples": 2_500, "new": 0.0},
    ]


def test_very_many_examples_have_few_points_of_growth() -> None:
    from scoring.dataset.measurements.reading import Reader
    from scoring.dataset.measurements.vocabulary import Vocabulary

    vocabulary, one = Vocabulary(), next(Reader(PAIR).read([row(1, "again")]))
    for _ in range(110_000):
        vocabulary.add(one)
    points = vocabulary.as_json()["new_per_1000"]
    assert len(points) < MOST_POINTS
    assert points[-1]["examples"] == 110_000


@pytest.mark.parametrize(
    ("texts", "pairs", "share"),
    [
        (["The very same words.", "the very  SAME words.", "Something else entirely."], 1, 2 / 3),
        (["one text stands here"] * 100, 4_950, 1.0),
        ([" ", "", "!"], 0, 0.0),
        (["A first text about a boat.", "Dinner came late again."], 0, 0.0),
    ],
)
def test_equal_texts_are_pairs(texts: list[str], pairs: int, share: float) -> None:
    found = of([row(number, text) for number, text in enumerate(texts)])["near_duplicates"]
    assert found == {"pairs": pairs, "share": pytest.approx(share)}


def test_nearly_equal_texts_are_pairs_with_every_copy_of_each_other() -> None:
    base = "The soup came late and cold, and nobody said a word about it to the waiter all evening"
    texts = [
        base,
        base,
        f"{base}.",
        *(f"{noun} of number {7919 * len(noun)} by the {noun}" for noun in NOUNS[:5]),
    ]
    assert of([row(number, text) for number, text in enumerate(texts)])["near_duplicates"] == {
        "pairs": 3,
        "share": 3 / 8,
    }


def test_a_crowd_of_alike_texts_is_found_without_comparing_all_with_all() -> None:
    base = "The soup came late and cold, and nobody said a word about it to the waiter all evening "
    found = of([row(number, f"{base}{number:03}") for number in range(300)])["near_duplicates"]
    assert found["share"] > 0.95
    assert found["pairs"] < 300 * 299 / 2


def test_overlap_is_the_share_of_the_inputs_words_that_stand_in_the_context() -> None:
    rows = [
        row(1, "The sea, the sea!", premise="A day at the sea."),
        row(2, "No word shared.", premise="A day at the sea."),
        row(3, "No context."),
    ]
    found = of(rows)["overlap"]
    assert (found["n"], found["mean"], found["max"]) == (2, 0.5, 1.0)
    assert [one["count"] for one in found["histogram"]] == [1, 0, 0, 0, 0, 0, 0, 0, 0, 1]
    assert of(rows, SINGLE)["overlap"] is None


def test_concentration_counts_known_authors() -> None:
    authors = ["a"] * 6 + ["b"] * 2 + ["c"] + ["d"] + [None] * 5
    found = of([row(number, "x", author=author) for number, author in enumerate(authors)])["authors"]
    assert found == {
        "people": 4,
        "examples": 10,
        "top1_share": 0.6,
        "top5_share": 1.0,
        "hhi": pytest.approx(0.36 + 0.04 + 0.02),
    }


def test_a_telling_word_is_named_with_its_interval_and_others_are_not() -> None:
    found = of(list(stories(400, "sadly")))["associations"]
    assert [(one["token"], one["label"], one["count"]) for one in found] == [
        ("sadly", "negative", 200),
        ("sadly", "positive", 0),
    ]
    assert found[0]["low"] < found[0]["pmi"] < found[0]["high"]
    assert found[0]["pmi"] == pytest.approx(1.0, abs=0.02)
    assert found[1]["high"] < 0
    assert of(list(stories(400)))["associations"] == []


def test_what_a_few_authors_write_gives_nothing_away_and_the_reason_is_said() -> None:
    """Eight people with a word and a label of their own each: 320 tokens say no more than eight people do."""
    rows = [
        row(number * 40 + each, f"own{number} often{number % 2}", LABELS[number % 2], author=f"p{number}")
        for number, each in product(range(8), range(40))
    ]
    found = of(rows)
    assert found["associations"] == []
    assert found["associations_reason"] == (
        "not measured: 8 people wrote, at least 10 are needed to tell a habit from a pattern"
    )


def test_an_authors_habit_is_not_named_among_many_authors() -> None:
    """Thirty people write alike but for one, who puts a word of theirs into one label's examples."""
    generator = random.Random(5)
    rows = [
        row(
            number,
            " ".join(generator.choices(NOUNS, k=6)),
            LABELS[number // 30 % 2],
            author=f"p{number % 30}",
        )
        for number in range(1_200)
    ]
    habit = [
        replace(each, input={"text": f"{each.input['text']} moreover"})
        if (each.author, each.label) == ("p7", "negative")
        else each
        for each in rows
    ]
    assert of(habit)["associations"] == []
    shared = [
        replace(each, input={"text": f"{each.input['text']} moreover"}) if each.label == "negative" else each
        for each in rows
    ]
    assert {each["token"] for each in of(shared)["associations"]} == {"moreover"}


@pytest.mark.parametrize(
    ("together", "with_word", "with_label", "examples"), [(25, 50, 200, 400), (10, 30, 500, 1_500)]
)
def test_a_word_that_keeps_to_chance_has_no_association(
    together: int, with_word: int, with_label: int, examples: int
) -> None:
    found = associate(
        "soup", "x", together=together, with_word=with_word, with_label=with_label, examples=examples
    )
    assert found.pmi == pytest.approx(0, abs=0.05)
    assert found.low < 0 < found.high
    assert found.p > 0.5


def test_intervals_hold_the_truth_as_often_as_they_say() -> None:
    """Words drawn at a known rate under each label; 95 % of the intervals should hold the known number."""
    generator = random.Random(11)
    held = 0
    for _ in range(400):
        cells: Counter[tuple[bool, bool]] = Counter()
        for _ in range(600):
            is_label = generator.random() < 0.4
            cells[generator.random() < (0.3 if is_label else 0.1), is_label] += 1
        found = associate(
            "w", "l", together=cells[True, True], with_word=cells[True, True] + cells[True, False],
            with_label=cells[True, True] + cells[False, True], examples=600,
        )  # fmt: skip
        truth = 0.7369655941662062  # log2(0.3 / (0.4 · 0.3 + 0.6 · 0.1)) = log2(5 / 3)
        held += found.low <= truth <= found.high
    assert 0.92 <= held / 400 <= 0.98


def test_holm_keeps_what_stands_up_to_everything_that_was_looked_at() -> None:
    def with_p(p: float) -> Association:
        return Association(f"{p}", "x", 1.0, 0.5, 1.5, 10, p)

    kept = holm(map(with_p, (0.04, 0.001, 0.9, 0.012)), LEVEL)
    assert [one.p for one in kept] == [0.001, 0.012]


def test_inputs_that_give_their_label_away_are_found_out() -> None:
    telling, plain = (of(list(stories(300, word)))["input_only_baseline"] for word in ("sadly", ""))
    assert (telling["n"], telling["majority"], telling["reason"]) == (300, 0.5, None)
    assert telling["accuracy"] > 0.95
    assert telling["low"] < telling["accuracy"] <= telling["high"]
    assert plain["accuracy"] < 0.65


def test_what_one_author_writes_does_not_help_to_guess_the_same_authors_labels() -> None:
    """Each author has a word and a label of their own: learnt from the others, it tells nothing."""
    rows = [
        row(number * 20 + each, f"author{number}word dinner", LABELS[number % 2], "The sea.", f"p{number}")
        for number, each in product(range(10), range(20))
    ]
    assert of(rows)["input_only_baseline"]["accuracy"] <= 0.5


@pytest.mark.parametrize(
    ("rows", "fields", "reason"),
    [
        (list(stories(60)), SINGLE, "not measured: inputs have no context text to leave out"),
        (
            [replace(one, context={}) for one in stories(60)],
            PAIR,
            "not measured: inputs have no context text to leave out",
        ),
        (list(stories(49)), PAIR, "not measured: under 50 examples with a label"),
        ([replace(one, author="p0") for one in stories(60)], PAIR, "not measured: under 5 authors"),
        (
            [replace(one, label="positive") for one in stories(60)],
            PAIR,
            "not measured: 1 labels occur, 2 to 20 can be told apart",
        ),
    ],
)
def test_a_baseline_that_means_nothing_says_why(rows: list[ExampleRow], fields: Fields, reason: str) -> None:
    found = of(rows, fields)["input_only_baseline"]
    assert (found["accuracy"], found["low"], found["reason"]) == (None, None, reason)


def test_measurements_are_the_same_each_time() -> None:
    rows = list(stories(200, "sadly"))
    assert of(rows) == of(rows)
