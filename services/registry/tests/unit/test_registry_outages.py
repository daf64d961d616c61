"""The outage rule for targets of open rounds: each row is one case."""

from datetime import UTC, datetime, timedelta

import pytest
from dynabench_events import EventRecord
from dynabench_events.model import TargetAnswersAgain, TargetStoppedAnswering
from registry.domain.outages import NOT_SERVED, Outage, SeenModel, Sight, after_look, sights

START = datetime(2026, 1, 5, 12, tzinfo=UTC)
PATIENCE = timedelta(seconds=40)
UP = Sight("cnn-v1", answers=True)
DOWN = Sight("cnn-v1", answers=False, reason="no worker was ready within 120 s")
UNKNOWN = Sight("cnn-v1", answers=False, is_known=False)


def told(looks: list[tuple[int, Sight]]) -> list[tuple[int, EventRecord]]:
    """Return the events that observations at these seconds cause."""
    outage, found = Outage("cnn-v1"), []
    for second, sight in looks:
        outage, event = after_look(outage, sight, START + timedelta(seconds=second), PATIENCE)
        if event is not None:
            found.append((second, event))
    return found


def every_ten(sights_: str) -> list[tuple[int, Sight]]:
    """Return observations every ten seconds: `u` it answers, `d` it does not, `?` its server does not."""
    return [(10 * at, {"u": UP, "d": DOWN, "?": UNKNOWN}[name]) for at, name in enumerate(sights_)]


@pytest.mark.parametrize(
    ("looks", "at"),
    [
        pytest.param("uuuuuuuuuu", [], id="what answers is left alone"),
        pytest.param("udddd", [], id="less than its time"),
        pytest.param("uddddd", [50], id="its time without a break"),
        pytest.param("uddddddddddd", [50], id="told once however long it lasts"),
        pytest.param("udddudddu", [], id="each answer begins its time anew"),
        pytest.param(
            "uddd?ddddd", [90], id="while its server is away nothing is known, and its time begins anew"
        ),
        pytest.param("u??????????", [], id="a serving tier that is down takes nothing out"),
        pytest.param("uddddd??u", [50, 80], id="what was told is taken back once it answers"),
        pytest.param("udddddudddd", [50, 60], id="after that its time begins anew"),
        pytest.param("udddddudddddd", [50, 60, 110], id="and a second failure is told as the first"),
    ],
)
def test_what_is_told_and_when(looks: str, at: list[int]) -> None:
    events = told(every_ten(looks))
    assert [second for second, _ in events] == at
    kinds = [TargetStoppedAnswering, TargetAnswersAgain, TargetStoppedAnswering][: len(at)]
    assert [type(event) for _, event in events] == kinds
    assert len({event.aggregate_id for _, event in events}) <= 1


def test_looks_that_nobody_made_are_no_sight_of_a_failure() -> None:
    assert told([(0, DOWN), (10, DOWN), (600, DOWN), (610, DOWN)]) == []
    ((second, event),) = told([(0, DOWN), (600, DOWN), (620, DOWN), (640, DOWN)])
    assert isinstance(event, TargetStoppedAnswering)
    assert (second, event.since, event.reason) == (640, START + timedelta(seconds=600), DOWN.reason)


def model(name: str, state: str, pool: str = "shared", *, is_server_away: bool = False) -> SeenModel:
    return SeenModel(name, pool, state == "ready", state == "stopped", is_server_away, "why")


@pytest.mark.parametrize(
    ("models", "expected"),
    [
        pytest.param([model("a", "ready")], Sight("a", answers=True), id="it answers"),
        pytest.param(
            [model("a", "stopped")],
            Sight("a", answers=True),
            id="it starts when it is asked, which is no failure",
        ),
        pytest.param([], Sight("a", answers=False, reason=NOT_SERVED), id="nobody serves it"),
        pytest.param(
            [model("a", "failed"), model("b", "ready")],
            Sight("a", answers=False, reason="why"),
            id="it fails and another one answers",
        ),
        pytest.param(
            [model("a", "failed")], Sight("a", answers=False, reason="why"), id="it is alone and fails"
        ),
        pytest.param(
            [model("a", "failed"), model("b", "starting"), model("c", "stopped")],
            Sight("a", answers=False, is_known=False, reason="why"),
            id="no model of its pool answers: the pool fails",
        ),
        pytest.param(
            [model("a", "failed"), model("b", "starting"), model("c", "ready", "sandboxed")],
            Sight("a", answers=False, is_known=False, reason="why"),
            id="another pool says nothing of it",
        ),
        pytest.param(
            [model("a", "starting", is_server_away=True), model("b", "ready")],
            Sight("a", answers=False, is_known=False, reason="why"),
            id="its server is away",
        ),
    ],
)
def test_what_a_look_shows(models: list[SeenModel], expected: Sight) -> None:
    assert sights(["a"], models) == [expected]
