"""Task configurations as people write them: YAML, read without trust.

Only plain data comes out: no tags, no repeated keys, and no anchors or aliases, since a few lines of them can stand for
gigabytes. Size, depth and number of parts are limited before anything is built. libyaml parses the text once. Its
events give both the document and the places of problems in it.
"""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import yaml
from yaml.composer import Composer
from yaml.constructor import SafeConstructor
from yaml.resolver import Resolver

from dynabench_tasks.configuration.problems import ConfigurationError, Place
from dynabench_tasks.configuration.reader import read_task_configuration
from dynabench_tasks.configuration.task_configuration import TaskConfiguration

MOST_BYTES = 256_000
MOST_DEPTH = 12
MOST_PARTS = 15_000
"""Keys, values, and beginnings and ends of lists and mappings. A long task has 500; 15,000 are checked in 0.2 s."""

LONGEST_NUMBER = 64
"""Most characters of a number or date: `1:1:1…` is one to base 60, which takes seconds to work out where it is long."""


@dataclass(eq=False)
class UnusableYaml(ConfigurationError):
    """The text is no YAML that can be trusted; `line` and `column` count from 1."""

    line: int | None = None
    column: int | None = None


@dataclass(frozen=True)
class ConfigurationProblem:
    """A problem of a configuration, and its place; `line` and `column` count from 1."""

    path: str
    line: int | None
    column: int | None
    reason: str
    remedy: str


class _Events:
    """Replays parsed events, as a parser would."""

    def __init__(self, events: Sequence[yaml.Event]) -> None:
        self._events = events
        self._next = 0

    def peek_event(self) -> yaml.Event | None:
        return self._events[self._next] if self._next < len(self._events) else None

    def check_event(self, *kinds: type[yaml.Event]) -> bool:
        event = self.peek_event()
        return event is not None and (not kinds or isinstance(event, kinds))

    def get_event(self) -> yaml.Event:
        event = self._events[self._next]
        self._next += 1
        return event


class _PlainLoader(_Events, Composer, SafeConstructor, Resolver):
    """Builds nodes and plain data from events; refuses repeated keys."""

    def __init__(self, events: Sequence[yaml.Event]) -> None:
        _Events.__init__(self, events)
        Composer.__init__(self)
        SafeConstructor.__init__(self)
        Resolver.__init__(self)

    def resolve(self, kind: type[yaml.Node], value: Any, implicit: Any) -> Any:
        """Return the tag: a value that is too long for a number or a date is text."""
        is_long = kind is yaml.ScalarNode and len(value) > LONGEST_NUMBER
        return (
            self.DEFAULT_SCALAR_TAG if is_long else super().resolve(kind, value, implicit)  # type: ignore[no-untyped-call]
        )

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Hashable, Any]:
        seen = set()
        for each, _ in node.value:
            key = self.construct_object(each, deep=True)
            if not isinstance(key, Hashable):
                continue
            if key in seen:
                raise _error(each.start_mark, f"the key {key!r} appears twice")
            seen.add(key)
        return super().construct_mapping(node, deep)


@dataclass(frozen=True)
class ParsedYaml:
    """A text as plain data, and as nodes that know their places; `root` is None for an empty text."""

    document: object
    root: yaml.Node | None


def read_configuration(text: str) -> TaskConfiguration:
    """Return the configuration that a YAML text describes. Raises ConfigurationError."""
    return read_task_configuration(parse_yaml(text).document)


def write_yaml(document: Mapping[str, Any]) -> str:
    """Return a configuration document as YAML, its keys in their order."""
    written: str = yaml.safe_dump(dict(document), sort_keys=False, allow_unicode=True, width=100)
    return written


def find_problems(text: str) -> tuple[TaskConfiguration | None, tuple[ConfigurationProblem, ...]]:
    """Return the configuration that a YAML text describes, or all its problems in the order of the text."""
    try:
        parsed = parse_yaml(text)
    except UnusableYaml as err:
        return None, (ConfigurationProblem(err.path, err.line, err.column, err.reason, err.remedy),)
    try:
        return read_task_configuration(parsed.document), ()
    except ConfigurationError as err:
        return None, tuple(
            ConfigurationProblem(each.path, *_place_of(parsed.root, each.place), each.reason, each.remedy)
            for each in err.problems
        )


def parse_yaml(text: str) -> ParsedYaml:
    """Return what a text holds, whether or not it is a configuration. Raises UnusableYaml."""
    try:
        if len(text.encode()) > MOST_BYTES:
            raise UnusableYaml(
                "configuration", f"has more than {MOST_BYTES // 1000} kB", "Shorten its texts."
            )
        loader = _PlainLoader(_harmless_events(text))
        root = loader.get_single_node()
        return ParsedYaml(None if root is None else loader.construct_document(root), root)
    except UnicodeEncodeError as err:
        line, column = text.count("\n", 0, err.start) + 1, err.start - text.rfind("\n", 0, err.start)
        reason = f"holds half of a surrogate pair at line {line}, column {column}"
        raise UnusableYaml(
            "configuration", reason, "Remove that character.", line=line, column=column
        ) from err
    except yaml.MarkedYAMLError as err:
        raise _error(err.problem_mark, err.problem or "it can't be read", text) from err
    except yaml.reader.ReaderError as err:
        raise UnusableYaml(
            "configuration", f"is not readable as YAML: {err.reason}", "Remove that character."
        ) from err
    except (ValueError, OverflowError) as err:
        raise UnusableYaml("configuration", f"holds an unusable value: {err}", "Quote it.") from err


def _harmless_events(text: str) -> list[yaml.Event]:
    """Return the events of a text whose data can be built in little time and memory. Raises UnusableYaml."""
    depth = 0
    events = []
    for event in yaml.parse(text, Loader=yaml.CSafeLoader):
        if isinstance(event, yaml.AliasEvent) or getattr(event, "anchor", None) is not None:
            raise _error(event.start_mark, "anchors and aliases are not allowed")
        if getattr(event, "tag", None) is not None:
            raise _error(event.start_mark, "tags are not allowed")
        depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
        if depth > MOST_DEPTH:
            raise _error(event.start_mark, f"it is nested deeper than {MOST_DEPTH} levels")
        events.append(event)
        if len(events) > MOST_PARTS:
            raise _error(event.start_mark, f"it has more than {MOST_PARTS} parts")
    return events


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


def _error(mark: Any, problem: str, text: str | None = None) -> UnusableYaml:
    """Return the refusal of a text at a mark; with `text`, a mark behind its end means its end."""
    remedy = "Correct it there and send it again."
    if mark is None:
        return UnusableYaml("configuration", f"is not usable as YAML: {problem}", remedy)
    line, column = mark.line + 1, mark.column + 1
    if text is not None and line > (lines := text.rstrip("\n").count("\n") + 1):
        line, column = lines, len(text.rstrip("\n").rpartition("\n")[2]) + 1
    reason = f"is not usable as YAML at line {line}, column {column}: {problem}"
    return UnusableYaml("configuration", reason, remedy, line=line, column=column)
