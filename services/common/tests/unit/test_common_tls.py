"""HTTPS of a service: trusted clients, refused clients, and renewal of the certificate."""

import os
import signal
import ssl
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import pytest
import urllib3
from dynabench_common.http.client import JsonClient, UpstreamError
from dynabench_common.http.tls import shown_certificate
from dynabench_common.pools import new_pool
from dynabench_common.settings import ServiceSettings, SettingsError, load
from dynabench_common.testing import wait_until
from dynabench_local.preflight import free_port_base

from tests.authorities import Authority

pytestmark = pytest.mark.filterwarnings("ignore::urllib3.exceptions.InsecureRequestWarning")
APP = Path(__file__).with_name("secured_app.py")
THREADS, GREENLETS = "dynabench_common.http.draining.DrainingThreads", "gevent"
OF_THE_GATEWAY = "gateway.entrypoints.worker.DrainingWorker"
NEEDED = {"JWKS_URL": "http://127.0.0.1:9"}


@dataclass
class Served:
    """A process that speaks HTTPS."""

    process: "subprocess.Popen[bytes]"
    port: int
    folder: Path

    @property
    def url(self) -> str:
        return f"https://127.0.0.1:{self.port}"


@pytest.fixture
def authority(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Authority:
    """An authority that this process and those that it starts trust."""
    made = Authority("the tests")
    monkeypatch.setenv("HTTP_AUTHORITIES_FILE", str(made.write(tmp_path / "ca.crt")))
    return made


@pytest.fixture
def serve(authority: Authority, tmp_path: Path) -> Iterator[Callable[..., Served]]:
    """Starts the app, with a certificate for a host, and with another process to ask."""
    begun: list[Served] = []

    def start(worker: str, asks: str = "https://127.0.0.1:9", host: str = "127.0.0.1") -> Served:
        folder = tmp_path / f"process-{len(begun)}"
        folder.mkdir()
        certificate, key = authority.sign(folder, host)
        port = free_port_base(2) + len(begun)
        command = [sys.executable, str(APP), str(port), asks, worker, str(certificate), str(key)]
        process = subprocess.Popen(command, cwd=APP.parent)
        served = Served(process, port, folder)
        begun.append(served)
        wait_until(lambda: is_up(served.port), what="the app")
        return served

    yield start
    for each in begun:
        each.process.kill()
        each.process.wait(30)


def is_up(port: int) -> bool:
    unchecked = ssl._create_unverified_context()
    with urllib3.PoolManager(retries=False, timeout=5, ssl_context=unchecked, assert_hostname=False) as pool:
        try:
            return pool.request("GET", f"https://127.0.0.1:{port}/told").status == 200
        except urllib3.exceptions.HTTPError:
            return False


def refused(url: str) -> UpstreamError:
    with pytest.raises(UpstreamError) as caught:
        JsonClient(url, 5).call("GET", "/told")
    return caught.value


def shown_by(served: Served) -> str:
    return ssl.get_server_certificate(("127.0.0.1", served.port), timeout=5)


@pytest.mark.parametrize("worker", [THREADS, GREENLETS, OF_THE_GATEWAY])
def test_a_service_speaks_https_with_those_who_trust_its_authority(
    serve: Callable[..., Served],
    authority: Authority,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    worker: str,
) -> None:
    served = serve(worker)
    client = JsonClient(served.url, 5)
    for asked in ("first", "second"):
        assert client.call("GET", f"/told?asked={asked}") == {"scheme": "https", "asked": asked}

    plainly = refused(served.url.replace("https", "http"))
    assert (plainly.status, plainly.body["detail"]) == (400, "HTTP came to a port that speaks HTTPS.")
    assert "https://" in plainly.body["remedy"]

    monkeypatch.setenv("HTTP_AUTHORITIES_FILE", str(Authority("a stranger").write(tmp_path / "other.crt")))
    assert "its certificate is not accepted: unable to get local issuer" in str(refused(served.url))
    monkeypatch.delenv("HTTP_AUTHORITIES_FILE")
    assert "its certificate is not accepted" in str(refused(served.url))


@pytest.mark.parametrize("worker", [THREADS, GREENLETS])
def test_a_certificate_for_another_host_is_refused(serve: Callable[..., Served], worker: str) -> None:
    served = serve(worker, host="annotation.example")
    assert "certificate is not valid for '127.0.0.1'" in str(refused(served.url))


@pytest.mark.parametrize("worker", [THREADS, GREENLETS, OF_THE_GATEWAY])
def test_a_renewed_certificate_is_shown_without_a_restart(
    serve: Callable[..., Served], authority: Authority, worker: str
) -> None:
    served = serve(worker)
    kept = JsonClient(served.url, 5)
    kept.call("GET", "/told")
    first = shown_by(served)
    certificate, key = authority.sign(served.folder)
    assert shown_by(served) == certificate.read_text() != first
    assert kept.call("GET", "/told")["scheme"] == "https"

    key.write_text("half of a key")
    assert shown_by(served) == certificate.read_text()
    certificate, _ = authority.sign(served.folder)
    assert shown_by(served) == certificate.read_text()


@pytest.mark.slow
@pytest.mark.parametrize("worker", [THREADS, GREENLETS, OF_THE_GATEWAY])
def test_processes_ask_each_other_over_https_many_at_once_and_end_on_a_stop_signal(
    serve: Callable[..., Served], worker: str
) -> None:
    asked = serve(THREADS)
    asking = serve(worker, asks=asked.url)
    client = JsonClient(asking.url, 30)
    with ThreadPoolExecutor(4) as pool:
        answers = [pool.submit(client.call, "GET", "/asked") for _ in range(4)]
        assert [each.result() for each in answers] == [{"answer": {"met": True}}] * 4
    asking.process.send_signal(signal.SIGTERM)
    assert asking.process.wait(30) == 0


def test_https_to_an_http_port_has_a_clear_error(authority: Authority) -> None:
    from http.server import BaseHTTPRequestHandler, HTTPServer
    from threading import Thread

    server = HTTPServer(("127.0.0.1", 0), BaseHTTPRequestHandler)
    Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
    assert "does it speak HTTPS?" in str(refused(f"https://127.0.0.1:{server.server_port}"))
    server.shutdown()


@pytest.mark.parametrize(
    ("given", "reason"),
    [
        (
            {"HTTP_CERTIFICATE_FILE": "/tls.crt"},
            "HTTP_PRIVATE_KEY_FILE: Value error, it and HTTP_CERTIFICATE_FILE",
        ),
        (
            {"HTTP_PRIVATE_KEY_FILE": "/tls.key"},
            "HTTP_PRIVATE_KEY_FILE: Value error, it and HTTP_CERTIFICATE_FILE",
        ),
        (
            {"HTTP_CERTIFICATE_FILE": "/no/tls.crt", "HTTP_PRIVATE_KEY_FILE": "/no/tls.key"},
            "can't be used: No such file or directory",
        ),
        ({"HTTP_CERTIFICATE_FILE": os.devnull, "HTTP_PRIVATE_KEY_FILE": os.devnull}, "both as PEM"),
    ],
)
def test_settings_that_do_not_fit_together_are_refused(
    monkeypatch: pytest.MonkeyPatch, given: dict[str, str], reason: str
) -> None:
    for name, value in {**NEEDED, **given}.items():
        monkeypatch.setenv(name, value)
    with pytest.raises(SettingsError, match=reason):
        shown_certificate(load(ServiceSettings))


def test_authorities_that_are_none_are_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("HTTP_AUTHORITIES_FILE", str(tmp_path / "missing.crt"))
    with pytest.raises(SettingsError, match=r"HTTP_AUTHORITIES_FILE .* can't be used: No such file"):
        new_pool()
    (tmp_path / "missing.crt").write_text("nothing")
    with pytest.raises(SettingsError, match="as PEM"):
        new_pool()
