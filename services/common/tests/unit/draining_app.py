"""An app whose `/slow` answers once a file is there: `python draining_app.py PORT FILE`.

If `FILE.first` exists, the first process gets SIGTERM right after the fork, and its id is written to that file.
"""

import os
import signal
import sys
import time
from pathlib import Path

from dynabench_common.http.serve import run_http
from dynabench_common.settings import ServiceSettings
from flask import Flask

PORT, FILE = sys.argv[1], Path(sys.argv[2])


def create_app() -> Flask:
    """Return the app."""
    app = Flask(__name__)

    @app.get("/slow")
    def slow() -> str:
        FILE.with_suffix(".asked").touch()
        while not FILE.exists():
            time.sleep(0.02)
        return "slow"

    @app.get("/quick")
    def quick() -> str:
        return "quick"

    @app.get("/process")
    def process() -> str:
        return str(os.getpid())

    return app


def stop_the_first() -> None:
    """Send SIGTERM to this process if it was forked first."""
    first = FILE.with_suffix(".first")
    if first.exists() and not first.read_text():
        first.write_text(str(os.getpid()))
        os.kill(os.getpid(), signal.SIGTERM)


if __name__ == "__main__":
    os.register_at_fork(after_in_child=stop_the_first)
    run_http(
        "common",
        "draining_app:create_app",
        ServiceSettings(http_bind=f"127.0.0.1:{PORT}", jwks_url="http://127.0.0.1:9"),
    )
