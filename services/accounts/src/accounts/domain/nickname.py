"""Nicknames: names that people choose to be shown by. Two that look alike count as one."""

import unicodedata
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from dynabench_tasks.equal_texts import nearly_comparable

from accounts.domain.errors import FieldRefused

SHORTEST, LONGEST = 2, 30
ALSO = frozenset(" -_.'")
"""Characters besides letters, marks and digits."""
ALIKE = str.maketrans({"0": "o", "1": "i", "l": "i", "|": "i", "5": "s", "_": "", "-": "", ".": "", "'": ""})
RESERVED = frozenset({"admin", "administrator", "annotator", "dynabench", "moderator", "owner", "you"})
PSEUDONYMS = ("annotator", "dynabench")
"""Beginnings of names that pages show people and the platform by."""


@dataclass(frozen=True)
class Nickname:
    """A person's nickname; `look` is the same for names that look alike.

    An administrator may hide it, with a reason. A name that looks like a hidden one is refused from then on.
    """

    person_id: UUID
    text: str
    look: str
    chosen_at: datetime
    hidden_reason: str = ""

    @property
    def is_hidden(self) -> bool:
        """Return whether an administrator hid it."""
        return bool(self.hidden_reason)


def nickname(person_id: UUID, given: str, now: datetime) -> Nickname:
    """Return a nickname as it is stored.

    Raises FieldRefused unless it has 2 to 30 letters, digits, spaces, dashes, underscores, dots or apostrophes, and for
    a name of the platform.
    """
    text = " ".join(unicodedata.normalize("NFC", given).split())
    look = look_of(text)
    if not SHORTEST <= len(text) <= LONGEST or not all(map(_is_allowed, text)) or not look:
        raise FieldRefused(
            "nickname",
            f"must have {SHORTEST} to {LONGEST} letters, digits, spaces, '-', '_', '.' or apostrophes",
            "Choose another nickname.",
        )
    if look in map(look_of, RESERVED) or look.startswith(tuple(map(look_of, PSEUDONYMS))):
        raise FieldRefused("nickname", "is a name of the platform", "Choose another nickname.")
    return Nickname(person_id, text, look, now)


def look_of(text: str) -> str:
    """Return the common form of names that look alike (UTS #39, and 0 as o, 1 and l as i, 5 as s, rn as m)."""
    return nearly_comparable(text).translate(ALIKE).replace("rn", "m")


def _is_allowed(character: str) -> bool:
    return character in ALSO or unicodedata.category(character)[0] in "LMN"
