"""`dynabench models sign` and `verify`."""

import hashlib
import json
from collections.abc import Callable
from pathlib import Path

import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec
from dynabench_archives.digests import file_digest
from typer.testing import Result

from services.client.tests.stub_platform import StubPlatform
from services.client.tests.submission_answers import WHOLE

Run = Callable[..., Result]
NO_PROFILE = Path("nowhere.json")


def keys(folder: Path, name: str, password: bytes | None = None) -> tuple[Path, Path]:
    """Write a pair of keys; return the private and the public one."""
    private, public = folder / f"{name}.pem", folder / f"{name}.pub.pem"
    key = ec.generate_private_key(ec.SECP256R1())
    encryption = serialization.BestAvailableEncryption(password) if password else serialization.NoEncryption()
    pem = serialization.Encoding.PEM
    private.write_bytes(key.private_bytes(pem, serialization.PrivateFormat.PKCS8, encryption))
    public.write_bytes(key.public_key().public_bytes(pem, serialization.PublicFormat.SubjectPublicKeyInfo))
    return private, public


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    path = tmp_path / "mine.mar"
    path.write_bytes(b"an archive")
    return path


def test_a_signed_archive_is_verified(run: Run, tmp_path: Path, archive: Path) -> None:
    private, public = keys(tmp_path, "mine")
    signed = run("models", "sign", str(archive), "--key", str(private), "--json", profile=NO_PROFILE)
    assert signed.exit_code == 0, signed.stderr
    assert json.loads(signed.stdout) == {
        "file": str(archive),
        "digest": file_digest(archive),
        "signature": f"{archive}.sig",
        "public_key": f"{archive}.sig.pub.pem",
        "signed_by": f"sha256:{hashlib.sha256(public.read_bytes()).hexdigest()}",
    }
    assert Path(f"{archive}.sig.pub.pem").read_bytes() == public.read_bytes()
    verified = run("models", "verify", str(archive), "--key", str(public), "--json", profile=NO_PROFILE)
    assert verified.exit_code == 0, verified.stderr
    assert json.loads(verified.stdout)["verified"] is True


def test_a_key_with_a_password_is_asked_for(run: Run, tmp_path: Path, archive: Path) -> None:
    private, public = keys(tmp_path, "mine", b"secret")
    arguments = ("models", "sign", str(archive), "--key", str(private))
    assert run(*arguments).exit_code == 1
    assert run(*arguments, "--ask-password", input="secret\n").exit_code == 0
    assert run("models", "verify", str(archive), "--key", str(public)).exit_code == 0


@pytest.mark.parametrize(
    ("change", "what"),
    [
        (
            lambda archive, _sig: archive.write_bytes(b"an Archive"),
            "is not as the owner of mine.pub.pem signed",
        ),
        (lambda _archive, sig: sig.write_text("{}"), "is not as the owner of mine.pub.pem signed"),
        (lambda _archive, sig: sig.unlink(), "There is no signature"),
    ],
)
def test_what_is_not_as_it_was_signed_is_told(
    run: Run, tmp_path: Path, archive: Path, change: Callable[[Path, Path], object], what: str
) -> None:
    private, public = keys(tmp_path, "mine")
    assert run("models", "sign", str(archive), "--key", str(private)).exit_code == 0
    change(archive, Path(f"{archive}.sig"))
    result = run("models", "verify", str(archive), "--key", str(public))
    assert (result.exit_code, result.stdout) == (1, "")
    assert what in result.stderr


def test_another_key_verifies_nothing(run: Run, tmp_path: Path, archive: Path) -> None:
    private, _ = keys(tmp_path, "mine")
    _, public = keys(tmp_path, "theirs")
    assert run("models", "sign", str(archive), "--key", str(private)).exit_code == 0
    assert run("models", "verify", str(archive), "--key", str(public)).exit_code == 1


def test_what_is_no_key_is_refused(run: Run, tmp_path: Path, archive: Path) -> None:
    result = run("models", "sign", str(archive), "--key", str(archive))
    assert result.exit_code == 1
    assert "openssl ecparam" in result.stderr


def test_a_signature_beside_the_archive_is_sent_with_its_key(
    run: Run, stub: StubPlatform, tmp_path: Path, archive: Path
) -> None:
    private, public = keys(tmp_path, "mine")
    submitted = ("models", "submit", str(archive), "--task", "sentiment")
    stub.tell("POST", "/registry/v1/submissions", {"submission": WHOLE, "known": True})
    assert run(*submitted).exit_code == 0
    assert run("models", "sign", str(archive), "--key", str(private)).exit_code == 0
    assert run(*submitted).exit_code == 0
    unsigned, signed = (each.body for each in stub.seen("POST", "/registry/v1/submissions"))
    assert "signature" not in unsigned
    assert signed["signature"] == {
        "bundle": Path(f"{archive}.sig").read_text(),
        "public_key": public.read_text(),
    }


def test_a_named_signature_needs_its_key(run: Run, stub: StubPlatform, tmp_path: Path, archive: Path) -> None:
    signature = tmp_path / "mine.sig"
    signature.write_text("{}")
    result = run("models", "submit", str(archive), "--task", "sentiment", "--signature", str(signature))
    assert (result.exit_code, "mine.sig.pub.pem" in result.stderr) == (1, True)
    assert "--key" in result.stderr


@pytest.mark.parametrize(
    ("key", "said"),
    [(b"-----BEGIN EC PRIVATE KEY-----\n", "is a private key"), (b"k" * 5_000_000, "5,000 are the most")],
)
def test_a_private_or_endless_key_is_not_sent(
    key: bytes, said: str, run: Run, stub: StubPlatform, tmp_path: Path, archive: Path
) -> None:
    (tmp_path / "mine.sig").write_text("{}")
    (tmp_path / "key.pem").write_bytes(key)
    named = ("--signature", str(tmp_path / "mine.sig"), "--key", str(tmp_path / "key.pem"))
    result = run("models", "submit", str(archive), "--task", "sentiment", *named)
    assert (result.exit_code, said in result.stderr.replace("\n", " ")) == (1, True)
    assert stub.requests == []
