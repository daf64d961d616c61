"""Metrics have a bounded number of labels, need the token, and cover all processes of a pod."""

import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
import urllib3
from dynabench_common.database.figures import DatabaseFigures, Figure
from dynabench_common.http.service import service_app
from dynabench_common.settings import SettingsError, load
from dynabench_common.telemetry.metrics import KnownNames
from dynabench_common.telemetry.metrics_port import MetricsPort, MetricsSettings
from dynabench_common.testing import Issuer
from dynabench_common.working_folders import PREFIX
from flask import Response
from prometheus_client import REGISTRY
from sqlalchemy import create_engine

TOKEN = "a-token-for-those-who-read"
SERVED = """
import os
from flask import Flask
from dynabench_common.telemetry.metrics import request_served

def make():
    app = Flask("made")

    @app.get("/")
    def pid():
        request_served("made", "GET", "/", 200, 0.1)
        return str(os.getpid())

    return app
"""
SERVER = """
from dynabench_common.http.serve import run_http
from dynabench_common.settings import ServiceSettings, load

run_http("common", "served:make", load(ServiceSettings))
"""


def read(port: int, path: str = "/metrics", token: str = TOKEN) -> urllib3.BaseHTTPResponse:
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    return urllib3.request("GET", f"http://127.0.0.1:{port}{path}", headers=headers, timeout=5, retries=3)


def free_port() -> int:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port: int = taken.getsockname()[1]
    return port


def counted(route: str, method: str = "GET", status: str = "2xx") -> float:
    labels = {"service": "events", "method": method, "route": route, "status": status}
    return REGISTRY.get_sample_value("dynabench_http_request_seconds_count", labels) or 0.0


@pytest.fixture
def port() -> Iterator[int]:
    settings = MetricsSettings(metrics_bind=f"127.0.0.1:{free_port()}", metrics_token=TOKEN)
    opened = MetricsPort(settings)
    opened.serve()
    yield opened.port


def test_requests_are_counted_under_their_templates() -> None:
    app = service_app("events", verifier=Issuer().verifier())
    app.add_url_rule("/things/<response>", "thing", Response)
    client = app.test_client()
    before, unmatched = counted("/things/<response>"), counted("unmatched", status="4xx")
    for name in ("a", "b", "c"):
        client.get(f"/things/{name}")
        client.get(f"/nothing/{name}")
    assert counted("/things/<response>") == before + 3
    assert counted("unmatched", status="4xx") == unmatched + 3


def test_unknown_methods_and_health_checks_make_no_series() -> None:
    app = service_app("events", verifier=Issuer().verifier())
    client = app.test_client()
    before = counted("unmatched", "other", "4xx")
    for method in ("BREW", "WHEN", "PROPFIND"):
        client.open("/tea", method=method)
    client.get("/healthz/live")
    assert counted("unmatched", "other", "4xx") == before + 3
    assert counted("/healthz/live") == 0


def test_names_past_the_limit_share_one_label() -> None:
    name = KnownNames(most=2)
    assert [name(each) for each in ("a", "b", "c", "a", "d")] == ["a", "b", "other", "a", "other"]


def test_metrics_are_shown_to_who_has_the_token(port: int) -> None:
    assert read(port).status == 200
    assert b"# TYPE dynabench_http_request_seconds histogram" in read(port).data
    assert read(port, token="").status == 401
    assert read(port, token=TOKEN[:-1]).status == 401
    assert read(port, path="/other").status == 404


@pytest.mark.parametrize(
    ("bind", "token", "reason"),
    [
        ("9100", TOKEN, "METRICS_BIND.*write an address and a port"),
        ("127.0.0.1:0", TOKEN, "METRICS_BIND.*write an address and a port"),
        ("127.0.0.1:9100", "", "METRICS_TOKEN.*it is needed where METRICS_BIND"),
        ("127.0.0.1:9100", "short", "METRICS_TOKEN.*16 characters"),
    ],
)
def test_unusable_settings_are_refused(
    monkeypatch: pytest.MonkeyPatch, bind: str, token: str, reason: str
) -> None:
    monkeypatch.setenv("METRICS_BIND", bind)
    monkeypatch.setenv("METRICS_TOKEN", token)
    with pytest.raises(SettingsError, match=reason):
        load(MetricsSettings)


def test_unreadable_figures_are_reported_as_such() -> None:
    figures = DatabaseFigures(
        create_engine("postgresql+psycopg2://nobody:none@127.0.0.1:1/none"),
        "made",
        [Figure("made_rows", "Rows", "SELECT 1")],
    )
    stop = threading.Event()
    thread = threading.Thread(target=figures.run, args=(stop,))
    thread.start()
    try:
        while REGISTRY.get_sample_value("dynabench_figures_read", {"service": "made"}) is None:
            time.sleep(0.01)
        assert REGISTRY.get_sample_value("dynabench_figures_read", {"service": "made"}) == 0
        assert REGISTRY.get_sample_value("made_rows", {"service": "made"}) is None
    finally:
        stop.set()
        thread.join()
    assert REGISTRY.get_sample_value("dynabench_figures_read", {"service": "made"}) is None


def test_the_figures_are_those_of_all_processes_and_outlive_them(tmp_path: Path) -> None:
    (tmp_path / "served.py").write_text(SERVED)
    http, metrics = free_port(), free_port()
    environment = {
        **os.environ,
        "PYTHONPATH": str(tmp_path),
        "TMPDIR": str(tmp_path),
        "HTTP_BIND": f"127.0.0.1:{http}",
        "HTTP_PROCESSES": "2",
        "HTTP_THREADS": "2",
        "JWKS_URL": "http://127.0.0.1:1/jwks",
        "METRICS_BIND": f"127.0.0.1:{metrics}",
        "METRICS_TOKEN": TOKEN,
    }
    server = subprocess.Popen([sys.executable, "-c", SERVER], env=environment)
    patient = urllib3.Retry(total=50, backoff_factor=0.1, backoff_max=0.2)
    try:
        pids: set[str] = set()
        asked = 0
        while len(pids) < 2:
            fresh = {"Connection": "close"}
            answer = urllib3.request("GET", f"http://127.0.0.1:{http}/", headers=fresh, retries=patient)
            pids.add(answer.data.decode())
            asked += 1
        line = f'dynabench_http_request_seconds_count{{method="GET",route="/",service="made",status="2xx"}} {asked}.0'
        assert line in read(metrics).data.decode()
        os.kill(int(pids.pop()), signal.SIGKILL)
        assert all(line in read(metrics).data.decode() for _ in range(10))
        assert list(tmp_path.glob(f"{PREFIX}*"))
    finally:
        server.send_signal(signal.SIGTERM)
        server.wait(20)
    assert not list(tmp_path.glob(f"{PREFIX}*"))
