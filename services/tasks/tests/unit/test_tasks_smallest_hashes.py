"""The smallest hash values of many texts at once are those that the bands of each are made of."""

import random
from hashlib import blake2b
from uuid import UUID

import numpy as np
from dynabench_tasks.near_duplicates import BANDS, ROWS, bands_of, normalise_text, shingles_of
from dynabench_tasks.smallest_hashes import PIECE_CHARACTERS, SmallestHashes

ROUND = UUID("0195c1f0-0000-7000-8000-0000000000aa")


def bands_from(values: np.ndarray) -> list[int]:
    """Return the bands that these values make, as `bands_of` digests them."""
    rows = values.astype("<u8").reshape(BANDS, ROWS)
    digests = (
        blake2b(ROUND.bytes + bytes([number]) + row.tobytes(), digest_size=8).digest()
        for number, row in enumerate(rows)
    )
    return [int.from_bytes(digest, "little", signed=True) for digest in digests]


def texts() -> list[str]:
    """Texts of every length, some shorter than a shingle, in several scripts, and some that come again."""
    generator = random.Random(4)
    alphabets = ("ab ", "the soup was cold ", "été à la mer ", "日本語の文です。 ", "a😀\U0010ffff\x00b")
    drawn = [
        "".join(generator.choices(generator.choice(alphabets), k=generator.choice((1, 3, 4, 5, 6, 40, 400))))
        for _ in range(300)
    ]
    return [text for each in (*drawn, *drawn[:50]) if (text := normalise_text(each))]


def test_many_texts_have_the_bands_of_each_alone() -> None:
    known = SmallestHashes()
    for _ in range(2):
        found = known.of(texts())
        assert [bands_from(values) for values in found] == [
            bands_of(ROUND, shingles_of(text)) for text in texts()
        ]


def test_shingles_that_share_a_place_keep_their_own_hashes() -> None:
    """With four places nearly every shingle finds another one in its own, left there by an earlier text."""
    crowded = SmallestHashes(places_bits=2)
    found = np.concatenate([crowded.of([text]) for text in texts()])
    assert (found == SmallestHashes().of(texts())).all()


def test_a_text_longer_than_a_piece_is_taken_whole() -> None:
    generator = random.Random(8)
    long = normalise_text("".join(generator.choices("abcdefgh ", k=PIECE_CHARACTERS + 100)))
    found = SmallestHashes().of(["short", long, "short"])
    assert bands_from(found[1]) == bands_of(ROUND, shingles_of(long))
    assert (found[0] == found[2]).all()


def test_no_texts_have_no_values() -> None:
    assert SmallestHashes().of([]).shape == (0, BANDS * ROWS)
