"""What a model reads for one instance, and where in the person's texts each piece of it comes from."""

from dataclasses import dataclass

from .normalisation import Span


@dataclass(frozen=True)
class Token:
    """A slice of one field's text and its place in the model's input, of which it owns `share`.

    A word piece stands for one slice; an n-gram is shared by the words that it is made of.
    """

    position: int
    span: Span
    field: int
    share: float = 1.0


@dataclass(frozen=True)
class EncodedText:
    """The model's input for one instance. `field` of a token counts the texts in the order they were encoded."""

    ids: list[int]
    type_ids: list[int]
    tokens: tuple[Token, ...]
    truncated: bool

    def __len__(self) -> int:
        return len(self.ids)
