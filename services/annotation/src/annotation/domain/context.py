"""A context: an annotator's starting point, and the reports that take it out of use."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from dynabench_events.history import Aggregate
from dynabench_events.task import ContextFlagged
from dynabench_tasks.configuration.task_configuration import TaskConfiguration
from dynabench_tasks.fields import InputRefused
from dynabench_tasks.text import validate_text
from dynabench_tasks.values import Value

from annotation.domain.identifiers import ContextId, PersonId, RoundId

REPORTS_THAT_WITHDRAW = 2
MOST_CONTEXTS_AT_ONCE = 1_000
MOST_TAGS = 20
LONGEST_TAG = 60
LONGEST_REASON = 500
LINE_KEYS = ("fields", "tags")
LINE_REMEDY = 'Write {"fields": {...}, "tags": [...]} on one line; tags may be left out.'


@dataclass(eq=False)
class ContextRepeated(Exception):
    """A context of an upload is there already; `position` counts from 0."""

    position: int
    first_position: int | None


@dataclass(frozen=True)
class NewContext:
    """A context ready to be stored; equal fields have equal fingerprints."""

    context_id: ContextId
    fields: Mapping[str, Value]
    tags: tuple[str, ...]

    @property
    def fingerprint(self) -> bytes:
        """Return a digest of the fields that does not depend on their order."""
        text = json.dumps(dict(self.fields), sort_keys=True, ensure_ascii=False)
        return hashlib.sha256(text.encode()).digest()


@dataclass(frozen=True)
class UsedContext:
    """A context of examples that were made elsewhere: how many they are, and how many of them fooled."""

    context: NewContext
    examples: int
    foolings: int


@dataclass(kw_only=True)
class Context(Aggregate):
    """A stored context; enough reports by different people withdraw it."""

    context_id: ContextId
    round_id: RoundId
    fields: Mapping[str, Value]
    tags: tuple[str, ...]
    reported_by: frozenset[PersonId] = frozenset()
    new_reports: list[ContextFlagged] = field(default_factory=list, compare=False, repr=False)

    @property
    def is_withdrawn(self) -> bool:
        """Return whether the context is no longer given out."""
        return len(self.reported_by) >= REPORTS_THAT_WITHDRAW

    def flag(self, person_id: PersonId, reason: str, now: datetime) -> None:
        """Take in a report; a second one by the same person changes nothing. Raises InputRefused."""
        flaw = validate_text(reason, LONGEST_REASON)
        if flaw is not None:
            raise InputRefused("reason", flaw.reason, flaw.remedy)
        if person_id in self.reported_by:
            return
        self.reported_by |= {person_id}
        report = ContextFlagged(
            context_id=self.context_id,
            round_id=self.round_id,
            person_id=person_id,
            reason=reason,
            flagged_at=now,
        )
        self.new_reports.append(report)
        self.record(report)


def read_contexts(
    configuration: TaskConfiguration, uploads: Sequence[tuple[ContextId, Mapping[str, object], Sequence[str]]]
) -> list[NewContext]:
    """Return contexts sent together, each checked against the task's context fields.

    Raises InputRefused for the first that can't be used, ContextRepeated for one that stands twice.
    """
    contexts: list[NewContext] = []
    seen: dict[bytes, int] = {}
    for position, (context_id, fields, tags) in enumerate(uploads):
        context = read_context(configuration, context_id, fields, tags, f"contexts[{position}].")
        if context.fingerprint in seen:
            raise ContextRepeated(position, seen[context.fingerprint])
        seen[context.fingerprint] = position
        contexts.append(context)
    return contexts


def read_context_line(
    configuration: TaskConfiguration, context_id: ContextId, document: object
) -> NewContext:
    """Return the context of one line of a file. Raises InputRefused."""
    if not isinstance(document, dict):
        raise InputRefused("line", "is not a JSON object", LINE_REMEDY)
    for name in document:
        if name not in LINE_KEYS:
            raise InputRefused(str(name)[:60], "is not a key of a context", LINE_REMEDY)
    fields, tags = document.get("fields"), document.get("tags", [])
    if not isinstance(fields, dict):
        raise InputRefused("fields", "is missing or not an object", LINE_REMEDY)
    return read_context(configuration, context_id, fields, tags, "")


def read_context(
    configuration: TaskConfiguration,
    context_id: ContextId,
    fields: Mapping[str, object],
    tags: object,
    prefix: str,
) -> NewContext:
    """Return a checked context; names of fields in refusals begin with `prefix`. Raises InputRefused."""
    checked = configuration.check_context(fields, f"{prefix}fields")
    return NewContext(context_id, checked, read_tags(tags, f"{prefix}tags"))


def read_tags(tags: object, path: str) -> tuple[str, ...]:
    """Return tags, each once. Raises InputRefused."""
    if not isinstance(tags, list | tuple) or not all(isinstance(tag, str) for tag in tags):
        raise InputRefused(path, "is not a list of texts", 'Write a list such as ["a", "b"].')
    if len(tags) > MOST_TAGS:
        raise InputRefused(path, f"has {len(tags)} entries", f"Give at most {MOST_TAGS} tags.")
    for position, tag in enumerate(tags):
        flaw = validate_text(tag, LONGEST_TAG)
        if flaw is not None:
            raise InputRefused(f"{path}[{position}]", flaw.reason, flaw.remedy)
    return tuple(dict.fromkeys(tags))
