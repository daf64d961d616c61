"""Statistics of voters: intervals over people, pairs that agree too often, and the number of votes needed."""

from collections.abc import Sequence
from uuid import UUID

import numpy as np
import pytest
from dynabench_tasks.resolution import Adaptive, Fixed, Policy
from dynabench_tasks.statistics.intervals import wilson_interval
from numpy.random import Generator, default_rng
from validation.domain.agreement import UNKNOWN_VOTERS, rate_of_voters
from validation.domain.statistics.agreeing_pairs import AgreeingPair, agreeing_pairs, holm
from validation.domain.statistics.dawid_skene import Votes
from validation.domain.statistics.round_votes import AverageVoter, Evidence, RoundVotes
from validation.domain.votes_advice import ERROR_TO_HOLD, describe, outlook, suggestions

NOTHING = "no votes yet"


@pytest.mark.parametrize(
    ("successes", "votes", "value", "n", "reason"),
    [
        ([], [], None, 0, NOTHING),
        ([0, 0], [0, 0], None, 0, NOTHING),
        ([3], [4], 0.75, 4, "too few people for an interval: 1, at least 5 are needed"),
        ([3, 1, 2, 2], [4, 1, 3, 2], 0.8, 10, "too few people for an interval: 4, at least 5 are needed"),
    ],
)
def test_shares_without_an_interval_say_why(
    successes: list[float], votes: list[float], value: float | None, n: int, reason: str
) -> None:
    rate = rate_of_voters(np.array(successes, dtype=float), np.array(votes, dtype=float), NOTHING)
    assert (rate.value, rate.low, rate.high, rate.n, rate.reason) == (value, None, None, n, reason)


def test_unknown_people_give_a_share_without_an_interval() -> None:
    rate = rate_of_voters(np.full(9, 2.0), np.full(9, 4.0), NOTHING, are_known=False)
    assert (rate.value, rate.low, rate.reason) == (0.5, None, UNKNOWN_VOTERS)


def test_the_interval_by_hand() -> None:
    """Five people of two votes, 1 1 1 2 0: p = 1/2, without each 4/8, 4/8, 4/8, 3/8, 5/8.

    s² = 4/5 · (1/64 + 1/64) = 1/40; t(0.975, 4) = 2.7764; reach 2.7764 · 0.1581 / 0.25 = 1.7560 on the logit scale.
    """
    rate = rate_of_voters(np.array([1.0, 1, 1, 2, 0]), np.full(5, 2.0), NOTHING)
    assert rate.value == 0.5
    assert (rate.low, rate.high) == pytest.approx((0.1473, 0.8527), abs=1e-4)


def test_where_all_agree_votes_of_one_person_count_for_less() -> None:
    """3 of one person and 6 of others, taken as alike as is expected: Σn² / N is 15 / 9."""
    rate = rate_of_voters(np.array([3.0, 1, 1, 1, 1, 1, 1]), np.array([3.0, 1, 1, 1, 1, 1, 1]), NOTHING)
    assert (rate.low, rate.high) == pytest.approx(wilson_interval(1.0, 9 / (1 + 0.1 * (15 / 9 - 1))))


def test_one_person_who_gave_most_votes_is_named() -> None:
    rate = rate_of_voters(np.array([10.0, 1, 1, 1, 1]), np.array([10.0, 1, 1, 1, 1]), NOTHING)
    assert (rate.value, rate.low, rate.reason) == (
        1.0,
        None,
        "no interval: one person gave 71 % of these votes",
    )


def test_holm() -> None:
    assert holm(np.array([0.01, 0.04, 0.03, 0.9])).tolist() == pytest.approx([0.04, 0.09, 0.09, 0.9])
    assert holm(np.array([0.5, 0.6])).tolist() == [1.0, 1.0]


def people(dice: Generator, examples: int, voters: int, each: int) -> tuple[Votes, np.ndarray]:
    truth = dice.integers(0, 3, examples)
    skill = dice.uniform(0.65, 0.9, voters)
    who = np.concatenate([np.sort(dice.choice(voters, each, replace=False)) for _ in range(examples)])
    on = np.repeat(np.arange(examples), each)
    wrong = (truth[on] + dice.integers(1, 3, len(on))) % 3
    return Votes(on, who, np.where(dice.random(len(on)) < skill[who], truth[on], wrong), 3), truth


def found_pairs(
    votes: Votes, unknown: int | None = None, basis: Sequence[bool] | None = None
) -> list[AgreeingPair]:
    marks = np.ones(len(votes), dtype=np.bool_) if basis is None else np.array(basis)
    ids = [UUID(int=number) for number in range(int(votes.examples.max()) + 1)]
    voters = [UUID(int=number) for number in range(int(votes.voters.max()) + 1)]
    return agreeing_pairs(Evidence(RoundVotes(votes, marks, ids, voters, ["a", "b", "c"])), unknown)


@pytest.mark.parametrize("seed", range(6))
def test_good_voters_agree_often_and_are_no_pair(seed: int) -> None:
    """At 5 % for all pairs together, one false pair in twenty such rounds; these six seeds have none."""
    votes, _ = people(default_rng(seed), examples=600, voters=20, each=5)
    assert found_pairs(votes) == []


