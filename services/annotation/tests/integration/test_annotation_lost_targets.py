"""Open rounds lose targets that have stopped answering: once, by several workers, whatever comes in which order."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import permutations
from typing import Any
from uuid import UUID, uuid4, uuid5

import pytest
from annotation.adapters import tables
from annotation.adapters.target_outages import OutageProjection
from annotation.adapters.unit_of_work import UnitOfWork
from annotation.bootstrap import build_gateway
from annotation.domain.identifiers import NOBODY
from annotation.service_layer.failing_targets import take_out_failing
from annotation.settings import AnnotationSettings
from dynabench.task.v1.task_pb2 import RoundLostTarget, RoundStateChanged, RoundTargetsChanged
from dynabench_common.events.cloud_events import Event
from dynabench_events import EventRecord, encode
from dynabench_events.model import TargetAnswersAgain, TargetStoppedAnswering
from sqlalchemy import delete, select

from .conftest import Platform, Target

SINCE = datetime(2026, 1, 5, 11, 50, tzinfo=UTC)
PERSON = UUID("0195c1f0-0000-7000-8000-0000000000b1")
TARGETS = UUID("dcc4b4c0-3f2e-4d35-9c39-8e1c5f0c6a71")
WHY = "no worker was ready within 120 s"
MakePlatform = Callable[..., Platform]


def stopped(target: str, version: int = 1) -> Event:
    record = TargetStoppedAnswering(
        target_id=uuid5(TARGETS, target),
        serving_name=target,
        since=SINCE,
        reason=WHY,
        noticed_at=SINCE + timedelta(minutes=10),
    )
    return event(record, version)


def again(target: str, version: int = 2) -> Event:
    record = TargetAnswersAgain(target_id=uuid5(TARGETS, target), serving_name=target, noticed_at=SINCE)
    return event(record, version)


def event(record: EventRecord, version: int) -> Event:
    message = encode(record)
    return Event(
        uuid4(),
        message.DESCRIPTOR.full_name,
        "/registry",
        SINCE,
        record.aggregate_id,
        version,
        message,
        "dynabench.model.v1",
    )


@pytest.fixture
def take_in(platform: Platform) -> Iterator[Callable[..., None]]:
    engine = platform.dependencies.engine

    def forget() -> None:
        with engine.begin() as connection:
            connection.execute(delete(tables.target_outage))
            connection.execute(tables.round_.update().values(state="closed"))

    def take(*events: Event) -> None:
        with engine.begin() as connection:
            OutageProjection().apply(connection, events)

    forget()
    yield take
    forget()


@pytest.fixture
def step(platform: Platform, annotation_settings: AnnotationSettings) -> Callable[[], int]:
    app = replace(platform.dependencies, gateway=build_gateway(annotation_settings))
    return lambda: take_out_failing(app)


def told(platform: Platform, round_id: str) -> list[Any]:
    """Return the events about losing targets of a round."""
    kinds = {
        each.DESCRIPTOR.full_name: each for each in (RoundLostTarget, RoundTargetsChanged, RoundStateChanged)
    }
    outbox = tables.outbox.c
    chosen = select(outbox.type, outbox.payload).where(outbox.type.in_(kinds)).order_by(outbox.id)
    with platform.dependencies.engine.connect() as connection:
        found = [kinds[row.type].FromString(row.payload) for row in connection.execute(chosen)]
    return [each for each in found if each.round_id == round_id][1:]


def test_the_round_goes_on_without_it_and_says_why(
    platform: Platform, take_in: Callable[..., None], step: Callable[[], int]
) -> None:
    round_id = platform.open_round(("alpha", "beta"))
    first = platform.example(round_id, PERSON)
    platform.gateway.targets["beta"].ready = False
    assert step() == 0
    take_in(stopped("beta"))
    assert step() == 1
    assert step() == 0
    shown = platform.call("GET", f"/rounds/{round_id}").get_json()
    assert (shown["state"], shown["targets"]) == ("open", ["alpha"])
    (lost,) = platform.call("GET", f"/rounds/{round_id}/lost-targets").get_json()["items"]
    assert (lost["target"], lost["paused"], lost["reason"]) == ("beta", False, WHY)
    assert lost["failing_since"] == "2026-01-05T11:50:00Z"
    said, changed = told(platform, round_id)
    assert (said.target, said.paused) == ("beta", False)
    assert (list(changed.targets), changed.changed_by) == (["alpha"], str(NOBODY))
    assert changed.reason == (f"beta had not answered since 2026-01-05 11:50 UTC. The registry says: {WHY}")
    second = platform.example(round_id, PERSON)
    assert second["segment_id"] != first["segment_id"]
    assert [each["target"] for each in second["answers"]] == ["alpha"]


def test_a_round_is_paused_rather_than_left_without_targets(
    platform: Platform, take_in: Callable[..., None], step: Callable[[], int]
) -> None:
    round_id = platform.open_round(("alpha", "beta"))
    for target in ("alpha", "beta"):
        platform.gateway.targets[target].ready = False
        take_in(stopped(target))
    assert step() == 2
    assert step() == 0
    shown = platform.call("GET", f"/rounds/{round_id}").get_json()
    assert (shown["state"], shown["targets"]) == ("paused", ["beta"])
    items = platform.call("GET", f"/rounds/{round_id}/lost-targets").get_json()["items"]
    assert {(each["target"], each["paused"]) for each in items} == {("alpha", False), ("beta", True)}
    *_, paused = told(platform, round_id)
    assert (paused.changed_by, paused.reason.startswith("beta had not answered")) == ("", True)


def test_a_round_whose_rule_needs_it_is_paused(
    make_platform: MakePlatform,
    take_in: Callable[..., None],
    annotation_settings: AnnotationSettings,
) -> None:
    platform = make_platform(ensemble={"at_least": 2})
    round_id = platform.open_round(("alpha", "beta"))
    platform.gateway.targets["beta"].ready = False
    take_in(stopped("beta"))
    app = replace(platform.dependencies, gateway=build_gateway(annotation_settings))
    assert take_out_failing(app) == 1
    shown = platform.call("GET", f"/rounds/{round_id}").get_json()
    assert (shown["state"], shown["targets"]) == ("paused", ["alpha", "beta"])


def test_an_owner_puts_it_back_once_it_answers(
    platform: Platform, take_in: Callable[..., None], step: Callable[[], int]
) -> None:
    round_id = platform.open_round(("alpha", "beta"))
    platform.gateway.targets["beta"].ready = False
    take_in(stopped("beta"))
    step()
    path, back = f"/rounds/{round_id}/targets", {"targets": ["alpha", "beta"], "reason": "It is mended."}
    roles = [f"owner:{platform.slug}"]
    assert platform.call("PUT", path, back, person=PERSON, roles=roles).status_code == 409
    platform.gateway.targets["beta"].ready = True
    assert platform.call("PUT", path, back, person=PERSON, roles=roles).status_code == 200
    assert step() == 0, "it answers, though the registry has not said so yet"
    take_in(again("beta"))
    platform.gateway.targets["beta"].ready = False
    assert step() == 0, "a new failure has not lasted long enough"


@pytest.mark.parametrize("state", ["draft", "paused", "closed"])
def test_rounds_that_are_not_open_keep_their_targets(
    platform: Platform, take_in: Callable[..., None], step: Callable[[], int], state: str
) -> None:
    round_id = platform.draft(("alpha", "beta"))
    for move in {"draft": (), "paused": ("open", "paused"), "closed": ("open", "closed")}[state]:
        platform.set_state(round_id, move)
    platform.gateway.targets["beta"].ready = False
    take_in(stopped("beta"))
    step()
    assert platform.call("GET", f"/rounds/{round_id}").get_json()["targets"] == ["alpha", "beta"]


def test_nothing_is_taken_out_while_the_gateway_knows_nothing(
    platform: Platform, take_in: Callable[..., None], step: Callable[[], int]
) -> None:
    round_id = platform.open_round(("alpha", "beta"))
    platform.gateway.targets["beta"].status = 503
    take_in(stopped("beta"))
    assert step() == 0
    del platform.gateway.targets["beta"]
    assert step() == 1
    assert platform.call("GET", f"/rounds/{round_id}").get_json()["targets"] == ["alpha"]
    platform.gateway.targets["beta"] = Target()


def test_the_newest_word_of_the_registry_counts_in_any_order(
    platform: Platform, take_in: Callable[..., None], step: Callable[[], int]
) -> None:
    platform.open_round(("alpha", "beta"))
    platform.gateway.targets["beta"].ready = False
    engine = platform.dependencies.engine
    for story in permutations([stopped("beta", 1), again("beta", 2), stopped("beta", 3), again("beta", 4)]):
        with engine.begin() as connection:
            connection.execute(delete(tables.target_outage))
        take_in(*story, story[0])
        assert step() == 0


def test_several_workers_and_one_that_dies_take_it_out_once(
    platform: Platform,
    take_in: Callable[..., None],
    step: Callable[[], int],
    annotation_settings: AnnotationSettings,
) -> None:
    round_id = platform.open_round(("alpha", "beta"))
    platform.gateway.targets["beta"].ready = False
    take_in(stopped("beta"))
    engine = platform.dependencies.engine

    class Dies(UnitOfWork):
        def commit(self) -> None:
            raise SystemExit

    def dying() -> UnitOfWork:
        return Dies(engine)

    with pytest.raises(SystemExit):
        take_out_failing(
            replace(platform.dependencies, unit_of_work=dying, gateway=build_gateway(annotation_settings))
        )
    assert told(platform, round_id) == []
    assert sorted(platform.at_once(step, step, step)) == [0, 0, 1]
    assert len(told(platform, round_id)) == 2
