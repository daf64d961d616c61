"""Example values in a configuration: checked like a person's own."""

from collections.abc import Mapping
from difflib import get_close_matches
from typing import Any

from dynabench_tasks.configuration.field_lists import FieldList
from dynabench_tasks.configuration.problems import INVALID, Place, Reading, nearest
from dynabench_tasks.fields import InputRefused, Texts, check_values, texts_of
from dynabench_tasks.values import Value


def check_example(
    fields: FieldList, values: Any, other_texts: Texts, place: Place, reading: Reading
) -> dict[str, Value]:
    """Return the valid values in the order of the fields; problems of the others are added to `reading`.

    `other_texts` has the texts of other fields to which these may refer.
    """
    if values is INVALID:
        return {}
    if fields.is_whole:
        try:
            return check_values(fields.whole, values, "", other_texts)
        except InputRefused:
            pass
    return _check_each(fields, values, other_texts, place, reading)


def _check_each(
    fields: FieldList, values: Mapping[str, object], other_texts: Texts, place: Place, reading: Reading
) -> dict[str, Value]:
    known = [field.name for field in fields.whole]
    meant = set()
    for name in values:
        if fields.is_whole and name not in known:
            near = get_close_matches(name, [each for each in known if each not in values], n=1, cutoff=0.6)
            meant.update(near)
            only = f"Give only: {', '.join(known)}." if known else "Leave it out."
            remedy = nearest(name, near) if near else only
            reading.refuse((*place, name), "is not a field of this task", remedy)
    texts = dict(other_texts)
    found: dict[str, Value] = {}
    for field in sorted(fields.whole, key=lambda field: field.refers_to is not None):
        own = {field.name: values[field.name]} if field.name in values else {}
        try:
            found |= check_values((field,), own, "", texts)
        except InputRefused as err:
            if field.name not in meant and field.refers_to in (None, *texts):
                inner = err.field.removeprefix(f".{field.name}")
                reading.refuse((*place, field.name), err.reason, err.remedy, inner)
        texts |= texts_of((field,), found)
    return {name: found[name] for name in known if name in found}
