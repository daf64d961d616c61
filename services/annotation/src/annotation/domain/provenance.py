"""The origin of an imported example.

People of a collection are known by pseudonyms alone: names are never stored. A pseudonym is a keyed hash, and the key
belongs to the task. So equal names in two imports of a task are one person, and in two tasks are different people.
"""

import hmac
import json
from dataclasses import dataclass
from enum import StrEnum
from uuid import UUID

from annotation.domain.identifiers import PersonId

KEY_BYTES = 32


class Origin(StrEnum):
    """The origin of a round's examples."""

    WRITTEN = ""
    IMPORTED = "imported"
    HARVESTED = "harvested"
    DEMONSTRATION = "demonstration"
    """Written here by a script, to show the pages; its tries count for no person."""


@dataclass(frozen=True)
class Provenance:
    """The record that an example was made of: its id in the collection and a digest of its content."""

    source_id: str
    digest: bytes


class Pseudonyms:
    """Stand-ins for the people of one task's collections."""

    def __init__(self, key: bytes) -> None:
        self._key = key

    def person(self, name: str) -> PersonId:
        """Return the pseudonymous id of a person of this name."""
        return PersonId(UUID(bytes=self._hash(b"person", name.encode())[:16], version=4))

    def digest(self, document: object) -> bytes:
        """Return a keyed digest of a JSON document; without the key it reveals nothing of the names in it."""
        text = json.dumps(document, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
        return self._hash(b"record", text.encode("utf-8", "surrogatepass"))

    def _hash(self, purpose: bytes, content: bytes) -> bytes:
        return hmac.digest(self._key, purpose + b"\0" + content, "sha256")
