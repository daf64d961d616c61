"""A browser without scripts, and the pages that it visits."""

from dynabench_common.authentication import Verifier, fetch_jwks
from flask import Flask
from flask.testing import FlaskClient
from web.entrypoints.http.app import create_app
from web.kit.assets import Assets
from web.kit.dependencies import Dependencies
from web.kit.platform import connect
from web.settings import WebSettings
from web_fake_platform import PASSWORD, FakePlatform

SAME_ORIGIN = {"Sec-Fetch-Site": "same-origin"}


def pages_over(platform: FakePlatform, public_url: str = "http://localhost") -> Flask:
    """Return the pages, led to the fake platform."""
    values = {name.lower(): value for name, value in platform.environment().items()}
    settings = WebSettings(public_url=public_url, figures_seconds=1, **values)
    verifier = Verifier(fetch_jwks(settings.jwks_url), settings.service_token)
    return create_app(Dependencies(settings, connect(settings), verifier, Assets()))


class Visitor:
    """A browser without scripts."""

    def __init__(self, client: FlaskClient) -> None:
        self.client = client

    def get(self, path: str, **headers: str):
        return self.client.get(path, headers=headers)

    def post(self, path: str, **form: str):
        return self.client.post(path, data=form, headers=SAME_ORIGIN)

    def sign_in(self, user_name: str = "ada") -> None:
        answer = self.post("/sign-in", user_name=user_name, password=PASSWORD)
        assert answer.status_code == 303, answer.text