def copying(dice: Generator) -> Votes:
    """Voter 1 says whatever voter 0 says."""
    votes, _ = people(dice, examples=600, voters=12, each=4)
    chosen = votes.chosen.copy()
    leader = {int(votes.examples[i]): int(chosen[i]) for i in np.flatnonzero(votes.voters == 0)}
    for i in np.flatnonzero(votes.voters == 1):
        chosen[i] = leader.get(int(votes.examples[i]), chosen[i])
    return Votes(votes.examples, votes.voters, chosen, 3)


def test_a_voter_who_copies_is_found() -> None:
    votes = copying(default_rng(2))
    pairs = found_pairs(votes)
    assert [(pair.a, pair.b) for pair in pairs] == [(0, 1)]
    assert pairs[0].agreed == pairs[0].examples > pairs[0].expected
    assert pairs[0].p_adjusted < 0.01


def test_nobody_is_paired_with_unknown_voters_or_by_votes_that_are_not_compared() -> None:
    votes = copying(default_rng(2))
    assert found_pairs(votes, unknown=1) == []
    assert found_pairs(votes, basis=(votes.voters != 0).tolist()) == []
    assert found_pairs(Votes(votes.examples[:1], votes.voters[:1], votes.chosen[:1], 3)) == []


def voter(error: float, options: int = 2) -> AverageVoter:
    """A voter who is wrong that often, in every way alike."""
    off = error / (options - 1)
    rows = tuple(
        tuple(1 - error if truth == answer else off for answer in range(options)) for truth in range(options)
    )
    names = tuple(str(option) for option in range(options))
    return AverageVoter(names, (1 / options,) * options, rows, examples=100)


def test_where_examples_differ_in_how_hard_they_are_the_advice_is_too_sure() -> None:
    """On one example in five people are right in 60 %, on the others in 97 %; the advice takes them for alike."""
    dice, examples = default_rng(1), 3_000
    truth = dice.integers(3, size=examples)
    chance = np.where(dice.random(examples) < 0.2, 0.6, 0.97)
    off = dice.integers(1, 3, size=(examples, 3)) * (dice.random((examples, 3)) > chance[:, None])
    chosen = (truth[:, None] + off) % 3
    voters = np.concatenate([dice.choice(30, 3, replace=False) for _ in range(examples)])
    votes = Votes(np.repeat(np.arange(examples), 3), voters, chosen.ravel(), 3)
    people, ids = [UUID(int=each) for each in range(30)], [UUID(int=each) for each in range(examples)]
    held = RoundVotes(votes, np.ones(len(votes), dtype=np.bool_), ids, people, ["a", "b", "c"])
    shown = outlook(Fixed(3, 2), Evidence(held).average_voter).resolution_error
    counts = np.stack([(chosen == option).sum(axis=1) for option in range(3)], axis=1)
    resolved = counts.max(axis=1) >= 2
    wrong = (counts.argmax(axis=1) != truth)[resolved].mean()
    assert shown == pytest.approx(0.014, abs=0.003)
    assert wrong == pytest.approx(0.041, abs=0.004)


E = 0.2
TWO_OF_THREE_WRONG = 3 * E**2 * (1 - E) + E**3


@pytest.mark.parametrize(
    ("policy", "votes", "error", "disputed"),
    [
        (Fixed(1, 1), 1, E, 0),
        (Fixed(3, 2), 3, TWO_OF_THREE_WRONG, 0),
        # The third vote is cast only where the first two differ; the outcome is that of three.
        (Adaptive(2, 3), 2 + 2 * E * (1 - E), TWO_OF_THREE_WRONG, 0),
        # Both must agree: wrong only if both are.
        (Adaptive(2, 2), 2, E**2 / (E**2 + (1 - E) ** 2), 2 * E * (1 - E)),
    ],
)
def test_what_a_policy_leads_to(policy: Policy, votes: float, error: float, disputed: float) -> None:
    found = outlook(policy, voter(E))
    assert found.expected_votes == pytest.approx(votes)
    assert found.resolution_error == pytest.approx(error)
    assert found.disputed == pytest.approx(disputed)


def test_people_who_never_err_need_no_more_votes() -> None:
    found = outlook(Adaptive(2, 3), voter(0.0))
    assert (found.expected_votes, found.resolution_error, found.disputed) == (2, 0, 0)


def test_the_more_people_err_the_more_votes_are_suggested() -> None:
    good, poor = suggestions(voter(0.05)), suggestions(voter(0.2))
    assert good[0].policy == Adaptive(2, 3)
    for found in (good, poor):
        assert [each.expected_votes for each in found] == sorted(each.expected_votes for each in found)
        assert all((each.resolution_error or 0) < ERROR_TO_HOLD for each in found)
    assert poor[0].expected_votes > good[0].expected_votes
    assert suggestions(voter(0.5)) == []


def test_rare_options_are_taken_together() -> None:
    many = outlook(Fixed(3, 2), voter(0.1, options=20))
    assert many.resolution_error is not None
    assert many.resolution_error < 0.05
    assert many.expected_votes == pytest.approx(3)


def test_policies_read_as_in_a_configuration() -> None:
    assert describe(Adaptive(2, 3)) == {"adaptive": {"agree": 2, "max_votes": 3}}
    assert describe(Fixed(5, 3)) == {"fixed": {"votes": 5, "agree": 3}}
