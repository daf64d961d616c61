"""The services' OpenAPI documents, made from their code without a running service."""

import importlib
import tempfile
from functools import cache
from typing import Any

import pytest
from dynabench_common.http.contracts import Contract, contract_of
from dynabench_common.testing import SERVICE_TOKEN_DIGESTS, service_token
from flask import Flask

WITH_DATABASE = ("accounts", "annotation", "crowd", "leaderboard", "registry", "scoring", "validation")
WITH_DOCUMENT = (*WITH_DATABASE, "gateway")
WITH_HTTP = (*WITH_DOCUMENT, "web")


def app_of(service: str) -> Flask:
    """Build a service's app with settings that lead nowhere."""
    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        settings = {
            "DATABASE_URL": f"postgresql+psycopg2://{service}:x@127.0.0.1:1/{service}",
            "KAFKA_BOOTSTRAP_SERVERS": "127.0.0.1:1",
            "SERVICE_TOKEN": service_token(service),
            "SERVICE_TOKEN_DIGESTS": SERVICE_TOKEN_DIGESTS,
            "JWKS_URL": "http://127.0.0.1:1/jwks",
            "SIGNING_KEY_FILE": f"{folder}/key.json",
            "TORCHSERVE_INFERENCE_URL": "http://127.0.0.1:1",
            "TORCHSERVE_KEY_FILE": f"{folder}/key_file.json",
            **{f"{name.upper()}_URL": "http://127.0.0.1:1" for name in WITH_HTTP},
        }
        for name, value in settings.items():
            patch.setenv(name, value)
        app: Flask = importlib.import_module(f"{service}.entrypoints.http.app").create_app()
    return app


@cache
def document_of(service: str) -> dict[str, Any]:
    """Return the document of one service."""
    app: Any = app_of(service)
    document: dict[str, Any] = app.api_doc
    return document


@cache
def contracts() -> dict[str, Contract]:
    """Return the contract of each service, by its name."""
    return {service: contract_of(document_of(service)) for service in WITH_DOCUMENT}
