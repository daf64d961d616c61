"""Preparation of a platform in containers: each store with a given address, and the edge by names."""

import json
from pathlib import Path

import pytest
from accounts.adapters.signing_keys import load_or_create
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from dynabench_local import postgres, prepare

ADDRESSES = ("POSTGRES_ADMIN_URL", "KAFKA_ADMIN_ADDRESS", "S3_ENDPOINT_URL")


@pytest.fixture(autouse=True)
def _no_addresses(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in (*ADDRESSES, "EDGE_UPSTREAM", "ACCOUNTS_DATABASE_PASSWORD"):
        monkeypatch.delenv(name, raising=False)


def test_stores_without_an_address_are_left_alone_and_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert prepare.main(["stores"]) == 0
    lines = capsys.readouterr().out
    assert all(f"since {name} is not set" in lines for name in ADDRESSES)


def test_a_missing_password_is_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("POSTGRES_ADMIN_URL", "postgresql://postgres:hidden@127.0.0.1:1/postgres")
    assert prepare.main(["stores"]) == 2
    assert capsys.readouterr().err == "prepare: ACCOUNTS_DATABASE_PASSWORD is not set\n"


def test_roles_that_processes_run_as_are_made_where_they_have_passwords(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: dict[str, str] = {}
    monkeypatch.setattr(postgres, "ensure_databases", lambda _url, passwords: asked.update(passwords))
    monkeypatch.setenv("POSTGRES_ADMIN_URL", "postgresql://postgres:hidden@127.0.0.1:1/postgres")
    for service in postgres.OWNERS:
        monkeypatch.setenv(f"{service.upper()}_DATABASE_PASSWORD", f"of {service}")
    assert prepare.main(["stores"]) == 0
    assert asked == {service: f"of {service}" for service in postgres.OWNERS}
    monkeypatch.setenv("SCORING_DATABASE_APP_PASSWORD", "of its processes")
    assert prepare.main(["stores"]) == 0
    assert asked["scoring_app"] == "of its processes"


def test_a_wrong_call_prints_the_usage(capsys: pytest.CaptureFixture[str]) -> None:
    assert prepare.main([]) == 2
    assert "stores | edge FILE" in capsys.readouterr().err


def test_the_edge_finds_services_by_name(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    file = tmp_path / "caddy.json"
    assert prepare.main(["edge", str(file)]) == 0
    assert '"annotation:8000"' in file.read_text()
    monkeypatch.setenv("EDGE_UPSTREAM", "release-{service}:80")
    assert prepare.main(["edge", str(file)]) == 0
    assert json.loads(file.read_text())["apps"]["http"]["servers"]["edge"]["listen"] == [":8080"]
    assert '"release-web:80"' in file.read_text()
    assert '"tls"' not in file.read_text()
    monkeypatch.setenv("EDGE_AUTHORITIES_FILE", "/certificates/ca.crt")
    assert prepare.main(["edge", str(file)]) == 0
    assert '"/certificates/ca.crt"' in file.read_text()


def test_a_signing_key_in_pem_becomes_one_that_accounts_takes(tmp_path: Path) -> None:
    key = Ed25519PrivateKey.generate()
    source, target = tmp_path / "key.pem", tmp_path / "signing-key.json"
    source.write_bytes(key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
    assert prepare.main(["signing-key", str(source), str(target)]) == 0
    assert load_or_create(target)[0].thumbprint()
    again = tmp_path / "again.json"
    assert prepare.main(["signing-key", str(target), str(again)]) == 0
    assert again.read_bytes() == target.read_bytes()


def test_what_is_no_key_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = tmp_path / "key.pem"
    source.write_text("none")
    assert prepare.main(["signing-key", str(source), str(tmp_path / "target")]) == 2
    assert "neither a JWK nor a key in PEM" in capsys.readouterr().err
