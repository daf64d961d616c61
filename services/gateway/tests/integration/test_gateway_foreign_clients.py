"""Existing client libraries of both protocols, with the gateway's address and a person's token."""

import json
import subprocess
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest

from .conftest import PREFIX, Gateway
from .gateway_fakes import HANDLER_DIGEST, MODEL_DIGEST

PYTHON = Path(__file__).resolve().parents[4] / ".venv-kserve" / "bin" / "python"
SCRIPT = Path(__file__).with_name("foreign_clients.py")
SECONDS = 180


def found_by(client: str, gateway: Gateway) -> dict[str, Any]:
    assert PYTHON.exists(), "make .venv-kserve/installed installs the clients"
    token = gateway.issuer.headers(uuid4(), ("annotator",))["Authorization"].partition(" ")[2]
    command = [str(PYTHON), str(SCRIPT), client, gateway.url + PREFIX, token]
    done = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS, check=False)
    assert done.returncode == 0, done.stderr[-3000:]
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def test_the_client_of_kserve_asks_by_its_first_protocol(gateway: Gateway) -> None:
    found = found_by("kserve_v1", gateway)
    assert found["model_ready"] is True
    kinds = [each.get("label") or each["error"]["type"] for each in found["predicted"].pop("predictions")]
    assert kinds == ["yes", "prediction_failed", "yes"]
    assert found["predicted"] == {"model_digest": MODEL_DIGEST, "handler_digest": HANDLER_DIGEST}
    assert found["explained"]["explanations"][0]["label"] == "yes"
    assert found["refused"].startswith("HTTPStatusError")
    assert "422" in found["refused"]


def test_the_client_of_kserve_asks_by_its_second_protocol(gateway: Gateway) -> None:
    found = found_by("kserve_v2", gateway)
    assert [found[name] for name in ("server_live", "server_ready", "model_ready")] == [True] * 3
    assert found["id"] == "seven"
    written, behind, explained = found["answers"]
    assert written == behind
    assert written["label"] == ["yes", "", "yes"]
    assert written["probabilities"][0] == pytest.approx([0.25, 0.75])
    assert json.loads(written["error"][1])["type"] == "prediction_failed"
    assert json.loads(explained["explanation"][0])["label"] == "yes"
    assert "422" in found["refused"]
    assert gateway.torchserve.calls[0][1] == gateway.torchserve.calls[1][1]
    assert gateway.torchserve.calls[0][1][2] == {"text": "schön 😀"}


def test_tritonclient_asks_as_it_asks_triton(gateway: Gateway) -> None:
    found = found_by("tritonclient", gateway)
    assert found["server"]["name"] == "dynabench-gateway"
    assert found["metadata"]["inputs"][0] == {"name": "text", "datatype": "BYTES", "shape": [-1]}
    assert found["states"] == [True, True, True, False]
    assert (found["id"], found["labels"]) == ("seven", ["yes", "", "yes"])
    assert found["probabilities"] == [[0.25, 0.75]]
    assert json.loads(found["explained"][0])["n_steps"] == 20
    assert gateway.torchserve.parameters[-1]["n_steps"] == 5
    assert found["refused"].startswith("404 No model called nobody is served.")
