"""The HTTP interface over what a reconciler published: states, permissions, problems, health."""

from collections.abc import Callable
from dataclasses import replace
from uuid import uuid4

import pytest
from dynabench_common.http.contracts import checked_against_contract
from dynabench_common.testing import SERVICE_TOKEN_DIGESTS, Issuer, service_headers, service_token
from flask.testing import FlaskClient
from registry.adapters.serving_states import SqlServing, SqlStates, take_over
from registry.adapters.serving_tables import reconciler, worker_use
from registry.adapters.worker_use import SqlWorkerUse
from registry.bootstrap import build_dependencies
from registry.domain.catalogue import ExplainerRecord, ModelRecord
from registry.domain.registration_records import WorkersState
from registry.entrypoints.http.app import create_app
from registry.settings import HttpSettings
from sqlalchemy import Engine, select, text

SERVICE = service_headers("gateway")
MODELS = "/api/registry/v1/models"
MINI = ModelRecord(
    name="mini",
    version="1",
    task="sentiment",
    task_type="text-classification",
    fields=("text",),
    labels=("no", "yes"),
    model_digest="sha256:1",
    handler_digest="sha256:echo",
    state=WorkersState.STARTING,
    reason="the model server does not answer: the agent does not answer",
    serving_name="mini",
    workers=1,
    start="always",
    idle_seconds=900,
    max_in_flight=32,
    max_characters=5_000,
    response_timeout_seconds=10,
    explain=ExplainerRecord("mini-explain", WorkersState.STOPPED, None, "on_demand", 2, 2_000, 60),
)
PLAIN = replace(
    MINI,
    name="plain",
    serving_name="plain",
    state=WorkersState.STOPPED,
    reason=None,
    start="on_demand",
    idle_seconds=60,
    explain=None,
)


@pytest.fixture
def client(engine: Engine, issuer: Issuer) -> FlaskClient:
    settings = HttpSettings(
        service_token=service_token("registry"),
        service_token_digests=SERVICE_TOKEN_DIGESTS,
        jwks_url="http://127.0.0.1:9/jwks",
        database_url=engine.url.render_as_string(hide_password=False),
    )
    return checked_against_contract(
        create_app(build_dependencies(settings, verifier=issuer.verifier()))
    ).test_client()


@pytest.fixture
def publish(engine: Engine) -> Callable[..., None]:
    with engine.begin() as connection:
        states = SqlStates(engine, take_over(connection))

    def published(*models: ModelRecord, problem: str | None = None) -> None:
        states.publish(models, problem)

    return published


def uses(engine: Engine) -> set[str]:
    with engine.connect() as connection:
        return set(connection.execute(select(worker_use.c.serving_name)).scalars())


def test_before_the_first_pass_nothing_is_claimed(
    client: FlaskClient, publish: Callable[..., None], engine: Engine
) -> None:
    assert client.get("/healthz/live").status_code == 200
    assert client.get("/healthz/ready").status_code == 200
    answer = client.get(MODELS, headers=SERVICE)
    assert (answer.status_code, answer.headers["Retry-After"]) == (503, "1")
    publish()
    assert client.get(MODELS, headers=SERVICE).get_json() == {"models": [], "problem": None}
    with engine.begin() as connection:
        connection.execute(reconciler.update().values(beat_at=text("now() - interval '1 hour'")))


def test_states_that_nobody_keeps_up_are_not_told(
    client: FlaskClient, publish: Callable[..., None], engine: Engine
) -> None:
    publish(MINI)
    with engine.begin() as connection:
        connection.execute(reconciler.update().values(beat_at=text("now() - interval '1 hour'")))
    answer = client.get(MODELS, headers=SERVICE)
    assert answer.status_code == 503
    assert "no reconciler has been heard of for 3600 s" in answer.get_json()["detail"]
    with engine.begin() as connection:
        take_over(connection)
    assert "first look" in client.get(MODELS, headers=SERVICE).get_json()["detail"]


def test_a_leader_that_follows_at_once_leaves_the_states_in_force(
    client: FlaskClient, publish: Callable[..., None], engine: Engine
) -> None:
    publish(MINI)
    with engine.begin() as connection:
        later = SqlStates(engine, take_over(connection))
    assert [model["name"] for model in client.get(MODELS, headers=SERVICE).get_json()["models"]] == ["mini"]
    publish(PLAIN)
    later.publish((MINI, PLAIN), None)
    publish()
    fresh = client.application.test_client()
    names = [model["name"] for model in fresh.get(MODELS, headers=SERVICE).get_json()["models"]]
    assert set(names) <= {"mini", "plain"}
    assert "mini" in names


