"""Opaque tokens: random text that is shown once and stored only as a digest.

They carry 256 random bits, so a plain SHA-256 cannot be searched. A slow hash would only cost time here.
"""

import hashlib
import secrets

API_PREFIX = "dbt_"


def new_secret(prefix: str = "") -> str:
    """Return a fresh token of 256 random bits, URL-safe."""
    return prefix + secrets.token_urlsafe(32)


def digest(token: str) -> bytes:
    """Return what is stored of a token."""
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).digest()
