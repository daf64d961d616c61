"""Task configurations as people write them: YAML, read without trust.

Only plain data comes out: no tags, no anchors or aliases (a few lines of them can stand for gigabytes), no
repeated keys, and depth and size are capped before anything is built.
"""

from collections.abc import Hashable
from typing import Any

import yaml

from annotation.domain.configuration.reader import read_task_configuration
from annotation.domain.configuration.section import ConfigurationError
from annotation.domain.configuration.task_configuration import TaskConfiguration

MOST_BYTES = 256_000
MOST_DEPTH = 12


class _PlainLoader(yaml.SafeLoader):
    """A safe loader that refuses repeated keys."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Hashable, Any]:
        keys = [self.construct_object(key, deep=True) for key, _ in node.value]
        for position, key in enumerate(keys):
            if key in keys[:position]:
                raise _error(node.value[position][0].start_mark, f"the key {key!r} stands twice")
        return super().construct_mapping(node, deep)


def read_configuration(text: str) -> TaskConfiguration:
    """Return the configuration that a YAML text describes. Raises ConfigurationError."""
    if len(text.encode("utf-8", "surrogatepass")) > MOST_BYTES:
        raise ConfigurationError(
            "configuration", f"has more than {MOST_BYTES // 1000} kB", "Shorten its texts."
        )
    try:
        _refuse_dangerous(text)
        document = yaml.load(text, Loader=_PlainLoader)  # noqa: S506 - a subclass of the safe loader
    except yaml.MarkedYAMLError as err:
        raise _error(err.problem_mark, err.problem or "it can't be read") from err
    except yaml.reader.ReaderError as err:
        raise ConfigurationError(
            "configuration", f"is not readable as YAML: {err.reason}", "Remove that character."
        ) from err
    except ValueError as err:
        raise ConfigurationError("configuration", f"holds an unusable value: {err}", "Quote it.") from err
    return read_task_configuration(document)


def _refuse_dangerous(text: str) -> None:
    depth = 0
    for event in yaml.parse(text, Loader=yaml.SafeLoader):
        if isinstance(event, yaml.AliasEvent) or getattr(event, "anchor", None) is not None:
            raise _error(event.start_mark, "anchors and aliases are not allowed")
        depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
        if depth > MOST_DEPTH:
            raise _error(event.start_mark, f"it is nested deeper than {MOST_DEPTH} levels")


def _error(mark: Any, problem: str) -> ConfigurationError:
    place = f" at line {mark.line + 1}, column {mark.column + 1}" if mark is not None else ""
    return ConfigurationError(
        "configuration", f"is not usable as YAML{place}: {problem}", "Mend it there and send it again."
    )