def test_models_are_listed_with_their_states(client: FlaskClient, publish: Callable[..., None]) -> None:
    publish(PLAIN, MINI, problem="models.yaml can't be used")
    body = client.get(MODELS, headers=SERVICE).get_json()
    assert body["problem"] == "models.yaml can't be used"
    mini, plain = body["models"]
    assert (mini["name"], mini["state"], mini["serving_name"]) == ("mini", "starting", "mini")
    assert "does not answer" in mini["reason"]
    assert (mini["model_digest"], mini["handler_digest"]) == ("sha256:1", "sha256:echo")
    assert (mini["explain"]["serving_name"], mini["explain"]["state"]) == ("mini-explain", "stopped")
    assert (mini["fields"], mini["labels"], mini["address"]) == (["text"], ["no", "yes"], None)
    assert (mini["start"], plain["start"], plain["idle_seconds"]) == ("always", "on_demand", 60)
    assert (plain["state"], plain["reason"], plain["explain"]) == ("stopped", None, None)
    assert (mini["address"], plain["address"]) == (None, None)


def test_workers_are_asked_for(client: FlaskClient, publish: Callable[..., None], engine: Engine) -> None:
    publish(MINI, PLAIN)
    answer = client.post(f"{MODELS}/mini/explainer", headers=SERVICE)
    assert (answer.status_code, answer.get_json()) == (202, {"name": "mini", "state": "stopped"})
    assert uses(engine) == {"mini-explain"}
    answer = client.post(f"{MODELS}/plain/predictor", headers=SERVICE)
    assert (answer.status_code, answer.get_json()) == (202, {"name": "plain", "state": "stopped"})
    assert uses(engine) == {"mini-explain", "plain"}


@pytest.mark.parametrize(
    ("name", "kind"),
    [("unknown", "/problems/model-not-found"), ("plain", "/problems/explanations-not-served")],
)
def test_what_has_no_explainer_is_told(
    client: FlaskClient, publish: Callable[..., None], name: str, kind: str
) -> None:
    publish(MINI, PLAIN)
    answer = client.post(f"{MODELS}/{name}/explainer", headers=SERVICE)
    assert (answer.status_code, answer.get_json()["type"]) == (404, kind)


def test_the_gateway_alone_lists_served_models_and_starts_workers(
    client: FlaskClient, publish: Callable[..., None], issuer: Issuer, engine: Engine
) -> None:
    publish(MINI)
    assert client.get(MODELS).status_code == 401
    person = issuer.headers(uuid4(), ("annotator", "admin"))
    assert client.get(MODELS, headers=person).status_code == 403
    for kind in ("predictor", "explainer"):
        assert client.post(f"{MODELS}/mini/{kind}", headers=person).status_code == 403
        assert client.post(f"{MODELS}/unknown/{kind}", headers=SERVICE).status_code == 404
    assert uses(engine) == set()


def test_use_is_written_once_a_second_and_ages(engine: Engine) -> None:
    now = 0.0
    use = SqlWorkerUse(engine, lambda: now)
    use.note("mini")
    back_then = text("UPDATE worker_use SET used_at = now() - interval '1 hour'")
    with engine.begin() as connection:
        connection.execute(back_then)
    use.note("mini")
    assert use.ages()["mini"] == pytest.approx(3_600, abs=60)
    now = 1.0
    use.note("mini")
    assert use.ages()["mini"] < 60


def test_checks_see_a_model_only_since_it_was_put(engine: Engine, publish: Callable[..., None]) -> None:
    serving = SqlServing(engine)
    assert serving.seen("mini") is None
    insert = text(
        "INSERT INTO served_model (name, origin, pool, declaration, archive, wanted) "
        "VALUES ('mini', 'file', 'shared', '{}', '{}', true) RETURNING updated_at"
    )
    with engine.begin() as connection:
        updated_at = connection.execute(insert).scalar_one()
    publish(replace(MINI, wanted_since="2026-01-05T12:00:00+00:00"))
    assert serving.seen("mini") is None
    publish(replace(MINI, wanted_since=updated_at.isoformat()))
    seen = serving.seen("mini")
    assert seen is not None
    assert (seen.state, seen.reason) == (MINI.state.value, MINI.reason)
