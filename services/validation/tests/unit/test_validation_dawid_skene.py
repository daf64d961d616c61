"""Dawid and Skene's model: what another implementation finds in the same votes, and what it must not do."""

import gzip
import json
import os
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from crowdkit.aggregation import DawidSkene
from numpy.random import Generator, default_rng
from validation.domain.groups import NOBODY
from validation.domain.statistics.dawid_skene import Estimate, Indices, Votes, estimate
from validation.domain.statistics.round_votes import LEAN, Evidence, RoundVotes

DATA = os.environ.get("DYNABENCH_DATA", "")
pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning:crowdkit")
needs_data = pytest.mark.skipif(not DATA, reason="DYNABENCH_DATA names no data folder")


def made_up(
    dice: Generator, examples: int = 300, voters: int = 12, options: int = 3, each: int = 5
) -> tuple[Votes, Indices]:
    """Return votes of voters who are right 55 to 95 times in a hundred, and the truth."""
    truth = dice.integers(0, options, examples)
    skill = dice.uniform(0.55, 0.95, voters)
    chosen_by = np.concatenate([dice.choice(voters, each, replace=False) for _ in range(examples)])
    voted_on = np.repeat(np.arange(examples), each)
    is_right = dice.random(len(voted_on)) < skill[chosen_by]
    wrong = (truth[voted_on] + dice.integers(1, options, len(voted_on))) % options
    return Votes(voted_on, chosen_by, np.where(is_right, truth[voted_on], wrong), options), truth


def published(part: str) -> Votes:
    options, voters, votes = ["mixed", "negative", "neutral", "positive"], dict[str, int](), []
    with gzip.open(Path(DATA) / f"replay_dynasent_{part}.jsonl.gz", "rt", encoding="utf-8") as lines:
        for number, line in enumerate(lines):
            for option, people in json.loads(line)["label_distribution"].items():
                votes += [
                    (number, voters.setdefault(who, len(voters)), options.index(option)) for who in people
                ]
    examples, voted, chosen = np.array(votes).T
    return Votes(examples, voted, chosen, len(options))


def theirs(votes: Votes, rounds: int) -> DawidSkene:
    """Return the other implementation's result after so many rounds; its own rule to stop is put aside."""
    table = pd.DataFrame({"task": votes.examples, "worker": votes.voters, "label": votes.chosen})
    return DawidSkene(n_iter=rounds, tol=-np.inf).fit(table)


def compare(votes: Votes, found: Estimate) -> None:
    other = theirs(votes, found.rounds)
    assert other.probas_ is not None
    assert other.priors_ is not None
    assert other.errors_ is not None
    probabilities = other.probas_.sort_index()[list(range(votes.options))].to_numpy()
    assert np.abs(probabilities - found.posterior).max() < 1e-6
    # Where two options are as good as equal, rounding decides.
    top = np.sort(probabilities, axis=1)
    is_clear = top[:, -1] - top[:, -2] > 1e-6
    assert (probabilities.argmax(axis=1) == found.posterior.argmax(axis=1))[is_clear].all()
    assert other.priors_.sort_index().to_numpy() == pytest.approx(found.shares, abs=1e-6)
    rows = pd.MultiIndex.from_arrays([found.row_voters, found.row_chosen])
    theirs_by_row = other.errors_.reindex(rows)[list(range(votes.options))].to_numpy()
    assert np.abs(theirs_by_row - found.confusion).max() < 1e-6


@pytest.mark.parametrize("seed", range(5))
def test_another_implementation_finds_the_same(seed: int) -> None:
    votes, _ = made_up(default_rng(seed))
    found = estimate(votes)
    assert found.has_converged
    compare(votes, found)


def test_voters_who_are_often_right_weigh_more_than_a_majority() -> None:
    votes, truth = made_up(default_rng(0), examples=3_000)
    majority = np.zeros((len(truth), votes.options))
    np.add.at(majority, (votes.examples, votes.chosen), 1)
    right = [(each.argmax(axis=1) == truth).mean() for each in (majority, estimate(votes).posterior)]
    assert right[1] > right[0]


@needs_data
@pytest.mark.parametrize("part", ["r1_dev", "r2_dev"])
def test_another_implementation_finds_the_same_in_published_votes(part: str) -> None:
    votes = published(part)
    compare(votes, estimate(votes, most_rounds=30))


