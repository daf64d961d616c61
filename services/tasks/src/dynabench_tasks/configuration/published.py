"""Reading configurations that come out of events and databases, which another version of the code may have written.

Services are deployed in any order. So a key that this version does not know is passed over, what an earlier version
did not write has a default, and a type, rule or policy that this version does not know is told apart from a mistake:
whoever meets it leaves that task alone until they are brought up to date, instead of deciding wrongly.
"""

import re
from collections.abc import Callable, Mapping
from copy import deepcopy
from typing import Any

from dynabench_tasks.configuration.reader import read_task_configuration
from dynabench_tasks.configuration.section import ConfigurationError, UnknownKey
from dynabench_tasks.configuration.task_configuration import TaskConfiguration

LANGUAGE_VERSION = 1
NEEDED = ("context", "input", "output")
STEPS = re.compile(r"[^.\[\]]+")


def read_published(
    document: Mapping[str, Any], *, note: Callable[[str], None] | None = None
) -> TaskConfiguration:
    """Return the configuration that a service published or stored.

    `note` is told the path of each key that is passed over. Raises UnknownKind for a type, rule or policy that this
    version does not know, ConfigurationError for what no version would have written.
    """
    missing = [key for key in NEEDED if not document.get(key)]
    if missing:
        raise ConfigurationError(
            missing[0], "is missing", "A configuration says at least its context, input and output."
        )
    known = deepcopy(dict(document))
    for key, default in (("slug", "unnamed"), ("title", "Unnamed"), ("languages", ["en"])):
        known.setdefault(key, default)
    known.setdefault("wrong_when", _usual_rule(known))
    while True:
        try:
            return read_task_configuration(known)
        except UnknownKey as err:
            _remove(known, err.path)
            if note is not None:
                note(err.path)


def _usual_rule(document: Mapping[str, Any]) -> object:
    inputs = {field.get("name") for field in document["input"]}
    for field in document["output"]:
        if field.get("name") in inputs:
            name = field["name"]
            is_span = field.get("type") == "span"
            return {"token_f1": {"field": name}} if is_span else {"exact_match": {"fields": [name]}}
    return None


def _remove(document: dict[str, Any], path: str) -> None:
    *steps, key = STEPS.findall(path)
    found: Any = document
    for step in steps:
        found = found[int(step)] if isinstance(found, list) else found[step]
    del found[key]
