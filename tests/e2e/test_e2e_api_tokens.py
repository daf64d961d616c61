"""A program with an API token and nothing else: it calls a model in both protocols until the token is revoked."""

from typing import Any

import pytest
import urllib3
from dynabench_client import Dynabench
from dynabench_common.testing import wait_until

from tests.scenarios import sign_up

pytestmark = pytest.mark.slow

MODEL = "sentiment-words"
TEXT = "The soup was lovely."
TENSOR = {"name": "text", "shape": [1], "datatype": "BYTES", "data": [TEXT]}


def asked(url: str, path: str, body: Any, token: str) -> urllib3.BaseHTTPResponse:
    headers = {"Authorization": f"Bearer {token}", "Prefer": "wait=30"}
    return urllib3.request("POST", f"{url}/api/gateway{path}", json=body, headers=headers, timeout=90)


def test_an_api_token_asks_a_model_until_it_is_revoked(platform: Any) -> None:
    person: Dynabench = sign_up(platform.url).client
    made = person.accounts.create_token("a program")
    instances = {"instances": [{"text": TEXT}]}
    [prediction] = asked(platform.url, f"/v1/models/{MODEL}:predict", instances, made.token).json()[
        "predictions"
    ]
    answer = asked(platform.url, f"/v2/models/{MODEL}/infer", {"inputs": [TENSOR]}, made.token)
    outputs = {each["name"]: each["data"] for each in answer.json()["outputs"]}
    assert outputs["label"] == [prediction["label"]]
    assert outputs["probabilities"] == list(prediction["probabilities"].values())
    person.accounts.revoke_token(made.token_id)
    wait_until(
        lambda: asked(platform.url, f"/v1/models/{MODEL}:predict", instances, made.token).status == 401,
        60,
        "the end of a revoked token",
    )
