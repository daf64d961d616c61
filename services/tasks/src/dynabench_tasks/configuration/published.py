"""Reading of configurations from events and databases, perhaps written by another version of the code.

Services are deployed in any order. So an unknown key is ignored, and a key that an earlier version did not write has a
default. A type, rule or policy that this version does not know is distinguished from a mistake. A service that meets
one leaves that task alone until it is upgraded, instead of deciding wrongly.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from dynabench_tasks.configuration.nested_shapes import is_mapping
from dynabench_tasks.configuration.problems import ConfigurationError, UnknownKind
from dynabench_tasks.configuration.reader import read_task_configuration
from dynabench_tasks.configuration.task_configuration import TaskConfiguration

LANGUAGE_VERSION = 1
NEEDED = ("context", "input", "output")
# Keys that only describe a task to people.
NAMES = {"slug": "unnamed", "title": "Unnamed"}


def read_published(
    document: Mapping[str, Any], *, note: Callable[[str], None] | None = None
) -> TaskConfiguration:
    """Return the configuration that a service published or stored.

    `note` is called with the path of each ignored key. An unknown metric or context policy is kept: its use raises
    UnknownKind later. Raises UnknownKind for any other type, rule or policy that this version does not know, and
    for a document in a later version of the language. Raises ConfigurationError for a document that no version
    would have written.
    """
    if not is_mapping(document) or not all(document.get(key) for key in NEEDED):
        raise ConfigurationError(
            "configuration",
            "says too little to be read",
            "Give at least its context, input and output; everything else has a default.",
        )
    version = document.get("language", LANGUAGE_VERSION)
    if version != LANGUAGE_VERSION:
        raise UnknownKind("language", "version of the language", str(version))
    written = {key: value for key, value in document.items() if key != "language"}
    known = {**NAMES, "languages": ["en"], "wrong_when": _usual_rule(document), **written}
    try:
        found = read_task_configuration(known, note=note or _pass_over)
    except ConfigurationError as err:
        raise next((each for each in err.problems if isinstance(each, UnknownKind)), err) from err
    return replace(
        found,
        slug=found.slug if "slug" in document else "",
        title=found.title if "title" in document else "",
    )


def missing_kind(document: Mapping[str, Any], *, note: Callable[[str], None] | None = None) -> str | None:
    """Return the type, rule or policy that keeps this version from following a configuration, None if none does.

    `note` is called with the path of each ignored key. Raises ConfigurationError for a document that no version would
    have written.
    """
    try:
        read_published(document, note=note)
    except UnknownKind as err:
        return f"{err.kind} {err.name}"
    return None


def _pass_over(_path: str) -> None:
    """Say nothing."""


def _usual_rule(document: Mapping[str, Any]) -> object:
    """Return the default rule: spans overlap, every other claim must be met exactly."""
    names = {field.get("name") for field in document["input"] if is_mapping(field)}
    for field in document["output"]:
        if is_mapping(field) and field.get("name") in names:
            name = field["name"]
            return (
                {"token_f1": {"field": name}}
                if field.get("type") == "span"
                else {"exact_match": {"fields": [name]}}
            )
    return None
