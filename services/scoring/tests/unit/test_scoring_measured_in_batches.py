"""Measurements in batches, sorted arrays and files, held against counts of the plainest kind.

What they are held against reads every row by itself and keeps all in dictionaries, as the definitions say.
"""

import math
import random
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from itertools import combinations, pairwise
from pathlib import Path
from statistics import NormalDist
from typing import Any

import pytest
from dynabench_tasks.near_duplicates import LEAST_SIMILARITY, shingles_of, similarity
from scoring.adapters.dataset_files import DatasetFiles
from scoring.dataset.measurements import measure
from scoring.dataset.measurements.associations import (
    LEAST_OCCURRENCES,
    LEVEL,
    STRONGEST,
    TWO_SIDED_95,
    Association,
    Associations,
    associate,
    holm,
)
from scoring.dataset.measurements.author_sums import Weights
from scoring.dataset.measurements.near_duplicates import NearDuplicates
from scoring.dataset.measurements.reading import Reader
from scoring.dataset.measurements.vocabulary import Vocabulary
from scoring.dataset.measurements.words import words_of
from scoring.dataset.rows import ExampleRow, Field, Fields

LABELS = ("negative", "neutral", "positive")
FIELDS = Fields(
    (Field("prompt", "string"),),
    (Field("text", "string"), Field("edited", "string")),
    Field("label", "multiclass"),
)
WORDS = (
    "soup",
    "sea",
    "boat",
    "isn't",
    "été",
    "日本語",
    "waiter",
    "train",
    "garden",
    "letter",
    "window",
    "music",
)
BLANK = ExampleRow(
    example_id="", context={}, input={}, label=None, golds=(), claimed=None, split=None, verdict="fooled",
    fooled=True, targets=(), resolution=None, votes=(), metadata={}, explanations=None, condition="",
    cohort="volunteer", segment=1, tags=(), author=None, created_at=datetime(2026, 3, 2, tzinfo=UTC),
)  # fmt: skip


def drawn(seed: int, number: int) -> Iterator[ExampleRow]:
    """Rows with and without context, label, gold, author and text; of words some of which tell the label."""
    generator = random.Random(seed)
    for position in range(number):
        label = generator.choice(LABELS) if generator.random() < 0.9 else None
        words = [*generator.choices(WORDS, k=9), f"n{generator.randrange(400)}"]
        if label and generator.random() < 0.5:
            words.append(f"tells-{label}")
        text = "Again and again, the very same text." if generator.random() < 0.02 else " ".join(words)
        written = {"text": text if generator.random() < 0.98 else "  "}
        if generator.random() < 0.3:
            written["edited"] = text.replace("soup", "stew")
        yield replace(
            BLANK,
            example_id=f"e{position}",
            context={"prompt": f"Say {generator.choice(WORDS)} now."} if generator.random() < 0.8 else {},
            input=written,
            label=label,
            golds=(label,) if label and generator.random() < 0.7 else (),
            claimed=generator.choice(LABELS),
            author=f"p{generator.randrange(40)}" if generator.random() < 0.95 else None,
            split=("train", "dev", "test")[generator.randrange(3)],
        )


ROWS = list(drawn(1, 1_300))


def input_words(row: ExampleRow) -> list[str]:
    return [word for text in row.input.values() if str(text).strip() for word in words_of(str(text))]


def plain_associations(rows: Sequence[ExampleRow]) -> list[dict[str, Any]]:
    """Return what is named, by dictionaries of words, labels and authors."""
    labelled = [(row, set(input_words(row)), str(row.label)) for row in rows if row.label is not None]
    with_word = Counter(word for _, words, _ in labelled for word in words)
    with_label = Counter(label for _, _, label in labelled)
    together = Counter((word, label) for _, words, label in labelled for word in words)
    every = [
        associate(
            word, label, together=together[word, label], with_word=with_word[word],
            with_label=with_label[label], examples=len(labelled),
        )
        for label in with_label for word in with_word if with_word[word] >= LEAST_OCCURRENCES
    ]  # fmt: skip
    named = holm(
        [of_authors(one, labelled, with_word, with_label) for one in holm(every, LEVEL)], LEVEL, len(every)
    )
    found = []
    for label in sorted(with_label):
        own = [one for one in named if one.label == label]
        found += sorted((one for one in own if one.pmi > 0), key=lambda one: (-one.low, one.token))[
            :STRONGEST
        ]
        found += sorted((one for one in own if one.pmi < 0), key=lambda one: (one.high, one.token))[
            :STRONGEST
        ]
    return [one.as_json() for one in found]


def of_authors(
    one: Association,
    labelled: Sequence[tuple[ExampleRow, set[str], str]],
    with_word: Counter[str],
    with_label: Counter[str],
) -> Association:
    n, word, label = len(labelled), with_word[one.token], with_label[one.label]

    def squares(weights: Weights) -> float:
        parts: defaultdict[str, float] = defaultdict(float)
        for row, words, own in labelled:
            has_word, has_label = one.token in words, own == one.label
            parts[row.author or row.example_id] += (
                weights.both * (has_word and has_label)
                + weights.word * has_word + weights.label * has_label + weights.every
            )  # fmt: skip
        return sum(part * part for part in parts.values())

    authors = len({row.author or row.example_id for row, _, _ in labelled})
    spread = math.sqrt(squares(Weights(1.0, -label / n, -word / n, word * label / n**2)))
    p = 2 * NormalDist().cdf(-abs(one.count - word * label / n) / spread)
    error = math.sqrt(squares(Weights(1 / (one.count + 0.5), -1 / word, -1 / label, 1 / n)))
    half = max(one.high - one.pmi, TWO_SIDED_95 * error * math.sqrt(authors / (authors - 1)) / math.log(2))
    return replace(one, low=one.pmi - half, high=one.pmi + half, p=max(one.p, p))


