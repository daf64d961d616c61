"""Plain JSON values out of a record; each refusal names its field, the reason and the remedy."""

from collections.abc import Mapping

from dynabench_tasks.fields import InputRefused
from dynabench_tasks.text import validate_text

LONGEST_SHOWN = 60


def read_object(given: object, path: str, keys: tuple[str, ...]) -> dict[str, object]:
    """Return the values of an object under known keys, without nulls; `path` is empty for the record itself.

    Raises InputRefused.
    """
    for name in read_mapping(given, path):
        if name not in keys:
            place = f"{path}.{name[:LONGEST_SHOWN]}".lstrip(".")
            raise InputRefused(place, "is not a key that is known here", f"Known are: {', '.join(keys)}.")
    return {name: value for name, value in read_mapping(given, path).items() if value is not None}


def read_mapping(given: object, path: str) -> Mapping[str, object]:
    """Return a JSON object; `path` is empty for the record itself. Raises InputRefused."""
    if given is None and path:
        raise InputRefused(path, "is missing", "Add it, as a JSON object.")
    if not isinstance(given, dict):
        raise InputRefused(path or "line", "is not a JSON object", "Write a JSON object: {...}.")
    return given


def read_list(given: object, path: str, most: int) -> list[object]:
    """Return a JSON list. Raises InputRefused."""
    if not isinstance(given, list):
        raise InputRefused(path, "is not a list", "Write a JSON list: [...].")
    if len(given) > most:
        raise InputRefused(path, f"has {len(given):,} entries", f"Give at most {most:,}.")
    return given


def read_text(given: object, path: str, most: int, may_be_blank: bool = False) -> str:
    """Return a text of at most so many code points that shows something. Raises InputRefused."""
    if given is None:
        raise InputRefused(path, "is missing", "Add it, as a text.")
    if not isinstance(given, str):
        raise InputRefused(path, "is not text", "Send a text.")
    flaw = validate_text(given, most, may_be_blank)
    if flaw is not None:
        raise InputRefused(path, flaw.reason, flaw.remedy)
    return given
