"""Releases as their owner makes them over HTTP, for several tests."""

import gzip
import json
from collections.abc import Callable, Mapping
from typing import Any

import urllib3
from dynabench_common.work.retried_jobs import JobRunner
from flask.testing import FlaskClient
from scoring.service_layer.dependencies import WorkerDependencies

from services.scoring.tests.conftest import Story

NewStory = Callable[..., Story]
Feed = Callable[..., None]
Headers = dict[str, str]
API = "/api/scoring/v1"


def ask(client: FlaskClient, story: Story, owner: Headers, **body: Any) -> dict[str, Any]:
    answer = client.post(f"{API}/rounds/{story.round_id}/releases", json=body, headers=owner)
    assert answer.status_code == 202, answer.text
    asked: dict[str, Any] = answer.get_json()
    return asked


def state(client: FlaskClient, asked: Mapping[str, Any], owner: Headers) -> dict[str, Any]:
    found: dict[str, Any] = client.get(f"{API}/releases/{asked['release_id']}", headers=owner).get_json()
    return found


def released(
    client: FlaskClient, builder: JobRunner[WorkerDependencies], story: Story, owner: Headers, **body: Any
) -> str:
    asked = ask(client, story, owner, **body)
    assert builder.turn()
    done = state(client, asked, owner)
    assert (done["state"], done["progress"], done["error"]) == ("done", 1.0, None)
    return str(done["dataset_id"])


def fetch(client: FlaskClient, dataset_id: str, path: str) -> bytes:
    answer = client.get(f"{API}/datasets/{dataset_id}/files/{path}")
    assert answer.status_code == 302, answer.text
    reply = urllib3.request("GET", answer.headers["Location"])
    assert reply.status == 200
    return reply.data


def lines(content: bytes) -> list[dict[str, Any]]:
    return [json.loads(line) for line in gzip.decompress(content).splitlines()]
