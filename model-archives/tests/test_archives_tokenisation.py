"""Tokens point into the text as it was sent, in Unicode code points."""

import pytest
from model_archives.base_encoders import MINILM, base_encoder_folder
from model_archives.handlers.onnx_predictor import length_buckets
from model_archives.handlers.probabilities import sigmoid, softmax
from model_archives.handlers.tokenisation import TextTokenizer, our_reading


@pytest.fixture(scope="module")
def tokenizer() -> TextTokenizer:
    return TextTokenizer(our_reading(base_encoder_folder(MINILM)), max_tokens=32)


@pytest.mark.parametrize(
    ("text", "slices"),
    [
        ("Good 😂 food", ["Good", "😂", "food"]),
        ("cafe\u0301 ok", ["cafe\u0301", "ok"]),
        ("日本", ["日", "本"]),
        ("👍🏽x", ["👍🏽", "x"]),
        ("a [SEP] b", ["a", "[", "SEP", "]", "b"]),
        ("x \ud83d y", ["x", "y"]),
    ],
)
def test_spans_are_slices_of_the_original(tokenizer: TextTokenizer, text: str, slices: list[str]) -> None:
    spans = dict.fromkeys(token.span for token in tokenizer.encode(text).tokens)
    found = [text[start:end] for start, end in spans]
    assert found == slices


def test_separators_in_a_text_are_plain_text(tokenizer: TextTokenizer) -> None:
    encoded = tokenizer.encode("a [SEP] b")
    separator = 102
    assert encoded.ids.count(separator) == 1


def test_long_texts_are_cut_and_say_so(tokenizer: TextTokenizer) -> None:
    encoded = tokenizer.encode("word " * 100)
    assert len(encoded) == 32
    assert encoded.truncated
    assert not tokenizer.encode("word").truncated


def test_a_pair_has_two_sequences(tokenizer: TextTokenizer) -> None:
    encoded = tokenizer.encode("A premise.", "A 😂 hypothesis.")
    assert {token.field for token in encoded.tokens} == {0, 1}
    assert set(encoded.type_ids) == {0, 1}


def test_buckets_hold_every_text_once_within_the_budget() -> None:
    lengths = [5, 40, 3, 100, 8, 8, 41, 7]
    buckets = list(length_buckets(lengths, budget=80))
    assert sorted(index for bucket in buckets for index in bucket) == list(range(len(lengths)))
    padded = [len(bucket) * max(lengths[index] for index in bucket) for bucket in buckets]
    assert all(size <= 80 or len(bucket) == 1 for size, bucket in zip(padded, buckets, strict=True))


def test_probabilities_are_finite_for_large_logits() -> None:
    import numpy as np

    logits = np.array([1000.0, 0.0, -1000.0])
    assert softmax(logits) == [1.0, 0.0, 0.0]
    assert sigmoid(logits) == [1.0, 0.5, 0.0]
