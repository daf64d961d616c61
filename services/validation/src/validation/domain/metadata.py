"""What a task asks validators beside the vote itself, and under which conditions."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from validation.domain.errors import ValueRefused
from validation.domain.field_values import nearest, read_label, read_labels, read_span, read_string

TYPES = ("string", "multiclass", "multilabel", "span")
DEFAULT_MAX_LENGTH = 500


@dataclass(frozen=True)
class MetadataField:
    """A field of `metadata.validate`, asked for when all its conditions hold.

    `votes` are the chosen options that it goes with, None for every vote; `document` is how the configuration says
    it, for the page that asks.
    """

    name: str
    type_name: str
    labels: tuple[str, ...]
    span_of: str
    max_length: int
    is_optional: bool
    votes: frozenset[str] | None
    from_round: int
    document: Mapping[str, Any]

    def is_asked_in(self, round_number: int) -> bool:
        """Tell whether any vote of the round may be asked for it."""
        return round_number >= self.from_round

    def goes_with(self, chosen: frozenset[str]) -> bool:
        """Tell whether a vote that chose these options is asked for it."""
        return self.votes is None or bool(self.votes & chosen)

    def read(self, given: object, texts: Mapping[str, str]) -> str:
        """Return a value for the field as value text. Raises ValueRefused."""
        path = f"metadata.{self.name}"
        match self.type_name:
            case "multiclass":
                return read_label(given, self.labels, path)
            case "multilabel":
                return read_labels(given, self.labels, path)
            case "span":
                return read_span(given, texts.get(self.span_of, ""), self.span_of, path)
            case _:
                return read_string(given, self.max_length, path)


def read_metadata_field(document: Mapping[str, Any]) -> MetadataField:
    """Return the field that a configuration names. Raises KeyError, TypeError or ValueError."""
    type_name = document["type"]
    if type_name not in TYPES:
        raise ValueError(f"metadata can't be {type_name!r}")
    when = document.get("when") or {}
    votes = when.get("vote")
    return MetadataField(
        name=str(document["name"]),
        type_name=type_name,
        labels=tuple(document["labels"]) if type_name in ("multiclass", "multilabel") else (),
        span_of=str(document["of"]) if type_name == "span" else "",
        max_length=int(document.get("max_length") or DEFAULT_MAX_LENGTH),
        is_optional=bool(document.get("optional", False)),
        votes=None if votes is None else frozenset(votes),
        from_round=int(when.get("from_round", 1)),
        document=document,
    )


def read_metadata(
    fields: Sequence[MetadataField],
    given: Mapping[str, object],
    chosen: frozenset[str] | None,
    texts: Mapping[str, str],
) -> dict[str, str]:
    """Return what was said beside a vote, as value texts in the order of the configuration.

    `fields` are those of the round, `chosen` what the vote chose; None for `unsure`, which nothing is required of.
    An empty value is one that was not given. Raises ValueRefused.
    """
    said = {name: value for name, value in given.items() if value not in (None, "", [], {})}
    for name in said:
        if name not in {field.name for field in fields}:
            remedy = nearest(name, [field.name for field in fields])
            raise ValueRefused(f"metadata.{name}", "This is no metadata field of the round.", remedy)
    texts_by_name: dict[str, str] = {}
    for field in fields:
        is_asked = chosen is None or field.goes_with(chosen)
        if field.name in said:
            if not is_asked:
                reason = "It is not asked for with this vote."
                raise ValueRefused(f"metadata.{field.name}", reason, "Leave it out.")
            texts_by_name[field.name] = field.read(said[field.name], texts)
        elif is_asked and chosen is not None and not field.is_optional:
            reason = "It goes with this vote and is missing."
            raise ValueRefused(f"metadata.{field.name}", reason, f"Send {field.name}.")
    return texts_by_name