def plain_vocabulary(rows: Sequence[ExampleRow]) -> dict[str, Any]:
    """Return the counts, with a point after each thousand rows and at the end."""
    known: set[str] = set()
    tokens, points = 0, [(0, 0)]
    for number, row in enumerate(rows, start=1):
        words = input_words(row)
        tokens += len(words)
        known.update(words)
        if number % 1_000 == 0 or number == len(rows):
            points.append((number, len(known)))
    return {
        "types": len(known),
        "tokens": tokens,
        "type_token_ratio": len(known) / tokens,
        "new_per_1000": [
            {"examples": end, "new": 1_000 * (types - before) / (end - start)}
            for (start, before), (end, types) in pairwise(points)
        ],
    }


def plain_duplicates(rows: Sequence[ExampleRow]) -> dict[str, Any]:
    """Return the pairs, each text compared with every other one."""
    texts = ["\n".join(str(text) for text in row.input.values() if str(text).strip()) for row in rows]
    shingles = [shingles for text in texts if (shingles := shingles_of(text))]
    pairs = [
        pair
        for pair in combinations(range(len(shingles)), 2)
        if similarity(shingles[pair[0]], shingles[pair[1]]) >= LEAST_SIMILARITY
    ]
    members = {member for pair in pairs for member in pair}
    return {"pairs": len(pairs), "share": len(members) / len(shingles)}


@pytest.mark.parametrize("batch_rows", [1, 7, 500, 5_000])
@pytest.mark.parametrize("held", [11, 10_000_000])
def test_words_are_counted_alike_however_few_are_held(batch_rows: int, held: int) -> None:
    vocabulary, associations = Vocabulary(held), Associations(held)
    reader = Reader(FIELDS, batch_rows)
    for batch in reader.read(ROWS):
        vocabulary.add(batch)
        associations.add(batch)
    associations.choose()
    for batch in reader.read(ROWS):
        associations.add_authors(batch)
    assert vocabulary.as_json() == plain_vocabulary(ROWS)
    found, expected = associations.as_json(), plain_associations(ROWS)
    assert len(expected) > 5
    assert [(one["token"], one["label"], one["count"]) for one in found] == [
        (one["token"], one["label"], one["count"]) for one in expected
    ]
    for name in ("pmi", "low", "high"):
        assert [one[name] for one in found] == pytest.approx([one[name] for one in expected], rel=1e-12)


@pytest.mark.parametrize("batch_rows", [7, 500])
def test_pairs_are_those_that_comparing_all_with_all_finds(batch_rows: int) -> None:
    base = [" ".join(random.Random(each).choices(WORDS, k=30)) for each in range(60)]
    texts = [*base, *base[:20], *(f"{text} indeed" for text in base[:30]), " ", "?"]
    rows = [replace(BLANK, example_id=f"e{each}", input={"text": text}) for each, text in enumerate(texts)]
    duplicates, reader = NearDuplicates(), Reader(FIELDS, batch_rows)
    for batch in reader.read(rows):
        duplicates.add(batch)
    duplicates.choose()
    for batch in reader.read(rows):
        duplicates.add_texts(batch)
    expected = plain_duplicates(rows)
    assert expected["pairs"] > 60
    assert duplicates.as_json() == expected


@pytest.mark.long
def test_rows_read_from_parquet_measure_as_rows_do(tmp_path: Path) -> None:
    files = DatasetFiles()
    files.write(tmp_path, ROWS, FIELDS)
    in_order = [row for split in ("train", "dev", "test") for row in ROWS if row.split == split]
    assert [row.example_id for row in files.read(tmp_path)] == [row.example_id for row in in_order]
    found = measure(files.read_measured(tmp_path, FIELDS), FIELDS, LABELS)
    assert found == measure(in_order, FIELDS, LABELS)
    assert found["associations"]
    assert found["input_only_baseline"]["accuracy"] > 0.4
    assert found["authors"]["people"] == 40


@pytest.mark.parametrize(
    ("kind", "label"),
    [
        ("multilabel", ("cold", "rude")),
        ("span", {"start": 0, "end": 3, "text": "sea"}),
        ("multiclass", "cold"),
    ],
)
def test_labels_of_each_kind_are_read_from_parquet(tmp_path: Path, kind: str, label: Any) -> None:
    fields = replace(FIELDS, label=Field("label", kind))
    rows = [replace(row, label=label, golds=(label,), claimed=label, split="train") for row in ROWS[:60]]
    files = DatasetFiles()
    files.write(tmp_path, rows, fields)
    found = measure(files.read_measured(tmp_path, fields), fields, ())
    assert found == measure(rows, fields, ())
    assert found["label_balance"]["gold"] == (
        {} if kind == "span" else dict.fromkeys(("cold", "rude") if kind == "multilabel" else ("cold",), 60)
    )


def test_fields_that_came_after_a_release_are_left_out(tmp_path: Path) -> None:
    before = replace(FIELDS, input=FIELDS.input[:1], context=())
    rows = [replace(row, split="train") for row in ROWS[:50]]
    files = DatasetFiles()
    files.write(tmp_path, rows, before)
    found = measure(files.read_measured(tmp_path, FIELDS), FIELDS, LABELS)
    assert set(found["lengths"]) == {"text"}
    assert found["overlap"] is None
