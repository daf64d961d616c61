"""A second process of every service on the same stores, with HTTPS between services: pages, sign-in, a try."""

import os
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pytest
from dynabench_client import Dynabench
from dynabench_common.pools import new_pool
from dynabench_common.testing import wait_until
from dynabench_local.preflight import free_port_base
from dynabench_local.services import WITH_HTTP
from urllib3 import PoolManager
from urllib3.exceptions import HTTPError

from tests.authorities import Authority
from tests.scenarios import PRAISE, write

pytestmark = pytest.mark.slow


@contextmanager
def process(platform: Any, service: str, settings: dict[str, str], folder: Path) -> Iterator[None]:
    environment = {**os.environ, **platform.environment(service), **settings}
    with (folder / f"{service}.log").open("wb") as log:
        command = [str(platform.stack.layout.scripts / service), "http"]
        started = subprocess.Popen(command, env=environment, cwd=folder, stdout=log, stderr=log)
    try:
        yield
    finally:
        started.terminate()
        started.wait(90)


def is_ready(pool: PoolManager, url: str) -> bool:
    try:
        return pool.request("GET", f"{url}/healthz/ready").status == 200
    except HTTPError:
        return False


@pytest.fixture
def secured(
    platform: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[tuple[dict[str, str], PoolManager]]:
    """The addresses of the services that speak HTTPS, and connections that trust them."""
    authority = Authority("the tests")
    monkeypatch.setenv("HTTP_AUTHORITIES_FILE", str(authority.write(tmp_path / "ca.crt")))
    first = free_port_base(len(WITH_HTTP))
    urls = {service: f"https://127.0.0.1:{first + number}" for number, service in enumerate(WITH_HTTP)}
    addresses = {f"{service.upper()}_URL": url for service, url in urls.items()}
    pool = new_pool(timeout=20)
    with ExitStack() as stack:
        for service, url in urls.items():
            folder = tmp_path / service
            folder.mkdir()
            certificate, key = authority.sign(folder)
            settings = {
                **addresses,
                "HTTP_BIND": url.removeprefix("https://"),
                "JWKS_URL": f"{urls['accounts']}/api/accounts/v1/jwks",
                "HTTP_CERTIFICATE_FILE": str(certificate),
                "HTTP_PRIVATE_KEY_FILE": str(key),
            }
            stack.enter_context(process(platform, service, settings, folder))
        for service, url in urls.items():
            wait_until(lambda at=url: is_ready(pool, at), what=f"{service} over TLS")
        yield urls, pool


def test_a_try_goes_to_its_verdict_over_tls_alone(
    platform: Any, secured: tuple[dict[str, str], PoolManager], round_id: str
) -> None:
    urls, pool = secured
    ada = platform.sign_ins()["ada"]
    client = Dynabench(urls=urls, user_name="ada", password=ada["password"], pool=pool)
    assert write(client, round_id, PRAISE.format("tea"), "negative").verdict == "fooled"
    assert client.leaderboard.round(round_id).round_id == round_id
    assert client.validation.counts(round_id).examples >= 0
    assert client.datasets.datasets().items is not None

    page = pool.request("GET", f"{urls['web']}/tasks/sentiment")
    assert page.status == 200
    assert "Sentiment" in page.data.decode()
    plainly = PoolManager(retries=False, timeout=20)
    for url in urls.values():
        refused = plainly.request("GET", url.replace("https", "http") + "/healthz/live")
        assert (refused.status, refused.json()["title"]) == (400, "This port speaks TLS")
