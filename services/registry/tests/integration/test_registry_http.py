"""The HTTP interface over a reconciler whose TorchServe is away: states, permissions, problems, health."""

import json
from pathlib import Path
from uuid import uuid4

import pytest
from dynabench_common.contracts import held_to_contract
from dynabench_common.testing import SERVICE_TOKEN, Issuer
from flask.testing import FlaskClient
from registry.bootstrap import Dependencies, build_dependencies
from registry.entrypoints.http.app import create_app
from registry.settings import RegistrySettings

from .conftest import HANDLER, free_ports, write_archive

SERVICE = {"Authorization": f"Bearer {SERVICE_TOKEN}"}
ENTRY = {
    "name": "mini",
    "version": "1",
    "archive": "mini.mar",
    "task": "sentiment",
    "task_type": "text-classification",
    "labels": ["no", "yes"],
    "explain": {},
}
ON_DEMAND = {"start": "on_demand", "idle_seconds": 60}
MODELS = "/api/registry/v1/models"


@pytest.fixture
def issuer() -> Issuer:
    return Issuer()


@pytest.fixture
def needed(tmp_path: Path, issuer: Issuer) -> Dependencies:
    (tmp_path / "models.yaml").write_text(
        json.dumps({"models": [ENTRY, {**ENTRY, "name": "plain", "explain": None, **ON_DEMAND}]})
    )
    write_archive(tmp_path, "mini", HANDLER)
    nobody = f"http://127.0.0.1:{free_ports(1)[0]}"
    settings = RegistrySettings(
        service_token=SERVICE_TOKEN,
        jwks_url=nobody,
        torchserve_management_url=nobody,
        torchserve_inference_url=nobody,
        torchserve_key_file=tmp_path / "key_file.json",
        models_file=tmp_path / "models.yaml",
        model_store=tmp_path,
    )
    return build_dependencies(settings, verifier=issuer.verifier())


@pytest.fixture
def client(needed: Dependencies) -> FlaskClient:
    return held_to_contract(create_app(needed)).test_client()


def test_before_the_first_pass_nothing_is_claimed(client: FlaskClient) -> None:
    assert client.get("/healthz/live").status_code == 200
    assert client.get("/healthz/ready").status_code == 503
    answer = client.get(MODELS, headers=SERVICE)
    assert (answer.status_code, answer.headers["Retry-After"]) == (503, "1")


def test_models_are_listed_with_their_states(client: FlaskClient, needed: Dependencies) -> None:
    needed.reconciler.make_pass()
    assert client.get("/healthz/ready").status_code == 200
    body = client.get(MODELS, headers=SERVICE).get_json()
    assert body["problem"] is None
    mini, plain = body["models"]
    assert (mini["name"], mini["state"], mini["serving_name"]) == ("mini", "starting", "mini")
    assert "does not answer" in mini["reason"]
    assert (mini["model_digest"], mini["handler_digest"]) == ("sha256:1", "sha256:echo")
    assert (mini["explain"]["serving_name"], mini["explain"]["state"]) == ("mini-explain", "stopped")
    assert (mini["task_type"], mini["fields"], mini["labels"]) == (
        "text-classification",
        ["text"],
        ["no", "yes"],
    )
    assert (mini["start"], plain["start"], plain["idle_seconds"]) == ("always", "on_demand", 60)
    assert (plain["state"], plain["reason"], plain["explain"]) == ("stopped", None, None)


def test_an_explainer_is_started_on_demand(client: FlaskClient, needed: Dependencies) -> None:
    needed.reconciler.make_pass()
    answer = client.post(f"{MODELS}/mini/explainer", headers=SERVICE)
    assert (answer.status_code, answer.get_json()) == (202, {"name": "mini", "state": "stopped"})
    needed.reconciler.make_pass()
    assert client.get(MODELS, headers=SERVICE).get_json()["models"][0]["explain"]["state"] == "starting"


def test_prediction_workers_are_started_on_demand(client: FlaskClient, needed: Dependencies) -> None:
    needed.reconciler.make_pass()
    answer = client.post(f"{MODELS}/plain/predictor", headers=SERVICE)
    assert (answer.status_code, answer.get_json()) == (202, {"name": "plain", "state": "stopped"})
    needed.reconciler.make_pass()
    mini, plain = client.get(MODELS, headers=SERVICE).get_json()["models"]
    assert (plain["state"], mini["explain"]["state"]) == ("starting", "stopped")


@pytest.mark.parametrize(
    ("name", "kind"),
    [("unknown", "/problems/model-not-found"), ("plain", "/problems/explanations-not-served")],
)
def test_what_has_no_explainer_is_told(
    client: FlaskClient, needed: Dependencies, name: str, kind: str
) -> None:
    needed.reconciler.make_pass()
    answer = client.post(f"{MODELS}/{name}/explainer", headers=SERVICE)
    assert (answer.status_code, answer.get_json()["type"]) == (404, kind)


def test_only_services_start_workers(client: FlaskClient, needed: Dependencies, issuer: Issuer) -> None:
    needed.reconciler.make_pass()
    assert client.get(MODELS).status_code == 401
    person = issuer.headers(uuid4(), ("annotator", "admin"))
    for kind in ("predictor", "explainer"):
        assert client.post(f"{MODELS}/mini/{kind}", headers=person).status_code == 403
        assert client.post(f"{MODELS}/unknown/{kind}", headers=SERVICE).status_code == 404


def test_a_broken_models_file_is_told_and_the_last_good_one_stays(
    client: FlaskClient, needed: Dependencies, tmp_path: Path
) -> None:
    needed.reconciler.make_pass()
    (tmp_path / "models.yaml").write_text("models: [{name: 'Bad Name'}]")
    needed.reconciler.make_pass()
    body = client.get(MODELS, headers=SERVICE).get_json()
    assert "models[0].name" in body["problem"]
    assert [model["name"] for model in body["models"]] == ["mini", "plain"]


def test_an_archive_that_disagrees_with_its_note_is_a_failure(
    client: FlaskClient, needed: Dependencies, tmp_path: Path
) -> None:
    with (tmp_path / "mini.mar").open("ab") as archive:
        archive.write(b"more")
    needed.reconciler.make_pass()
    mini = client.get(MODELS, headers=SERVICE).get_json()["models"][0]
    assert mini["state"] == "failed"
    assert "disagree about the size; build the archives" in mini["reason"]


def test_an_archive_of_another_task_type_is_a_failure(
    client: FlaskClient, needed: Dependencies, tmp_path: Path
) -> None:
    entry = {**ENTRY, "task_type": "text-pair-classification", "labels": ["yes", "no"]}
    (tmp_path / "models.yaml").write_text(json.dumps({"models": [entry]}))
    needed.reconciler.make_pass()
    mini = client.get(MODELS, headers=SERVICE).get_json()["models"][0]
    assert mini["state"] == "failed"
    assert "disagree about the task type and the fields and the labels" in mini["reason"]
