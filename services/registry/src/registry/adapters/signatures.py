"""Verification of archives' signatures in the format of the library model-signing, made with elliptic keys.

A signature is a Sigstore bundle: an envelope (DSSE v1) around a statement (in-toto v1) that names the SHA-256 of the
signed file. `0003-signatures.md` says why the library is not used, and how tests compare this module with it.
"""

import base64
import hashlib
import json
from collections.abc import Mapping
from typing import Any

from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

from registry.domain.errors import SignatureRefused
from registry.domain.submission import Signature

BUNDLE = "application/vnd.dev.sigstore.bundle.v0.3+json"
PAYLOAD = "application/vnd.in-toto+json"
STATEMENT = "https://in-toto.io/Statement/v1"
PREDICATE = "https://model_signing/signature/v1.0"
HASHES: Mapping[str, hashes.HashAlgorithm] = {
    "secp256r1": hashes.SHA256(),
    "secp384r1": hashes.SHA384(),
    "secp521r1": hashes.SHA512(),
}
DIGEST = "sha256:"


def signer(signature: Signature, digest: str) -> str:
    """Return the fingerprint of the key that signed the archive of this digest, both "sha256:…".

    The fingerprint is the SHA-256 of the public key in PEM. Raises SignatureRefused.
    """
    key = _public_key(signature.public_key)
    fingerprint = hashlib.sha256(
        key.public_bytes(serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo)
    ).hexdigest()
    try:
        bundle = json.loads(signature.bundle)
        if bundle["mediaType"] != BUNDLE:
            raise SignatureRefused(f"it is of the kind {str(bundle['mediaType'])[:100]}, not {BUNDLE}")
        hint = bundle["verificationMaterial"].get("publicKey", {}).get("hint")
        statement = _signed(bundle["dsseEnvelope"], key, hint in (None, "", fingerprint))
        signed = _digest(statement)
    except (ValueError, KeyError, TypeError, AttributeError, IndexError, RecursionError) as err:
        raise SignatureRefused("it is no signature in the format of model-signing") from err
    if signed != digest:
        raise SignatureRefused(f"it is of a file with the digest {signed}, and {digest} arrived")
    return DIGEST + fingerprint


def _public_key(pem: str) -> ec.EllipticCurvePublicKey:
    try:
        key = serialization.load_pem_public_key(pem.encode())
    except (ValueError, UnsupportedAlgorithm) as err:
        raise SignatureRefused("the public key can't be read as PEM") from err
    if not isinstance(key, ec.EllipticCurvePublicKey) or key.curve.name not in HASHES:
        raise SignatureRefused(f"the public key is no elliptic key of {', '.join(HASHES)}")
    return key


def _signed(
    envelope: Mapping[str, Any], key: ec.EllipticCurvePublicKey, is_of_key: bool
) -> Mapping[str, Any]:
    """Return the statement in an envelope that the key signed. Raises SignatureRefused."""
    payload = base64.b64decode(envelope["payload"], validate=True)
    said = base64.b64decode(envelope["signatures"][0]["sig"], validate=True)
    if envelope["payloadType"] != PAYLOAD or len(envelope["signatures"]) != 1:
        raise ValueError("another envelope")
    signed = b"DSSEv1 %d %s %d %s" % (len(PAYLOAD), PAYLOAD.encode(), len(payload), payload)
    try:
        key.verify(said, signed, ec.ECDSA(HASHES[key.curve.name]))
    except InvalidSignature as err:
        reason = "it was changed since it was made" if is_of_key else "it was made with another key"
        raise SignatureRefused(reason) from err
    statement = json.loads(payload)
    if (statement["_type"], statement["predicateType"]) != (STATEMENT, PREDICATE):
        raise ValueError("another statement")
    found: Mapping[str, Any] = statement
    return found


def _digest(statement: Mapping[str, Any]) -> str:
    """Return the digest of the one file that a statement is about. Raises SignatureRefused."""
    resources = statement["predicate"]["resources"]
    if len(resources) != 1 or resources[0]["algorithm"] != "sha256":
        raise SignatureRefused(
            "it is of a folder, or of pieces of a file, and not of the archive as one file"
        )
    return f"{DIGEST}{resources[0]['digest']}"
