"""A browser without scripts, and the pages that it visits."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from dynabench_common.auth.authentication import Principal, Verifier, fetch_jwks
from dynabench_common.testing import SERVICE_TOKENS
from flask import Flask
from flask.testing import FlaskClient
from jinja2 import BytecodeCache
from jinja2.bccache import Bucket
from web.bootstrap import connect
from web.entrypoints.http.app import create_app
from web.kit.assets import Assets
from web.kit.dependencies import EXTENSION, Dependencies, dependencies, provide
from web.settings import WebSettings
from web_fake_platform import PASSWORD, FakePlatform
from web_marks import watch, watch_for
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


class Provided:
    """The verifier of the platform that the pages are connected to."""

    def principal(self, header: str | None) -> Principal:
        return dependencies().verifier.principal(header)


SHARED: list[Flask] = []


def pages_over(
    platform: FakePlatform,
    public_url: str = "http://localhost",
    public_origins: str = "",
    **more: Any,
) -> Flask:
    """Return an application of its own, connected to the fake platform."""
    needed = _needed(platform, public_url=public_url, public_origins=public_origins, **more)
    app = create_app(replace(needed, verifier=Provided()))
    app.jinja_env.bytecode_cache = COMPILED
    watch(app)
    return _connected(app, needed, platform)


def shared_pages(platform: FakePlatform) -> Flask:
    """Return the application that all tests share, connected to this platform. Making one takes longer than a test."""
    if not SHARED:
        SHARED.append(pages_over(platform))
    app = SHARED[0]
    assets = app.extensions[EXTENSION].assets
    return _connected(app, _needed(platform, assets), platform)


def _needed(platform: FakePlatform, assets: Assets | None = None, **more: Any) -> Dependencies:
    addresses = {name.lower(): value for name, value in platform.environment().items()}
    values: dict[str, Any] = {"public_url": "http://localhost", "figures_seconds": 1, **addresses, **more}
    settings = WebSettings(**values)
    verifier = Verifier(fetch_jwks(settings.jwks_url), SERVICE_TOKENS)
    return Dependencies(settings, connect(settings), verifier, assets or Assets())


def _connected(app: Flask, needed: Dependencies, platform: FakePlatform) -> Flask:
    provide(app, needed)
    watch_for(app, platform.data, platform.forgotten)
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
