"""Several keys to sign with, and changing them while processes with either file run."""

import json
from pathlib import Path

import pytest
from accounts.adapters.signing_keys import load_or_create
from accounts.bootstrap import build_dependencies
from accounts.entrypoints import cli
from accounts.entrypoints.http.app import create_app
from accounts.settings import AccountsSettings
from joserfc.jwk import OKPKey
from typer.testing import CliRunner
from werkzeug.test import TestResponse

from .conftest import Api

PASSWORD = "violet otter canoe"


def cookie_of(answer: TestResponse) -> str:
    return answer.headers["Set-Cookie"].split(";")[0].partition("=")[2]


@pytest.mark.usefixtures("dependencies")
def test_a_key_is_changed_without_signing_anybody_out(
    accounts_settings: AccountsSettings, tmp_path: Path
) -> None:
    """Processes with the file of each step know the sessions and tokens of all others."""
    old_file, both_file, new_file = (tmp_path / name for name in ("old", "both", "new"))
    [old] = load_or_create(old_file)
    both_file.write_bytes(old_file.read_bytes())
    both_file.chmod(0o600)
    added = signing_keys("add", both_file).strip()
    assert [key.thumbprint() for key in load_or_create(both_file)] == [old.thumbprint(), added]
    new_file.write_bytes(both_file.read_bytes())
    new_file.chmod(0o600)
    signing_keys("sign-with", new_file, added)
    assert signing_keys("list", new_file).split() == [added, "signs", old.thumbprint(), "is", "valid"]
    assert "signs" in signing_keys("remove", new_file, added, code=1)

    apis = []
    engines = []
    for file in (old_file, both_file, new_file):
        needed = build_dependencies(accounts_settings.model_copy(update={"signing_key_file": file}))
        engines.append(needed.engine)
        apis.append(Api(create_app(needed).test_client(use_cookies=False)))
    _, between, after = apis
    ada = between.new_person("ada")
    assert after.call("GET", "/me", headers={"Authorization": f"Bearer {ada.token}"}).status_code == 200
    token = after.signed_in("ada").token
    assert between.call("GET", "/me", headers={"Authorization": f"Bearer {token}"}).status_code == 200

    signed_in = between.call("POST", "/sessions", {"user_name": "ada", "password": PASSWORD})
    held = cookie_of(signed_in)
    successors = [
        cookie_of(api.call("POST", "/sessions/refresh", headers={"Cookie": f"dynabench_refresh={held}"}))
        for api in (between, after, between)
    ]
    assert len(set(successors)) == 1
    signing_keys("remove", new_file, old.thumbprint())
    assert len(load_or_create(new_file)) == 1
    for engine in engines:
        engine.dispose()


def test_a_thumbprint_may_begin_with_a_hyphen(tmp_path: Path) -> None:
    """As that of every 64th key."""
    keys = (OKPKey.generate_key("Ed25519") for _ in range(10_000))
    key = next(each for each in keys if each.thumbprint().startswith("-"))
    file = tmp_path / "keys"
    file.write_text(json.dumps(key.as_dict(private=True)), encoding="utf-8")
    file.chmod(0o600)
    added = signing_keys("add", file).strip()
    signing_keys("sign-with", file, added)
    signing_keys("sign-with", file, key.thumbprint())
    signing_keys("sign-with", file, added)
    signing_keys("remove", file, key.thumbprint())
    assert [each.thumbprint() for each in load_or_create(file)] == [added]


def signing_keys(verb: str, file: Path, *arguments: str, code: int = 0) -> str:
    """Run the command and return what it says."""
    done = CliRunner().invoke(cli.app, ["signing-keys", verb, *arguments, "--file", str(file)])
    assert done.exit_code == code, done.output
    return done.output if code == 0 else str(done.exception)
