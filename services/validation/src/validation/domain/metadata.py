"""Validators' metadata beyond the vote itself, checked against the task's questions."""

from collections.abc import Mapping, Sequence

from dynabench_tasks.configuration.metadata import MetadataField
from dynabench_tasks.fields import InputRefused, nearest_name
from dynabench_tasks.values import to_text

NOTHING: tuple[object, ...] = (None, "", [], {})


def read_metadata(
    fields: Sequence[MetadataField],
    given: Mapping[str, object],
    chosen: frozenset[str] | None,
    texts: Mapping[str, str],
) -> dict[str, str]:
    """Return the metadata of a vote, as value texts in the order of the configuration.

    `fields` are those of the round, `chosen` what the vote chose; None for `unsure`, which nothing is required of.
    An empty value is one that was not given. Raises InputRefused.
    """
    said = {name: value for name, value in given.items() if value not in NOTHING}
    names = [each.field.name for each in fields]
    for name in said:
        if name not in names:
            path = f"metadata.{name}"
            raise InputRefused(path, "is no metadata field of the round", nearest_name(name, names))
    read: dict[str, str] = {}
    for each in fields:
        name, path = each.field.name, f"metadata.{each.field.name}"
        is_asked = chosen is None or _goes_with(each, chosen)
        if name in said:
            if not is_asked:
                raise InputRefused(path, "is not asked for with this vote", "Leave it out.")
            read[name] = to_text(each.field.check(said[name], texts, path))
        elif is_asked and chosen is not None and not each.is_optional:
            raise InputRefused(path, "goes with this vote and is missing", f"Send {name}.")
    return read


def _goes_with(asked: MetadataField, chosen: frozenset[str]) -> bool:
    """Return whether a vote that chose these options is asked for a field."""
    votes = asked.words.get("vote")
    return votes is None or bool(chosen.intersection(votes))
