"""Calls by existing client libraries, without code of this platform; run in the environment of these clients.

`python foreign_clients.py CLIENT BASE_URL TOKEN` prints what the client found as one JSON object.
"""

import asyncio
import json
import sys
from collections.abc import Mapping
from typing import Any

import numpy
from kserve import InferenceRESTClient, InferInput, InferRequest, RESTConfig
from tritonclient import http as triton
from tritonclient.utils import InferenceServerException

TEXTS = ["good", "error", "schön 😀"]


async def kserve_v1(base: str, headers: Mapping[str, str]) -> dict[str, Any]:
    """Call by KServe's client, first protocol."""
    async with InferenceRESTClient(RESTConfig(protocol="v1", timeout=60)) as client:
        data = {"instances": [{"text": text} for text in TEXTS]}
        refused = await _refusal(client.infer(base, {"instances": []}, "mini", headers=headers))
        explained = {"instances": [{"text": "good"}], "parameters": {"n_steps": 5}}
        return {
            "model_ready": await client.is_model_ready(base, "mini", headers=headers),
            "predicted": await client.infer(base, data, "mini", headers=headers),
            "explained": await client.explain(base, "mini", explained, headers=headers),
            "refused": refused,
        }


async def kserve_v2(base: str, headers: Mapping[str, str]) -> dict[str, Any]:
    """Call by KServe's client, second protocol, with values in the JSON and behind it."""
    async with InferenceRESTClient(RESTConfig(protocol="v2", timeout=60)) as client:
        plain = InferRequest("mini", [InferInput("text", [len(TEXTS)], "BYTES", TEXTS)], request_id="seven")
        behind = InferInput("text", [len(TEXTS)], "BYTES")
        behind.set_data_from_numpy(_array(TEXTS))
        one = InferRequest("mini-explain", [InferInput("text", [1], "BYTES", ["good"])])
        blank = InferRequest("mini", [InferInput("text", [1], "BYTES", [" "])])
        answers = [
            await client.infer(base, asked, asked.model_name, headers=dict(headers))
            for asked in (plain, InferRequest("mini", [behind]), one)
        ]
        return {
            "server_live": await client.is_server_live(base, headers=headers),
            "server_ready": await client.is_server_ready(base, headers=headers),
            "model_ready": await client.is_model_ready(base, "mini", headers=headers),
            "id": answers[0].id,
            "answers": [{each.name: each.as_numpy().tolist() for each in found.outputs} for found in answers],
            "refused": await _refusal(client.infer(base, blank, "mini", headers=dict(headers))),
        }


async def tritonclient(base: str, headers: Mapping[str, str]) -> dict[str, Any]:
    """Call by NVIDIA's client, which sends values behind the JSON by default."""
    client = triton.InferenceServerClient(base.removeprefix("http://"))

    def fresh_headers() -> dict[str, Any]:
        return {"headers": dict(headers)}  # the client changes its argument

    usual = triton.InferInput("text", [len(TEXTS), 1], "BYTES")
    usual.set_data_from_numpy(_array(TEXTS).reshape(-1, 1))
    written = triton.InferInput("text", [1], "BYTES")
    written.set_data_from_numpy(_array(["better"]), binary_data=False)
    wanted = [triton.InferRequestedOutput("probabilities", binary_data=False)]
    found = client.infer("mini", [usual], request_id="seven", **fresh_headers())
    chosen = client.infer("mini", [written], model_version="1", outputs=wanted, **fresh_headers())
    explained = client.infer("mini-explain", [written], parameters={"n_steps": 5}, **fresh_headers())
    try:
        client.infer("nobody", [written], **fresh_headers())
        refused = ""
    except InferenceServerException as err:
        refused = f"{err.status()} {err.message()}"
    return {
        "server": client.get_server_metadata(**fresh_headers()),
        "metadata": client.get_model_metadata("mini", **fresh_headers()),
        "states": [
            client.is_server_live(**fresh_headers()),
            client.is_server_ready(**fresh_headers()),
            client.is_model_ready("mini", **fresh_headers()),
            client.is_model_ready("nobody", **fresh_headers()),
        ],
        "id": found.get_response()["id"],
        "labels": found.as_numpy("label").tolist(),
        "probabilities": chosen.as_numpy("probabilities").tolist(),
        "explained": explained.as_numpy("explanation").tolist(),
        "refused": refused,
    }


def _array(texts: list[str]) -> Any:
    return numpy.array([text.encode() for text in texts], dtype=numpy.object_)


async def _refusal(asking: Any) -> str:
    try:
        await asking
    except Exception as err:  # each client has its own
        return f"{type(err).__name__}: {err}"
    return ""


CLIENTS = {each.__name__: each for each in (kserve_v1, kserve_v2, tritonclient)}

if __name__ == "__main__":
    asked, base_url, token = sys.argv[1:]
    result = asyncio.run(CLIENTS[asked](base_url, {"Authorization": f"Bearer {token}"}))
    sys.stdout.write(json.dumps(result))
