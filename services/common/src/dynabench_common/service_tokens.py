"""Service tokens, by which services authenticate each other: one per service; callees store only digests.

A callee may store several digests for one service, so that a token can be rotated without a refused call. Add the new
digest where the service calls, give the service the new token, then remove the old digest.
"""

import hashlib
import hmac
import re
from collections.abc import Iterable

CALLERS = (
    "agent",
    "annotation",
    "crowd",
    "gateway",
    "leaderboard",
    "registry",
    "scoring",
    "validation",
    "web",
)
"""The services that call others as themselves; `agent` is the model agent on the machines of the model servers."""
SHORTEST_TOKEN = 32
DIGEST = re.compile(r"[0-9a-f]{64}")
HOW_TO_MAKE_ONE = "write the token's SHA-256 as `printf %s TOKEN | sha256sum` prints it, never the token"


def digest_of(token: str) -> str:
    """Return the digest by which a token is known."""
    return hashlib.sha256(token.encode()).hexdigest()


class ServiceTokens:
    """Authentication of services by the digests of their tokens."""

    def __init__(self, digests: Iterable[tuple[str, str]] = ()) -> None:
        self._digests = [(bytes.fromhex(digest), service) for service, digest in digests]

    @classmethod
    def read(cls, text: str) -> "ServiceTokens":
        """Read `gateway=DIGEST,DIGEST;web=DIGEST`; names may repeat, and an empty text admits no service.

        Raises ValueError that gives the entry's position, and never a value, which could be a token.
        """
        holders: dict[str, str] = {}
        for position, entry in enumerate(text.split(";"), start=1):
            if not entry.strip():
                continue
            service, separator, listed = (part.strip() for part in entry.partition("="))
            if not separator:
                raise ValueError(f"entry {position} lacks a '=': write SERVICE=DIGEST, separated by ';'")
            if service not in CALLERS:
                known = ", ".join(CALLERS)
                raise ValueError(f"entry {position} names no service that calls others; these do: {known}")
            for number, digest in enumerate((part.strip().lower() for part in listed.split(",")), start=1):
                where = f"entry {position} ({service}), digest {number}"
                if not DIGEST.fullmatch(digest):
                    raise ValueError(f"{where} is not 64 hexadecimal digits: {HOW_TO_MAKE_ONE}")
                if holders.setdefault(digest, service) != service:
                    raise ValueError(
                        f"{where} is also one of {holders[digest]}: give each service a token of its own"
                    )
        return cls((service, digest) for digest, service in holders.items())

    def service_of(self, token: str) -> str | None:
        """Return the service with this token. All digests are compared in constant time."""
        digest, found = hashlib.sha256(token.encode()).digest(), None
        for known, service in self._digests:
            if hmac.compare_digest(digest, known):
                found = service
        return found
