"""An app that calls another address for its caller: `python secured_app.py PORT ADDRESS WORKER CERTIFICATE KEY`."""

import sys
import threading
from pathlib import Path
from typing import Any

from dynabench_common.http.serve import run_http
from dynabench_common.settings import ServiceSettings
from flask import Flask, request

PORT, ADDRESS, WORKER, CERTIFICATE, KEY = sys.argv[1:6]


def create_app() -> Flask:
    """Return the app."""
    from dynabench_common.http.client import JsonClient, UpstreamError

    app = Flask(__name__)
    client = JsonClient(ADDRESS, 5)
    meeting = threading.Barrier(4)

    @app.get("/told")
    def scheme_and_answer() -> dict[str, Any]:
        return {"scheme": request.scheme, "asked": request.args.get("asked", "")}

    @app.get("/together")
    def together() -> dict[str, Any]:
        """Answer once four callers are here at once."""
        meeting.wait(20)
        return {"met": True}

    @app.get("/asked")
    def asked() -> dict[str, Any]:
        """Call the other address."""
        try:
            return {"answer": client.call("GET", "/together")}
        except UpstreamError as err:
            return {"refused": str(err)}

    return app


if __name__ == "__main__":
    run_http(
        "common",
        "secured_app:create_app",
        ServiceSettings(
            http_bind=f"127.0.0.1:{PORT}",
            http_certificate_file=Path(CERTIFICATE),
            http_private_key_file=Path(KEY),
            jwks_url="http://127.0.0.1:9",
        ),
        worker_class=WORKER,
    )
