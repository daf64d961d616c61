"""Visibility of submitted models, and the quota of one person."""

from uuid import uuid4

import pytest

from .conftest import MODELS, STATUSES, TOKENS_PER_MINUTE, Gateway, model


@pytest.mark.parametrize(
    ("roles", "is_submitter", "may"),
    [
        ((), False, False),
        (("owner:nli",), False, False),
        (("owner:sentiment",), False, True),
        (("admin",), False, True),
        ((), True, True),
    ],
)
def test_an_unpublished_model_is_for_its_submitter_and_owners(
    gateway: Gateway, roles: tuple[str, ...], is_submitter: bool, may: bool
) -> None:
    submitter = uuid4()
    gateway.serve(model(), model("tiny-v1", submitted_by=str(submitter), published=False))
    headers = gateway.issuer.headers(submitter if is_submitter else uuid4(), ("annotator", *roles))
    names = ["mini", "tiny-v1"] if may else ["mini"]

    assert gateway.call("GET", MODELS, headers=headers).json()["models"] == names
    assert [each["name"] for each in gateway.call("GET", STATUSES, headers=headers).json()["models"]] == names
    statuses = [
        gateway.call("GET", f"{MODELS}/tiny-v1", headers=headers).status,
        gateway.predict("a", name="tiny-v1", headers=headers).status,
        gateway.explain("a", name="tiny-v1", headers=headers).status,
    ]
    assert statuses == [200 if may else 404] * 3


def test_a_model_of_a_private_task_is_for_people_who_see_the_task(gateway: Gateway) -> None:
    gateway.serve(model(), model("tiny-v1", private=True))
    for roles, status in (((), 404), (("member:nli",), 404), (("member:sentiment",), 200)):
        headers = gateway.issuer.headers(uuid4(), ("annotator", *roles))
        assert gateway.call("GET", f"{MODELS}/tiny-v1", headers=headers).status == status
        assert gateway.predict("a", name="tiny-v1", headers=headers).status == status
    assert gateway.predict("a", name="tiny-v1").status == 200, "services ask for people whom they let in"


def test_a_published_model_is_for_everybody_and_hides_its_submitter(gateway: Gateway) -> None:
    gateway.serve(model(), model("tiny-v1", submitted_by=str(uuid4()), published=True, worker_peak_bytes=7))
    headers = gateway.issuer.headers(uuid4(), ("annotator",))
    status = gateway.call("GET", f"{MODELS}/tiny-v1", headers=headers).json()
    assert (status["published"], status["submitted_by"], status["worker_peak_bytes"]) == (True, None, None)
    assert gateway.predict("a", name="tiny-v1", headers=headers).status == 200
    listed = gateway.call("GET", f"{MODELS}/tiny-v1").json()
    assert listed["submitted_by"] is not None
    assert listed["worker_peak_bytes"] == 7


def test_a_person_may_ask_so_much_in_a_minute(gateway: Gateway) -> None:
    headers, other = (gateway.issuer.headers(uuid4(), ("annotator",)) for _ in range(2))
    large = "a" * 900
    asked = [gateway.predict(*[large] * 6, headers=headers) for _ in range(2)]
    refused = asked[1]
    assert [each.status for each in asked] == [200, 429]
    assert refused.json()["type"] == "/problems/model-quota-used"
    assert 1 <= int(refused.headers["Retry-After"]) <= 60
    assert gateway.predict("a", headers=headers).status == 200, "what is left can be used"
    assert gateway.predict(*[large] * 6, headers=other).status == 200
    assert gateway.predict(*[large] * 6).status == 200, "services have no quota"


def test_explanations_cost_their_steps(gateway: Gateway) -> None:
    headers = gateway.issuer.headers(uuid4(), ("annotator",))
    text = "a" * 80  # 21 tokens with its instance
    steps = TOKENS_PER_MINUTE // 21 - 1
    assert gateway.explain(text, {"n_steps": min(steps, 90)}, headers=headers).status == 200
    assert gateway.explain(text, {"n_steps": 90}, headers=headers).status == 429
    assert gateway.predict(text, headers=headers).status == 200


def test_an_api_token_asks_without_an_exchange_of_ones_own(gateway: Gateway) -> None:
    person, secret = uuid4(), f"dbt_{'a' * 43}"
    gateway.keys.people[secret] = person
    headers = {"Authorization": f"Bearer {secret}"}
    assert gateway.call("GET", MODELS, headers=headers).status == 200
    assert gateway.predict("a", headers=headers).status == 200
    assert (
        gateway.infer([{"name": "text", "shape": [1], "datatype": "BYTES", "data": ["a"]}], headers).status
        == 200
    )
    assert {asked["person_id"] for _, asked in gateway.annotation.counted} == {str(person)}
    refused = gateway.predict("a", headers={"Authorization": f"Bearer {secret}b"})
    assert (refused.status, refused.json()["type"]) == (401, "/problems/api-token-refused")
    assert secret not in gateway.log.read_text()
    assert len(gateway.torchserve.calls) == 2
    assert "dbt_" not in str(gateway.torchserve.calls), (
        "a model server logs what it likes, so it gets no token"
    )
