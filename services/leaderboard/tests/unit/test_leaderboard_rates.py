"""Worked rates."""

import numpy as np
import pytest
from leaderboard.domain import rates
from leaderboard.domain.rates import NO_AUTHORS, AuthorCounts, Range, figures
from leaderboard.domain.tally import Tally
from leaderboard.entrypoints.http.round_answers import outcomes_answer

WORKED = Tally(
    tries=1000,
    decided=1000,
    fooled=400,
    not_fooled=600,
    pending=100,
    fooled_resolved=300,
    fooled_correct=200,
    stratum_fooled=400,
    stratum_fooled_resolved=300,
    stratum_fooled_errors=200,
    stratum_not_fooled=600,
    possible_errors=100,
)


def test_the_worked_example() -> None:
    """1,000 tries, 400 fooled, 300 of them resolved, 200 confirmed."""
    worked = figures(WORKED, NO_AUTHORS)
    assert worked.mer.value == pytest.approx(0.40)
    assert worked.vmer.value == pytest.approx(0.20)
    assert worked.vmer_projected.rate.value == pytest.approx(0.2667, abs=5e-5)
    assert worked.vmer_projected.not_checked == ("not_fooled",)
    assert worked.validity.value == pytest.approx(0.667, abs=5e-4)
    assert (worked.mer.n, worked.vmer.n, worked.validity.n) == (1000, 1000, 300)
    assert worked.total.resolved == 300


def test_the_outcomes_add_up_to_the_tries() -> None:
    """20 more tries have no verdict or are retracted; votes on those that did not fool are no outcome of fooling."""
    more = WORKED._replace(tries=1020, retracted=9, undecided=1, unknown=3, no_target=7)
    outcomes = outcomes_answer(more._replace(stratum_not_fooled_resolved=60, stratum_not_fooled_errors=3))
    assert (outcomes.confirmed, outcomes.not_confirmed, outcomes.being_checked) == (200, 100, 100)
    assert sum(outcomes.document().values()) == more.tries


def test_the_sampled_rest_adds_to_the_projected_rate() -> None:
    sampled = WORKED._replace(stratum_not_fooled_resolved=60, stratum_not_fooled_errors=3)
    projected = rates.vmer_projected(sampled, NO_AUTHORS)
    assert projected.rate.value == pytest.approx(0.4 * 200 / 300 + 0.6 * 3 / 60)
    assert projected.not_checked == ()


def test_a_stratum_without_tries_is_not_called_unchecked() -> None:
    all_fooled = Tally(tries=4, decided=4, fooled=4, stratum_fooled=4)
    assert rates.vmer_projected(all_fooled, NO_AUTHORS).not_checked == ("fooled",)


def test_a_retracted_fooling_stays_below_the_line() -> None:
    total = Tally(tries=10, decided=10, fooled=3, retracted=1, stratum_fooled=3, stratum_not_fooled=6)
    assert rates.mer(total, NO_AUTHORS).value == pytest.approx(0.3)


def test_nothing_to_divide_by_is_said() -> None:
    empty = figures(Tally(), NO_AUTHORS)
    assert [empty.mer.value, empty.vmer.value, empty.validity.value] == [None, None, None]
    assert empty.vmer_projected.rate.value is None
    assert empty.mer.reason == empty.vmer.reason == empty.vmer_projected.rate.reason == "no tries yet"
    assert empty.validity.reason == "no try that fooled is checked yet"


def test_tries_without_a_verdict_are_outside_the_rates() -> None:
    imported = figures(Tally(tries=8, unknown=8, apart_resolved=8, apart_errors=5), NO_AUTHORS)
    assert (imported.mer.value, imported.mer.reason) == (None, "no try has a verdict")
    assert imported.validated_errors == 5
    assert imported.total.resolved == 8


def authors(decided: list[int], fooled: list[int], *, are_known: bool = True) -> AuthorCounts:
    counts, zeros = np.array(decided), np.zeros(len(decided), dtype=np.int64)
    return AuthorCounts(counts, np.array(fooled), zeros, zeros, zeros, are_known=are_known)


