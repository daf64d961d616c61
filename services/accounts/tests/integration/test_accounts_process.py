"""Key file, migrations, health and the command line."""

import io
import json
import stat
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from accounts.adapters.passwords import Argon2Passwords
from accounts.adapters.signing_keys import load_or_create
from accounts.bootstrap import build_dependencies
from accounts.entrypoints import cli
from accounts.entrypoints.http.app import create_app
from accounts.settings import AccountsSettings
from dynabench_common.http.contracts import checked_against_contract
from dynabench_common.settings import SettingsError
from joserfc.jwk import OctKey
from sqlalchemy import Engine
from typer.testing import CliRunner

from .conftest import Api

PASSWORD = "violet otter canoe"


def test_a_signing_key_is_made_once_for_the_owner_alone(tmp_path: Path) -> None:
    path = tmp_path / "keys" / "signing.json"
    with ThreadPoolExecutor(8) as pool:
        thumbprints = set(pool.map(lambda _: load_or_create(path)[0].thumbprint(), range(16)))
    assert len(thumbprints) == 1
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert [file.name for file in path.parent.iterdir()] == ["signing.json"]


@pytest.mark.parametrize(
    "content", ["", "{}", "[]", "nonsense", json.dumps(OctKey.import_key("s" * 32).as_dict(private=True))]
)
def test_a_file_without_an_ed25519_key_is_refused_with_a_remedy(tmp_path: Path, content: str) -> None:
    path = tmp_path / "signing.json"
    path.write_text(content)
    path.chmod(0o600)
    with pytest.raises(SettingsError, match=r"holds no JWK|private Ed25519"):
        load_or_create(path)


def test_a_key_that_others_can_read_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "signing.json"
    load_or_create(path)
    path.chmod(0o644)
    with pytest.raises(SettingsError, match="chmod 600"):
        load_or_create(path)


def test_passwords_are_argon2id_and_nobody_has_none() -> None:
    passwords = Argon2Passwords()
    stored = passwords.hash(PASSWORD)
    assert stored.startswith("$argon2id$")
    assert passwords.verify(stored, PASSWORD)
    assert not passwords.verify(stored, PASSWORD + "!")
    assert not passwords.verify(None, PASSWORD)
    assert not passwords.verify("not a hash", PASSWORD)
    assert not passwords.is_outdated(stored)
    assert passwords.is_outdated("$argon2id$v=19$m=8,t=1,p=1$c2FsdHNhbHQ$aGFzaGhhc2g")


def test_a_password_is_the_same_however_its_letters_are_composed() -> None:
    passwords = Argon2Passwords()
    assert passwords.verify(passwords.hash("cafe\u0301 au lait"), "caf\u00e9 au lait")


def test_the_service_is_ready_while_its_database_answers(api: Api) -> None:
    assert api.client.get("/healthz/live").status_code == 200
    assert api.client.get("/healthz/ready").status_code == 200
    assert "/api/accounts/v1/people" in api.client.get("/api/accounts/openapi.json").get_json()["paths"]


def test_without_its_database_the_service_says_when_to_come_back(accounts_settings: AccountsSettings) -> None:
    nowhere = accounts_settings.model_copy(
        update={"database_url": "postgresql+psycopg2://accounts:x@127.0.0.1:9/accounts"}
    )
    client = checked_against_contract(create_app(build_dependencies(nowhere))).test_client()
    body = {"user_name": "ada", "password": PASSWORD}
    answer = client.post("/api/accounts/v1/sessions", json=body)
    assert (answer.status_code, answer.get_json()["type"]) == (503, "/problems/database-unavailable")
    assert answer.headers["Retry-After"] == "2"
    assert client.get("/healthz/ready").status_code == 503
    assert client.get("/healthz/live").status_code == 200


def run(monkeypatch: pytest.MonkeyPatch, url: str, password: str, *arguments: str) -> Any:
    monkeypatch.setenv("DATABASE_URL", url)
    return CliRunner().invoke(cli.app, arguments, input=password + "\n")


def test_ensure_person_prints_the_id_and_does_so_again(
    engine: Engine, accounts_settings: AccountsSettings, monkeypatch: pytest.MonkeyPatch
) -> None:
    arguments = (
        "ensure-person",
        "--user-name",
        "demo",
        "--email",
        "demo@example.org",
        "--role",
        "owner:sentiment",
    )
    first, second = (run(monkeypatch, accounts_settings.database_url, PASSWORD, *arguments) for _ in range(2))
    assert (first.exit_code, second.exit_code) == (0, 0)
    assert first.stdout == second.stdout
    assert len(first.stdout.strip()) == 36


def test_ensure_person_with_a_weak_password_says_what_to_do(
    accounts_settings: AccountsSettings, monkeypatch: pytest.MonkeyPatch
) -> None:
    arguments = ("ensure-person", "--user-name", "demo", "--email", "demo@example.org")
    refused = run(monkeypatch, accounts_settings.database_url, "password", *arguments)
    assert refused.exit_code == 1
    assert "10 are needed" in refused.stderr


def test_a_missing_setting_is_one_line_and_status_2(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("DATABASE_URL", raising=False)
    monkeypatch.setattr(sys, "argv", ["accounts", "migrate"])
    said = io.StringIO()
    monkeypatch.setattr(sys, "stderr", said)
    with pytest.raises(SystemExit) as ended:
        cli.main()
    assert ended.value.code == 2
    assert "DATABASE_URL" in said.getvalue()
