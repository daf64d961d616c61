"""Signatures of archives, made by `dynabench models sign` with a key of the signer's own."""

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Signature:
    """A signature as it was sent: the bundle that the library model-signing writes, and the public key in PEM."""

    bundle: str
    public_key: str


class SignatureRefused(Exception):
    """A signature is not one of the archive by the owner of the key; the message says why."""


Verify = Callable[[Signature, str], str]
"""Takes a signature and the archive's digest, "sha256:…"; returns the key's fingerprint. Raises SignatureRefused."""