def test_few_annotators_have_no_interval_and_the_reason_counts_them() -> None:
    rate = rates.mer(Tally(tries=8, decided=8, fooled=4), authors([2, 2, 2, 2], [1, 1, 1, 1]))
    assert (rate.value, rate.low, rate.high) == (0.5, None, None)
    assert rate.reason == "too few annotators for an interval: 4, at least 5 are needed"


def test_unknown_authors_have_no_interval() -> None:
    rate = rates.mer(Tally(tries=12, decided=12, fooled=6), authors([2] * 6, [1] * 6, are_known=False))
    assert (rate.value, rate.low, rate.reason) == (0.5, None, "no interval: authors unknown")


def test_validity_is_withheld_where_everybody_was_unsure() -> None:
    unsure = Tally(tries=9, decided=9, fooled=4, stratum_fooled=4, stratum_fooled_resolved=4)
    found = rates.validity(unsure, NO_AUTHORS)
    assert (found.value, found.n) == (None, 0)
    assert found.reason == "no try that fooled has a clear answer yet"


def test_a_target_that_was_not_fooled_is_not_said_to_have_left_people_unsure() -> None:
    """The other target of the round fooled, and votes confirmed it."""
    held = Tally(tries=9, decided=9, not_fooled=9, stratum_fooled=4, stratum_fooled_resolved=4)
    reason = rates.validity(held, NO_AUTHORS).reason
    assert reason == "no try that fooled has a clear answer yet"


def test_what_vmer_can_still_come_to() -> None:
    """200 of 1,000 are errors; if all of the 100 that wait become some, 300 are."""
    assert rates.vmer_range(WORKED) == Range(0.2, 0.3, 100)


def test_once_all_are_in_the_range_is_vmer() -> None:
    done = Tally(
        tries=10, decided=10, fooled=4, stratum_fooled=4, stratum_fooled_resolved=4, stratum_fooled_errors=3
    )
    assert rates.vmer_range(done) == Range(0.3, 0.3, 0)


def test_without_a_verdict_there_is_no_range() -> None:
    assert rates.vmer_range(Tally(tries=3, unknown=3)) == Range(None, None, 0)


def checked_by_author(resolved: list[int]) -> AuthorCounts:
    """Eight authors of 20 tries, 8 of which fooled; of those resolved, half are errors."""
    tries, zeros = np.full(8, 20), np.zeros(8, dtype=np.int64)
    fooled, checked = np.full(8, 8), np.array(resolved)
    errors = checked // 2
    return AuthorCounts(
        tries, fooled, errors, checked, errors, fooled, checked, errors, tries - fooled, zeros
    )


def total_of(authors: AuthorCounts) -> Tally:
    return Tally(
        tries=160,
        decided=160,
        fooled=64,
        stratum_fooled=64,
        stratum_fooled_resolved=int(authors.stratum_fooled_resolved.sum()),
        stratum_fooled_errors=int(authors.stratum_fooled_errors.sum()),
        stratum_not_fooled=96,
    )


def test_the_projected_rate_has_an_interval_that_holds_it_and_not_the_rate_so_far() -> None:
    """Two of eight fooling tries of each author are resolved: 8 errors so far, 32 projected, of 160."""
    authors = checked_by_author([2] * 8)
    worked = figures(total_of(authors), authors)
    projected = worked.vmer_projected.rate
    assert worked.vmer.value == pytest.approx(0.05)
    assert projected.value == pytest.approx(0.2)
    assert projected.low is not None
    assert projected.high is not None
    assert 0.05 < projected.low < 0.2 < projected.high < 0.5


def test_the_projected_rate_of_a_round_that_is_all_checked_is_vmer() -> None:
    authors = checked_by_author([8] * 8)
    worked = figures(total_of(authors), authors)
    assert worked.vmer_projected.rate.value == pytest.approx(worked.vmer.value)
    assert worked.vmer_projected.rate.low == pytest.approx(worked.vmer.low)
    assert worked.vmer_projected.rate.high == pytest.approx(worked.vmer.high)


def test_votes_on_too_few_authors_project_without_an_interval() -> None:
    authors = checked_by_author([8, 8, 2, 0, 0, 0, 0, 0])
    projected = figures(total_of(authors), authors).vmer_projected.rate
    assert projected.value == pytest.approx(0.2)
    assert projected.low is None
    assert projected.reason == "too few annotators for an interval: 3, at least 5 are needed"
