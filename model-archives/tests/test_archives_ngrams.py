"""Hashed n-grams: their parts, their source positions, and their stability."""

import pytest
from model_archives.handlers.ngrams import ALWAYS, KINDS, RESERVED, NgramReader


@pytest.mark.parametrize("kind", KINDS)
def test_shares_of_an_ngram_add_up_and_stay_in_one_field(kind: str) -> None:
    encoded = NgramReader(kind, 64, 500).encode("Two tiny words", "and three more 😂 here")
    shares = dict.fromkeys(range(1, len(encoded)), 0.0)
    fields: dict[int, int] = {}
    for token in encoded.tokens:
        shares[token.position] += token.share
        assert fields.setdefault(token.position, token.field) == token.field
    assert all(total == pytest.approx(1) for total in shares.values())
    assert set(fields.values()) == {0, 1}


@pytest.mark.parametrize("kind", KINDS)
def test_ids_are_the_same_on_every_machine_and_within_the_buckets(kind: str) -> None:
    encoded = NgramReader(kind, 64, 500).encode("Tor! Das Spiel ist aus.")
    assert encoded.ids == NgramReader(kind, 64, 500).encode("tor das SPIEL ist aus").ids
    assert encoded.ids[0] == ALWAYS
    assert all(RESERVED <= identity < RESERVED + 64 for identity in encoded.ids[1:])


def test_composed_and_decomposed_letters_are_one() -> None:
    reader = NgramReader("words", 4096, 50)
    assert reader.encode("cafe\u0301 für").ids == reader.encode("caf\u00e9 fu\u0308r").ids


def test_the_kinds_see_different_things() -> None:
    words, characters, pairs = (NgramReader(kind, 4096, 500).encode("one two three") for kind in KINDS)
    assert len(words) == 1 + 3 + 2
    assert len(pairs) == 1 + 3 + 3
    assert len(characters) == 1 + 6 + 6 + 12


def test_long_texts_are_cut_and_texts_without_words_still_have_a_feature() -> None:
    reader = NgramReader("words", 64, 10)
    assert len(reader.encode("word " * 100)) == 10
    assert reader.encode("word " * 100).truncated
    assert reader.encode("!!!").ids == [ALWAYS]
    assert reader.encode("\ud83d").ids == [ALWAYS]
