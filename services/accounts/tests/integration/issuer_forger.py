"""An issuer of sign-ins that signs whatever a test wants; the true protocol is in tests/e2e/test_e2e_issuers.py."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from typing import Any
from urllib.parse import parse_qs, urlsplit

from flask import Flask, jsonify, request
from joserfc import jwt
from joserfc.jwk import ECKey, KeySet
from werkzeug.serving import make_server

CLIENT = "dynabench"
CLIENT_SECRET = "secret of the client"


class Forger:
    """Answers as an issuer; `claims` replace those of its ID tokens, None leaves one out."""

    def __init__(self) -> None:
        self.key = ECKey.generate_key("P-256", {"kid": "one", "use": "sig", "alg": "ES256"})
        self.signs_with = self.key
        self.header: dict[str, Any] = {"alg": "ES256", "kid": "one"}
        self.claims: dict[str, Any] = {}
        self.metadata: dict[str, Any] = {}
        self.now = datetime.min
        self.asked: dict[str, Any] = {}
        self.requests: list[dict[str, str]] = []
        self.token_status = 200
        self.url = ""

    def configuration(self, **more: Any) -> dict[str, Any]:
        """Return the operator's description of this issuer."""
        return {
            "name": "campus",
            "title": "Example University",
            "issuer": self.url,
            "client_id": CLIENT,
            "client_secret": CLIENT_SECRET,
            "roles": {"admins": "admin", "irony": "owner:irony"},
            **more,
        }

    def visit(self, url: str) -> dict[str, str]:
        """Sign in at the issuer, and return what the browser brings back."""
        query = {name: values[0] for name, values in parse_qs(urlsplit(url).query).items()}
        self.asked = query
        return {"state": query["state"], "code": "good-code", "iss": self.url}

    def id_token(self) -> str:
        now = int(self.now.timestamp())
        usual: dict[str, Any] = {
            "iss": self.url,
            "sub": "subject-1",
            "aud": CLIENT,
            "iat": now,
            "exp": now + 300,
            "nonce": self.asked.get("nonce"),
            "email": "ada@campus.example",
            "email_verified": True,
            "preferred_username": "ada",
            "groups": [],
        }
        claims = {name: value for name, value in {**usual, **self.claims}.items() if value is not None}
        return jwt.encode(self.header, claims, self.signs_with, algorithms=[self.header["alg"]])

    def app(self) -> Flask:
        app = Flask("forger")

        @app.get("/.well-known/openid-configuration")
        def metadata() -> Any:
            endpoints = {
                "authorization_endpoint": f"{self.url}/authorize",
                "token_endpoint": f"{self.url}/token",
                "jwks_uri": f"{self.url}/keys",
            }
            return jsonify({"issuer": self.url, **endpoints, **self.metadata})

        @app.get("/keys")
        def keys() -> Any:
            return jsonify(KeySet([self.key]).as_dict(private=False))

        @app.post("/token")
        def token() -> Any:
            self.requests.append(request.form.to_dict())
            if self.token_status != 200 or request.form["code"] != "good-code":
                return jsonify(error="invalid_grant"), max(400, self.token_status)
            return jsonify(access_token="opaque", token_type="Bearer", id_token=self.id_token())

        return app


@contextmanager
def running() -> Iterator[Forger]:
    """Serve a forger."""
    forger = Forger()
    server = make_server("127.0.0.1", 0, forger.app(), threaded=True)
    forger.url = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    yield forger
    server.shutdown()
    thread.join(timeout=5)
    server.server_close()
