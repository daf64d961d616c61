"""A model card: what readers of a board must know about a model before they believe its scores."""

import re
from dataclasses import dataclass

LONG_WORD = re.compile(r"[a-z]{16,}")


@dataclass(frozen=True)
class Card:
    """Model card, as the submitter states it.

    `text` is Markdown, `parameters` their number. `trained_on` names dataset versions; empty stands for "not stated".
    """

    text: str
    licence: str
    contact: str
    languages: tuple[str, ...] = ()
    parameters: int | None = None
    trained_on: tuple[str, ...] = ()
    paper: str | None = None

    @property
    def missing(self) -> tuple[str, ...]:
        """Return the fields that must be filled in before the model can be published."""
        needed = {"text": self.text, "licence": self.licence, "contact": self.contact}
        found = tuple(name for name, value in needed.items() if not value.strip())
        return found if self.languages else (*found, "languages")

    @property
    def long_words(self) -> tuple[str, ...]:
        """Return its words of at least 16 letters from a to z, in small letters, each once; of its contact none."""
        texts = (self.text, self.licence, *self.trained_on, self.paper or "")
        return tuple(sorted({word for text in texts for word in LONG_WORD.findall(text.lower())}))