def test_the_order_of_votes_does_not_matter() -> None:
    dice = default_rng(7)
    votes, _ = made_up(dice)
    order = dice.permutation(len(votes))
    shuffled = Votes(votes.examples[order], votes.voters[order], votes.chosen[order], votes.options)
    assert estimate(shuffled).posterior == pytest.approx(estimate(votes).posterior, abs=1e-9)
    assert np.array_equal(estimate(votes).posterior, estimate(votes).posterior)


def test_probabilities_are_probabilities() -> None:
    votes, _ = made_up(default_rng(3), examples=40)
    for lean in (0.0, LEAN):
        found = estimate(votes, lean)
        assert found.posterior.sum(axis=1) == pytest.approx(np.ones(40))
        assert found.shares.sum() == pytest.approx(1)
        assert np.isfinite(found.posterior).all()
        totals = np.zeros((12, votes.options))
        np.add.at(totals, found.row_voters, found.confusion)
        assert (totals <= 1 + 1e-9).all()


@pytest.mark.parametrize("lean", [0.0, LEAN])
def test_one_vote_and_one_option(lean: float) -> None:
    one = np.zeros(1, dtype=np.int64)
    assert estimate(Votes(one, one, one, 1), lean).posterior.tolist() == [[1.0]]
    same = Votes(np.array([0, 0, 1]), np.array([0, 1, 0]), np.array([1, 1, 1]), 2)
    assert estimate(same, lean).posterior == pytest.approx(np.array([[0.0, 1.0]] * 2), abs=1e-6)


def test_rounds_that_run_out_are_told() -> None:
    votes, _ = made_up(default_rng(1))
    found = estimate(votes, most_rounds=2)
    assert (found.rounds, found.has_converged) == (2, False)


def test_voters_with_few_votes_lean_on_the_others() -> None:
    """Fourteen votes each say little of a voter: leaning is right more often, and less sure of what is wrong."""
    dice = default_rng(5)
    votes, truth = made_up(dice, examples=800, voters=285, options=4)
    plain, leant = estimate(votes).posterior, estimate(votes, LEAN).posterior
    rows = np.arange(len(truth))
    assert (leant.argmax(axis=1) == truth).mean() > (plain.argmax(axis=1) == truth).mean()
    surprise = [-np.log(np.maximum(each[rows, truth], 1e-6)).mean() for each in (plain, leant)]
    assert surprise[1] < surprise[0] / 2


def evidence(votes: Votes) -> Evidence:
    ids = [NOBODY] * (int(votes.examples.max()) + 1)
    voters = [NOBODY] * (int(votes.voters.max()) + 1)
    everything = np.ones(len(votes), dtype=np.bool_)
    return Evidence(RoundVotes(votes, everything, ids, voters, [str(each) for each in range(votes.options)]))


def test_what_is_said_of_voters() -> None:
    dice = default_rng(11)
    votes, truth = made_up(dice, examples=2_000)
    found = evidence(votes)
    errors, counts = found.errors_by_voter
    wrong = np.bincount(votes.voters, votes.chosen != truth[votes.examples])
    assert counts.sum() == len(votes)
    assert errors / counts == pytest.approx(wrong / counts, abs=0.03)
    assert found.average_confusion.sum(axis=1) == pytest.approx(np.ones(3))
    assert found.confusion_by_voter.sum(axis=2) == pytest.approx(np.ones((12, 3)))
    rows, columns = found.estimate.row_voters, found.estimate.row_chosen
    assert found.confusion_by_voter[rows, :, columns] == pytest.approx(found.estimate.confusion, abs=1e-6)


def test_unknown_voters_are_one_average_person() -> None:
    """Each as a voter of its own, with a single vote, would make the model sure of anything."""
    votes, truth = made_up(default_rng(13), examples=1_000, each=3)
    nobody = Votes(votes.examples, np.zeros_like(votes.voters), votes.chosen, votes.options)
    found = evidence(nobody)
    right = (found.labels == truth).mean()
    assert found.probabilities.mean() == pytest.approx(right, abs=0.03)
    assert len(found.estimate.row_voters) == votes.options
