"""Splits: author-exclusive, seeded, and honest about what can't be had."""

import random
from uuid import UUID

import pytest
from scoring.dataset.splits import AuthorShare, SplitOptions, SplitUnfillable, assign

PEOPLE = [AuthorShare(str(UUID(int=number)), 1 + number % 7, number % 3) for number in range(60)]


def test_an_author_stands_in_one_split_and_every_gold_in_some() -> None:
    found = assign(PEOPLE, SplitOptions(dev=0.2, test=0.1, seed=3))
    splits = {share.author: found.split_of(UUID(share.author), True) for share in PEOPLE}
    counts = {
        split: sum(share.golds for share in PEOPLE if splits[share.author] == split)
        for split in ("train", "dev", "test")
    }
    golds = sum(share.golds for share in PEOPLE)
    assert sum(counts.values()) == golds
    assert counts["dev"] == found.sizes["dev"].examples == pytest.approx(golds * 0.2, rel=0.1)
    assert counts["test"] == found.sizes["test"].examples == pytest.approx(golds * 0.1, rel=0.1)


def test_what_has_no_gold_stands_in_train_alone() -> None:
    found = assign(PEOPLE, SplitOptions())
    held_out = {share.author for share in PEOPLE if found.split_of(UUID(share.author), True) != "train"}
    assert held_out
    assert {found.split_of(UUID(author), False) for author in held_out} == {None}
    assert found.held_back == sum(share.others for share in PEOPLE if share.author in held_out)


def test_the_order_of_authors_makes_no_difference_and_the_seed_does() -> None:
    shuffled = random.Random(1).sample(PEOPLE, len(PEOPLE))
    assert assign(shuffled, SplitOptions(seed=5)) == assign(PEOPLE, SplitOptions(seed=5))
    assert assign(PEOPLE, SplitOptions(seed=6)).held_out != assign(PEOPLE, SplitOptions(seed=5)).held_out


def test_one_large_author_leaves_splits_unfilled() -> None:
    crowd = [AuthorShare(str(UUID(int=1)), 90, 0), AuthorShare(str(UUID(int=2)), 4, 0)]
    with pytest.raises(SplitUnfillable) as refused:
        assign(crowd, SplitOptions(dev=20, test=4))
    assert (refused.value.split, refused.value.wanted, refused.value.fits) == ("dev", 20, 0)
    assert (refused.value.available, refused.value.largest) == (94, 90)
