"""Signatures that come with archives: made by the library model-signing, verified over the bytes that arrived."""

import base64
import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import model_signing
import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from registry.adapters.signatures import signer
from registry.domain.errors import SignatureRefused
from registry.domain.submission import Signature
from registry.service_layer.checks.runner import Checker

from .checked import GOOD, look, step
from .submissions import Submitter, digest_of

LIBRARY: Any = model_signing
PEM, PUBLIC = serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo


class Key:
    """An elliptic key in two files."""

    def __init__(self, folder: Path, name: str, curve: ec.EllipticCurve | None = None) -> None:
        self.private, self.public = folder / f"{name}.pem", folder / f"{name}.pub.pem"
        key = ec.generate_private_key(curve or ec.SECP256R1())
        plain = serialization.NoEncryption()
        self.private.write_bytes(key.private_bytes(PEM, serialization.PrivateFormat.PKCS8, plain))
        self.public.write_bytes(key.public_key().public_bytes(PEM, PUBLIC))

    @property
    def fingerprint(self) -> str:
        return f"sha256:{hashlib.sha256(self.public.read_bytes()).hexdigest()}"

    def sign(self, content: bytes) -> Signature:
        file, target = self.private.with_suffix(".mar"), self.private.with_suffix(".sig")
        file.write_bytes(content)
        LIBRARY.signing.Config().use_elliptic_key_signer(private_key=self.private).sign(file, target)
        return Signature(target.read_text(), self.public.read_text())


def agrees(folder: Path, signature: Signature, content: bytes) -> bool:
    """Return whether the library takes it."""
    paths = [folder / name for name in ("said.mar", "said.sig", "said.pem")]
    for path, value in zip(
        paths, (content, signature.bundle.encode(), signature.public_key.encode()), strict=True
    ):
        path.write_bytes(value)
    try:
        LIBRARY.verifying.Config().use_elliptic_key_verifier(public_key=paths[2]).verify(*paths[:2])
    except Exception:
        return False
    return True


@pytest.fixture
def key(tmp_path: Path) -> Key:
    return Key(tmp_path, "mine")


@pytest.mark.parametrize(
    "curve", [ec.SECP256R1(), ec.SECP384R1(), ec.SECP521R1()], ids=lambda each: each.name
)
def test_what_the_library_signs_is_verified(tmp_path: Path, curve: ec.EllipticCurve) -> None:
    key = Key(tmp_path, "mine", curve)
    signature = key.sign(GOOD)
    assert agrees(tmp_path, signature, GOOD)
    assert signer(signature, digest_of(GOOD)) == key.fingerprint


def changed_payload(bundle: dict[str, Any]) -> None:
    envelope = bundle["dsseEnvelope"]
    said = base64.b64decode(envelope["payload"]).replace(b'"files"', b'"FILES"')
    envelope["payload"] = base64.b64encode(said).decode()


def no_signatures(bundle: dict[str, Any]) -> None:
    bundle["dsseEnvelope"]["signatures"] = []


def another_kind(bundle: dict[str, Any]) -> None:
    bundle["mediaType"] = "text/plain"


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (changed_payload, "changed since it was made"),
        (no_signatures, "no signature in the format"),
        (another_kind, "of the kind text/plain"),
        (lambda bundle: bundle.clear(), "no signature in the format"),
        (lambda bundle: bundle["dsseEnvelope"].update(payload="%%%"), "no signature in the format"),
    ],
)
def test_a_changed_signature_is_refused_here_and_by_the_library(
    tmp_path: Path, key: Key, change: Callable[[dict[str, Any]], None], reason: str
) -> None:
    made = key.sign(GOOD)
    bundle = json.loads(made.bundle)
    change(bundle)
    signature = Signature(json.dumps(bundle), made.public_key)
    assert not agrees(tmp_path, signature, GOOD)
    with pytest.raises(SignatureRefused, match=reason):
        signer(signature, digest_of(GOOD))


