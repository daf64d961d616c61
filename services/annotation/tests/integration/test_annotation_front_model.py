"""The model that strangers may ask without signing in, and how one might cheat with it."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any
from uuid import uuid4

import pytest
from annotation.entrypoints.http.app import create_app
from annotation.service_layer.visitor_limits import VisitorLimits
from dynabench_common.http.contracts import checked_against_contract
from flask import Flask
from werkzeug.test import TestResponse

from services.annotation.tests.imported_records import every_row

from .conftest import Platform, Target

ASKED = {"text": "The film lasted three hours, and I wished for a fourth.", "claimed": "positive"}


@dataclass
class Visitors:
    """Requests of visitors without an account to a service with a front model."""

    platform: Platform
    app: Flask
    model: str

    @property
    def target(self) -> Target:
        return self.platform.gateway.targets[self.model]

    def shown(self) -> Any:
        answer = self.app.test_client().get("/api/annotation/v1/front-model")
        assert answer.status_code == 200
        return answer.get_json()

    def ask(
        self, address: str = "192.0.2.1", headers: dict[str, str] | None = None, **more: Any
    ) -> TestResponse:
        return self.app.test_client().post(
            "/api/annotation/v1/front-model/answers",
            json={**ASKED, **more},
            headers={"X-Forwarded-For": address, **(headers or {})},
        )


MakeVisitors = Callable[..., Visitors]


@pytest.fixture
def make_visitors(platform: Platform) -> MakeVisitors:
    """A maker of the service with a model of the test's own for strangers: tests share the database."""

    def make(limits: VisitorLimits | None = None) -> Visitors:
        model = f"front-{uuid4().hex[:8]}"
        platform.gateway.targets[model] = Target(label="negative")
        needed = replace(platform.dependencies, front_model=model, visitors=limits or VisitorLimits())
        app = checked_against_contract(create_app(needed))
        return Visitors(platform, app, model)

    return make


def test_a_stranger_is_told_the_model_and_what_it_answers(make_visitors: MakeVisitors) -> None:
    visitors = make_visitors()
    assert visitors.shown() == {
        "model": visitors.model,
        "labels": ["negative", "neutral", "positive"],
        "longest_text": 300,
    }

    answer = visitors.ask()

    assert (answer.status_code, answer.get_json()) == (
        200,
        {"model": visitors.model, "label": "negative", "probabilities": {"negative": 0.9}, "fooled": True},
    )
    assert visitors.ask(claimed="negative").get_json()["fooled"] is False
    assert visitors.target.instances == [{"text": ASKED["text"]}] * 2


def test_nothing_of_it_is_stored(make_visitors: MakeVisitors) -> None:
    visitors = make_visitors()
    before = every_row(visitors.platform)
    assert visitors.ask(text="A sentence that nobody else has written.").status_code == 200
    assert every_row(visitors.platform) == before


@pytest.mark.parametrize("state", ["open", "paused"])
def test_a_model_that_people_try_to_fool_is_closed_to_strangers(
    make_visitors: MakeVisitors, state: str
) -> None:
    visitors = make_visitors()
    round_id = visitors.platform.open_round([visitors.model])
    if state != "open":
        visitors.platform.set_state(round_id, state)
    asked = len(visitors.target.instances)

    assert visitors.shown()["model"] is None
    answer = visitors.ask()

    assert (answer.status_code, answer.get_json()["type"]) == (409, "/problems/front-model-closed")
    assert len(visitors.target.instances) == asked
    visitors.platform.set_state(round_id, "closed")
    assert visitors.shown()["model"] == visitors.model


def test_a_round_that_takes_the_model_in_meanwhile_keeps_the_answer_back(make_visitors: MakeVisitors) -> None:
    visitors = make_visitors()
    round_id = visitors.platform.draft([visitors.model])
    opened: list[str] = []

    def open_round() -> None:
        if not opened:  # Opening asks the model as well.
            opened.append(round_id)
            visitors.platform.set_state(round_id, "open")

    visitors.target.before_answer = open_round
    answer = visitors.ask()

    assert opened
    assert (answer.status_code, answer.get_json()["type"]) == (409, "/problems/front-model-closed")
    assert "label" not in answer.get_json()


