"""Task configurations as people write them: YAML, read without trust.

Only plain data comes out: no tags, no anchors or aliases (a few lines of them can stand for gigabytes), no
repeated keys, and depth and size are capped before anything is built.
"""

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any

import yaml

from dynabench_tasks.configuration.problems import ConfigurationError, Place
from dynabench_tasks.configuration.reader import read_task_configuration
from dynabench_tasks.configuration.task_configuration import TaskConfiguration

MOST_BYTES = 256_000
MOST_DEPTH = 12


@dataclass(eq=False)
class UnusableYaml(ConfigurationError):
    """The text is no YAML that can be trusted; `line` and `column` count from 1."""

    line: int | None = None
    column: int | None = None


@dataclass(frozen=True)
class ConfigurationProblem:
    """What is wrong with a configuration, and where; `line` and `column` count from 1."""

    path: str
    line: int | None
    column: int | None
    reason: str
    remedy: str


class _PlainLoader(yaml.SafeLoader):
    """A safe loader that refuses repeated keys."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Hashable, Any]:
        seen = set()
        for each, _ in node.value:
            key = self.construct_object(each, deep=True)
            if not isinstance(key, Hashable):
                continue
            if key in seen:
                raise _error(each.start_mark, f"the key {key!r} stands twice")
            seen.add(key)
        return super().construct_mapping(node, deep)


def _whole_number(loader: yaml.SafeLoader, node: yaml.ScalarNode) -> int:
    """Return a number that can be printed. Raises ValueError for one of thousands of digits."""
    number = int(loader.construct_yaml_int(node))
    str(number)
    return number


_PlainLoader.add_constructor("tag:yaml.org,2002:int", _whole_number)


def read_configuration(text: str) -> TaskConfiguration:
    """Return the configuration that a YAML text describes. Raises ConfigurationError."""
    if len(text.encode("utf-8", "surrogatepass")) > MOST_BYTES:
        raise UnusableYaml("configuration", f"has more than {MOST_BYTES // 1000} kB", "Shorten its texts.")
    try:
        _refuse_dangerous(text)
        document = yaml.load(text, Loader=_PlainLoader)  # noqa: S506 - a subclass of the safe loader
    except yaml.MarkedYAMLError as err:
        raise _error(err.problem_mark, err.problem or "it can't be read") from err
    except yaml.reader.ReaderError as err:
        raise UnusableYaml(
            "configuration", f"is not readable as YAML: {err.reason}", "Remove that character."
        ) from err
    except ValueError as err:
        raise UnusableYaml("configuration", f"holds an unusable value: {err}", "Quote it.") from err
    return read_task_configuration(document)


def _refuse_dangerous(text: str) -> None:
    depth = 0
    for event in yaml.parse(text, Loader=yaml.SafeLoader):
        if isinstance(event, yaml.AliasEvent) or getattr(event, "anchor", None) is not None:
            raise _error(event.start_mark, "anchors and aliases are not allowed")
        depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
        if depth > MOST_DEPTH:
            raise _error(event.start_mark, f"it is nested deeper than {MOST_DEPTH} levels")


def find_problems(text: str) -> tuple[TaskConfiguration | None, tuple[ConfigurationProblem, ...]]:
    """Return the configuration that a YAML text describes, or all its problems in the order of the text."""
    try:
        return read_configuration(text), ()
    except ConfigurationError as err:
        return None, places_of(err, text)


def places_of(error: ConfigurationError, text: str) -> tuple[ConfigurationProblem, ...]:
    """Return all that an error tells about a YAML text, each with its line and column."""
    if isinstance(error, UnusableYaml):
        return (ConfigurationProblem(error.path, error.line, error.column, error.reason, error.remedy),)
    root = yaml.compose(text, Loader=yaml.SafeLoader)
    return tuple(
        ConfigurationProblem(each.path, *_place_of(root, each.place), each.reason, each.remedy)
        for each in error.problems
    )


def _place_of(root: yaml.Node | None, place: Place) -> tuple[int | None, int | None]:
    """Return line and column, from 1, of the deepest part of a place that stands in the text."""
    if root is None:
        return None, None
    node, mark = root, root.start_mark
    for step in place:
        found = _step_into(node, step)
        if found is None:
            break
        mark, node = found
    return mark.line + 1, mark.column + 1


def _step_into(node: yaml.Node, step: str | int) -> tuple[Any, yaml.Node] | None:
    """Return where the child begins that `step`, a key or an index, leads to, and the child."""
    if isinstance(node, yaml.SequenceNode) and isinstance(step, int) and step < len(node.value):
        return node.value[step].start_mark, node.value[step]
    if isinstance(node, yaml.MappingNode):
        for key, value in node.value:
            if key.value == step:
                return key.start_mark, value
    return None


def _error(mark: Any, problem: str) -> ConfigurationError:
    remedy = "Mend it there and send it again."
    if mark is None:
        return UnusableYaml("configuration", f"is not usable as YAML: {problem}", remedy)
    line, column = mark.line + 1, mark.column + 1
    reason = f"is not usable as YAML at line {line}, column {column}: {problem}"
    return UnusableYaml("configuration", reason, remedy, line=line, column=column)