def test_other_bytes_other_keys_and_other_kinds_of_keys_are_refused(tmp_path: Path, key: Key) -> None:
    made, other = key.sign(GOOD), Key(tmp_path, "other")
    with pytest.raises(SignatureRefused, match="of a file with the digest sha256:"):
        signer(made, digest_of(b"other bytes"))
    with pytest.raises(SignatureRefused, match="made with another key"):
        signer(Signature(made.bundle, other.public.read_text()), digest_of(GOOD))
    with pytest.raises(SignatureRefused, match="can't be read as PEM"):
        signer(Signature(made.bundle, "no key"), digest_of(GOOD))
    public = rsa.generate_private_key(public_exponent=65_537, key_size=2_048).public_key()
    with pytest.raises(SignatureRefused, match="no elliptic key"):
        signer(Signature(made.bundle, public.public_bytes(PEM, PUBLIC).decode()), digest_of(GOOD))
    for bundle in ("[" * 100_000, "null", '"text"', '{"mediaType": 1}', "{}"):
        with pytest.raises(SignatureRefused):
            signer(Signature(bundle, made.public_key), digest_of(GOOD))


def test_a_folder_is_not_the_archive(tmp_path: Path, key: Key) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    for name in ("a", "b"):
        (folder / name).write_bytes(GOOD)
    target = tmp_path / "folder.sig"
    LIBRARY.signing.Config().use_elliptic_key_signer(private_key=key.private).sign(folder, target)
    with pytest.raises(SignatureRefused, match="of a folder"):
        signer(Signature(target.read_text(), key.public.read_text()), digest_of(GOOD))


def test_a_signed_archive_says_whose_key_signed_it(key: Key, submitter: Submitter, checker: Checker) -> None:
    sent = submitter.submit(GOOD, signature=vars(key.sign(GOOD)))
    assert checker.turn()
    found = look(submitter, sent)
    assert (found["state"], found["signed_by"]) == ("deployed", key.fingerprint)
    shown = submitter.get("/published-models/tiny-v1").get_json()
    assert shown["signed_by"] == key.fingerprint


def test_a_signature_that_does_not_fit_refuses_and_is_mended(
    key: Key, tmp_path: Path, submitter: Submitter, checker: Checker
) -> None:
    wrong = Signature(key.sign(GOOD).bundle, Key(tmp_path, "other").public.read_text())
    sent = submitter.submit(GOOD, signature=vars(wrong))
    assert checker.turn()
    refused = step(look(submitter, sent), "checksum")
    assert (refused["state"], refused["fault"]) == ("failed", "yours")
    assert refused["reason"] == "The signature does not fit the archive: it was made with another key."
    assert refused["remedy"].startswith("Sign the file with dynabench models sign")
    again = submitter.begin(GOOD, signature=vars(key.sign(GOOD)))
    assert (again.status_code, again.get_json()["submission"]["state"]) == (200, "checking")
    assert checker.turn()
    assert look(submitter, sent)["signed_by"] == key.fingerprint


def test_a_private_key_is_refused_and_not_stored(key: Key, submitter: Submitter) -> None:
    signed = key.sign(GOOD)
    answer = submitter.begin(GOOD, signature={"bundle": signed.bundle, "public_key": key.private.read_text()})
    assert answer.status_code == 422
    assert answer.get_json()["field"] == "signature.public_key"
    assert "PRIVATE KEY-----" not in answer.text


def test_what_was_refused_for_its_signature_may_come_without_one(
    key: Key, submitter: Submitter, checker: Checker
) -> None:
    sent = submitter.submit(GOOD, signature=vars(key.sign(b"other bytes")))
    assert checker.turn()
    assert submitter.begin(GOOD).get_json()["submission"]["state"] == "checking"
    assert checker.turn()
    found = look(submitter, sent)
    assert (found["state"], found["signed_by"]) == ("deployed", None)


def test_an_unfinished_upload_takes_a_signature_later(
    key: Key, submitter: Submitter, checker: Checker
) -> None:
    begun = submitter.begin(GOOD).get_json()["submission"]
    assert submitter.begin(GOOD, signature=vars(key.sign(GOOD))).get_json()["known"]
    submitter.send_parts(begun, GOOD)
    submitter.complete(begun)
    assert checker.turn()
    assert look(submitter, begun)["signed_by"] == key.fingerprint
