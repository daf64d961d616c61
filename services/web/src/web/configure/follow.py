"""Consequences of a change: the claimed answer appears in several places, and a new task's address in its title.

Only places that agreed before the change follow it. A place that its owner worded differently, or changes in the same
step, stays.
"""

import re
import unicodedata
from collections.abc import Callable, Mapping
from typing import Any

from web.configure.text_edit import aligned, same

SHARED = ("name", "type", "labels", "of")
"""Keys that a claimed field has both as an input of people and as an output of models."""
LONGEST_SLUG = 40


def follow(before: Mapping[str, Any], after: dict[str, Any], *, is_new: bool = False) -> dict[str, Any]:
    """Return a document with model answers, votes and the rule adapted to the present fields.

    The address of a new task follows its title.
    """
    if is_new:
        after = _with_address(before, after)
    if same(before.get("input"), after.get("input")):
        return after
    old, new = _fields(before.get("input")), _fields(after.get("input"))
    followed = dict(after)
    for position, origin in enumerate(aligned(old, new)):
        if origin is not None and not same(old[origin], new[position]):
            followed = _followed(before, followed, old[origin], new[position])
    return followed


def slug_of(title: object) -> str:
    """Return an address for a title: "Crème brûlée" gives creme-brulee, a title without Latin letters nothing."""
    plain = unicodedata.normalize("NFKD", str(title)).encode("ascii", "ignore").decode().lower()
    return "-".join(re.findall("[a-z0-9]+", plain))[:LONGEST_SLUG].rstrip("-")


def _with_address(before: Mapping[str, Any], after: dict[str, Any]) -> dict[str, Any]:
    was, slug = before.get("slug"), slug_of(after.get("title"))
    follows = was == after.get("slug") and was in ("", slug_of(before.get("title")))
    return {**after, "slug": slug} if slug and follows and "slug" in after else after


def _followed(
    before: Mapping[str, Any], after: dict[str, Any], old: Mapping[str, Any], new: Mapping[str, Any]
) -> dict[str, Any]:
    found = dict(after)

    def change(key: str, make: Callable[[Any], Any]) -> None:
        """Change a key unless its owner changes it in the same step."""
        if key in found and same(before.get(key), after.get(key)):
            found[key] = make(found[key])

    change(
        "output",
        lambda outputs: (
            [_as_claimed(each, old, new) for each in outputs] if isinstance(outputs, list) else outputs
        ),
    )
    if old.get("name") != new.get("name") and isinstance(new.get("name"), str):
        for key in ("wrong_when", "instance"):
            change(key, lambda part: _renamed(part, old.get("name"), new["name"]))
    if isinstance(old.get("labels"), list) and isinstance(new.get("labels"), list):
        change("validation", lambda votes: _with_options(votes, old["labels"], new["labels"]))
    return found


def _as_claimed(output: Any, old: Mapping[str, Any], new: Mapping[str, Any]) -> Any:
    """Return a model's answer with the claim's name, type and labels, if it had those of the old claim."""
    if not isinstance(output, dict) or output.get("name") != old.get("name") or "name" not in new:
        return output
    found = dict(output)
    for key in SHARED:
        is_alike = _set_of(old.get(key)) == _set_of(output.get(key))
        if is_alike and not same(old.get(key), new.get(key)):
            found.pop(key, None)
            if key in new:
                found[key] = new[key]
    if found.get("type") != output.get("type"):
        found = {key: value for key, value in found.items() if key in (*SHARED, "label")}
    return {
        key: found[key]
        for key in (
            *(each for each in output if each in found),
            *(each for each in found if each not in output),
        )
    }


def _set_of(value: Any) -> Any:
    return sorted(map(str, value)) if isinstance(value, list) else value


def _renamed(part: Any, old: Any, new: str) -> Any:
    """Return a rule or mapping with a field's new name instead of the old one, except in keys."""
    if isinstance(part, dict):
        return {key: _renamed(each, old, new) for key, each in part.items()}
    if isinstance(part, list):
        return [_renamed(each, old, new) for each in part]
    return new if part == old else part


def _with_options(votes: Any, old: list[Any], new: list[Any]) -> Any:
    """Return the votes with the new labels as options, if all old labels were options."""
    options = votes.get("options") if isinstance(votes, dict) else None
    if not isinstance(options, list) or not all(each in options for each in old):
        return votes
    return {**votes, "options": [*new, *(each for each in options if each not in old and each not in new)]}


def _fields(given: Any) -> list[dict[str, Any]]:
    return [each for each in given if isinstance(each, dict)] if isinstance(given, list) else []
