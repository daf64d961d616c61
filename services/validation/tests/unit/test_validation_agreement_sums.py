"""Updates of the stored agreement sums: differences of the shares of examples."""

from uuid import uuid4

from dynabench_common.identifiers import new_id
from validation.adapters.agreement_shares import Share
from validation.adapters.agreement_sums import differences
from validation.domain.groups import WHOLE_ROUND
from validation.domain.statistics.vote_sums import Measure, SumKey

ROUND = uuid4()


def share(option: str) -> Share:
    return Share(ROUND, (WHOLE_ROUND,), ((SumKey(Measure.OPTION, 1, option), 1),), ())


def test_a_round_has_changed_even_where_the_changes_of_its_examples_even_out() -> None:
    one, other = new_id(), new_id()
    before, after = {one: share("a"), other: share("b")}, {one: share("b"), other: share("a")}
    found = differences(before, after, [one, other])
    assert not any(found.sums().values())
    assert found.rounds == {ROUND}


def test_an_example_that_adds_what_it_added_changes_nothing() -> None:
    example_id = new_id()
    assert not differences({example_id: share("a")}, {example_id: share("a")}, [example_id]).rounds