@pytest.mark.parametrize(
    "change",
    [
        {"ready": False},
        {"status": 503},
        {"task_type": "text-pair-classification"},
        {"fields": ("title", "text")},
        {"labels": ("one",)},
    ],
    ids=lambda change: next(iter(change)),
)
def test_a_model_that_is_down_or_does_not_fit_is_not_offered(
    make_visitors: MakeVisitors, change: dict[str, Any]
) -> None:
    visitors = make_visitors()
    for name, value in change.items():
        setattr(visitors.target, name, value)

    assert visitors.shown() == {"model": None, "labels": [], "longest_text": 300}
    assert visitors.ask().status_code == 409


def test_without_a_model_for_strangers_there_is_none(platform: Platform) -> None:
    assert platform.call("GET", "/front-model").get_json()["model"] is None
    assert platform.call("POST", "/front-model/answers", ASKED).status_code == 409


def test_an_answer_that_can_not_be_read_is_no_verdict(make_visitors: MakeVisitors) -> None:
    visitors = make_visitors()
    for broken in ({"label": "great"}, {"label": "positive", "probabilities": "high"}):
        visitors.target.answer = broken
        answer = visitors.ask()
        assert (answer.status_code, answer.get_json()["type"]) == (503, "/problems/front-model-silent")
        assert int(answer.headers["Retry-After"]) > 0


@pytest.mark.parametrize(
    ("more", "field"),
    [
        ({"text": "x" * 301}, "text"),
        ({"text": " \u200b"}, "text"),
        ({"claimed": "great"}, "claimed"),
        ({"model": "sentiment-minilm"}, "model"),
        ({"target": "alpha"}, "target"),
    ],
)
def test_what_can_not_be_asked_is_refused_at_its_field(
    make_visitors: MakeVisitors, more: dict[str, Any], field: str
) -> None:
    visitors = make_visitors()
    answer = visitors.ask(**more)
    assert (answer.status_code, answer.get_json()["field"]) == (422, field)
    assert answer.get_json()["remedy"]
    assert visitors.target.instances == []


def test_a_text_of_a_megabyte_reaches_no_model(make_visitors: MakeVisitors) -> None:
    visitors = make_visitors()
    assert visitors.ask(text="x" * 1_000_000).status_code in {413, 422}
    assert visitors.target.instances == []


def test_an_address_that_asked_enough_is_told_when_to_come_back(make_visitors: MakeVisitors) -> None:
    visitors = make_visitors(VisitorLimits(of_address=2))
    assert [visitors.ask().status_code for _ in range(3)] == [200, 200, 429]

    refused = visitors.ask()

    assert refused.get_json()["type"] == "/problems/front-tries-used-up"
    assert 0 < int(refused.headers["Retry-After"]) <= 600
    assert visitors.ask("198.51.100.7").status_code == 200
    assert len(visitors.target.instances) == 3


@pytest.mark.parametrize(
    ("address", "headers"),
    [
        ("203.0.113.9, 192.0.2.1", {}),
        ("192.0.2.1", {"Cookie": "dynabench_access=another; session=new"}),
        ("192.0.2.1", {"User-Agent": "another browser"}),
        ("::ffff:192.0.2.1", {}),
    ],
    ids=["address before the edge's", "cookies", "browser", "the same in IPv6"],
)
def test_nobody_gets_more_by_looking_like_somebody_else(
    make_visitors: MakeVisitors, address: str, headers: dict[str, str]
) -> None:
    visitors = make_visitors(VisitorLimits(of_address=1))
    assert visitors.ask("192.0.2.1").status_code == 200
    assert visitors.ask(address, headers).status_code == 429


def test_many_addresses_do_not_keep_people_from_their_rounds(make_visitors: MakeVisitors) -> None:
    visitors, person = make_visitors(VisitorLimits(of_all=3)), uuid4()
    statuses = [visitors.ask(f"198.51.100.{number}").status_code for number in range(10)]
    assert statuses == [200] * 3 + [429] * 7

    round_id = visitors.platform.open_round(["alpha"])
    assert visitors.platform.example(round_id, person)["probes_before"] == 0
