"""A browser without scripts, and the pages that it visits."""

from collections.abc import Sequence
from typing import Any

from dynabench_common.auth.authentication import Verifier, fetch_jwks
from dynabench_common.testing import SERVICE_TOKENS
from flask import Flask
from flask.testing import FlaskClient
from jinja2 import BytecodeCache
from jinja2.bccache import Bucket
from web.bootstrap import connect
from web.entrypoints.http.app import create_app
from web.kit.assets import Assets
from web.kit.dependencies import Dependencies
from web.settings import WebSettings
from web_fake_platform import PASSWORD, FakePlatform
from web_marks import watch
from werkzeug.test import TestResponse

SAME_ORIGIN = {"Sec-Fetch-Site": "same-origin"}


class Compiled(BytecodeCache):
    """Compiled templates, kept for all applications of the process: each test makes one of its own."""

    def __init__(self) -> None:
        self._code: dict[str, bytes] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        if code := self._code.get(bucket.key):
            bucket.bytecode_from_string(code)

    def dump_bytecode(self, bucket: Bucket) -> None:
        self._code[bucket.key] = bucket.bytecode_to_string()


COMPILED = Compiled()


def pages_over(
    platform: FakePlatform,
    public_url: str = "http://localhost",
    public_origins: str = "",
    **more: Any,
) -> Flask:
    """Return the pages, led to the fake platform."""
    values: dict[str, Any] = {name.lower(): value for name, value in platform.environment().items()}
    settings = WebSettings(
        public_url=public_url,
        public_origins=public_origins,
        figures_seconds=1,
        **{**values, **more},
    )
    verifier = Verifier(fetch_jwks(settings.jwks_url), SERVICE_TOKENS)
    app = create_app(Dependencies(settings, connect(settings), verifier, Assets()))
    app.jinja_env.bytecode_cache = COMPILED
    watch(app, platform.data, platform.forgotten)
    return app


class Visitor:
    """A browser without scripts."""

    def __init__(self, client: FlaskClient) -> None:
        self.client = client

    def get(self, path: str, **headers: str) -> TestResponse:
        return self.client.get(path, headers=headers)

    def post(self, path: str, **form: str | Sequence[str]) -> TestResponse:
        return self.client.post(path, data=form, headers=SAME_ORIGIN)

    def sign_in(self, user_name: str = "ada") -> None:
        answer = self.post("/sign-in", user_name=user_name, password=PASSWORD)
        assert answer.status_code == 303, answer.text
