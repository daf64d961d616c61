"""Answers can be made of whatever the domain can say: models without an interval, rates without a value, empty rounds.

The types of the domain say which states there are; hypothesis makes records of them.
"""

import pkgutil
from collections.abc import Callable, Iterator
from importlib import import_module
from typing import Any, get_type_hints

import leaderboard.entrypoints.http
import pytest
from dynabench_tasks.resolution import Resolution
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from leaderboard.domain.model_board import Row
from leaderboard.domain.model_facts import RankedModel
from leaderboard.domain.standing import Funnel
from leaderboard.domain.target_proposals import PassedOver, ProposedTarget
from pydantic import BaseModel

MODELS = st.builds(RankedModel, scores=st.just({}))
PLACES = st.tuples(st.integers(), st.integers())
RANKED = st.builds(Row, model=MODELS, rank=st.integers(), rank_set=PLACES, score=st.floats())
OUTCOMES = st.fixed_dictionaries({each.value: st.integers() for each in Resolution})
PROMISING = {
    ProposedTarget: st.builds(ProposedTarget, row=RANKED),
    PassedOver: st.builds(PassedOver, row=st.builds(Row, model=MODELS)),
    Funnel: st.builds(Funnel, outcomes=OUTCOMES),
    int: st.integers(min_value=1, max_value=2),
}
"""Records that promise more than their types say."""
OF_BOARDS = {
    *("DimensionAnswer", "ModelBoardAnswer", "ModelOnDatasetAnswer", "ModelRowAnswer", "MovingPartsAnswer"),
    *("SnapshotAnswer", "StandingAnswer", "StandingsAnswer", "UserBoardAnswer", "TargetProposalsAnswer"),
}
"""Answers made of parts that belong together; the integration tests ask for them."""


def makers() -> Iterator[Callable[..., BaseModel]]:
    package = leaderboard.entrypoints.http
    for found in pkgutil.iter_modules(package.__path__):
        module = import_module(f"{package.__name__}.{found.name}")
        for name, value in vars(module).items():
            is_made_here = isinstance(value, type) and value.__module__ == module.__name__
            if is_made_here and "of" in vars(value) and name not in OF_BOARDS:
                yield value.of


@pytest.mark.parametrize("make", list(makers()), ids=lambda each: each.__self__.__name__)
def test_an_answer_has_a_place_for_every_state(make: Callable[..., BaseModel]) -> None:
    hints = {name: kind for name, kind in get_type_hints(make).items() if name != "return"}
    parts = {name: PROMISING.get(kind, st.from_type(kind)) for name, kind in hints.items()}

    @settings(max_examples=4, deadline=None, database=None, suppress_health_check=list(HealthCheck))
    @given(st.fixed_dictionaries(parts))
    def answers(given_parts: dict[str, Any]) -> None:
        make(**given_parts)

    answers()
