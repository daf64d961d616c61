"""Direct calls of people count as probes; services count their own calls."""

from uuid import uuid4

import pytest

from .conftest import Gateway

PATH = "/api/annotation/v1/targets/mini/probes"
OWNERS = [["owner:sentiment"], ["admin"]]


@pytest.mark.parametrize("roles", OWNERS)
def test_each_answer_that_a_person_gets_is_counted(gateway: Gateway, roles: list[str]) -> None:
    person = uuid4()
    headers = gateway.issuer.headers(person, roles)

    assert gateway.predict("a", "error", "b", headers=headers).status == 200
    assert gateway.explain("c", headers=headers).status == 200
    again = gateway.explain("c", headers=headers)

    assert again.headers["X-Cache"] == "hit"
    assert gateway.annotation.counted == [
        (PATH, {"person_id": str(person), "texts": texts, "also_in_the_loop": True}) for texts in (2, 1, 1)
    ]


@pytest.mark.parametrize("roles", [[], ["annotator"], ["owner:another-task"]])
def test_a_target_in_the_loop_answers_nobody_but_those_who_look_after_it(
    gateway: Gateway, roles: list[str]
) -> None:
    gateway.annotation.in_the_loop.add("mini")
    headers = gateway.issuer.headers(uuid4(), roles)
    for refused in (gateway.predict("a", headers=headers), gateway.explain("a", headers=headers)):
        assert (refused.status, refused.json()["type"]) == (403, "/problems/target-in-the-loop")
        assert b"predictions" not in refused.data
    for role in ("owner:sentiment", "admin"):
        assert gateway.predict("a", headers=gateway.issuer.headers(uuid4(), [role])).status == 200
    gateway.annotation.in_the_loop.clear()
    assert gateway.predict("a", headers=headers).status == 200


def test_what_services_ask_is_not_counted_here(gateway: Gateway) -> None:
    gateway.predict("a", headers={"X-On-Behalf-Of": str(uuid4())})
    gateway.explain("a")
    assert gateway.annotation.counted == []


def test_who_learns_nothing_is_not_counted(gateway: Gateway) -> None:
    headers = gateway.issuer.headers(uuid4(), ["admin"])
    assert gateway.predict("error", headers=headers).status == 200
    assert gateway.predict(" ", headers=headers).status == 422
    assert gateway.annotation.counted == []


def test_an_answer_that_can_not_be_counted_is_kept_back(gateway: Gateway) -> None:
    headers = gateway.issuer.headers(uuid4(), ["owner:sentiment"])
    gateway.annotation.stop()
    try:
        refused = gateway.predict("a", headers=headers)
        served = gateway.predict("a")
    finally:
        gateway.annotation.start()

    assert (refused.status, refused.json()["type"]) == (503, "/problems/probes-uncounted")
    assert refused.headers["Retry-After"] == "5"
    assert served.status == 200
    assert gateway.predict("a", headers=headers).status == 200
