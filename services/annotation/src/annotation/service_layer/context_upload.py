"""The command that adds a file of contexts to a round, all or none.

Lines arrive as slowly as the owner's connection, so no transaction is open while they are read. They are checked one by
one and stored in a temporary file. Then one transaction stores them in batches. Only digests of the file and one batch
are in memory at any time.
"""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from tempfile import TemporaryFile
from typing import TextIO
from uuid import UUID

from dynabench_tasks.configuration.task_configuration import TaskConfiguration
from dynabench_tasks.fields import InputRefused
from dynabench_tasks.json_lines import Findings, Line, LinesUnusable

from annotation.domain.context import MOST_CONTEXTS_AT_ONCE, NewContext, read_context_line
from annotation.domain.identifiers import ContextId, RoundId
from annotation.service_layer.dependencies import Dependencies
from annotation.service_layer.images import find_missing_images, missing_image
from annotation.service_layer.tries import ConfigurationChanged


@dataclass(eq=False)
class ContextsUnusable(LinesUnusable):
    """Contexts that can't be taken."""


def upload_contexts(round_id: RoundId, lines: Iterable[Line], app: Dependencies) -> int:
    """Store the contexts on these lines, all or none, and return their number.

    Raises NotFound, RoundImmutable, ContextsUnusable, ConfigurationChanged.
    """
    with app.unit_of_work() as uow:
        round_, task = uow.rounds.get(round_id)
        round_.ensure_takes_contexts()
    with TemporaryFile("w+", encoding="utf-8") as kept:
        _check(lines, task.configuration, kept, app)
        kept.seek(0)
        return _store(round_id, task.configuration_version, kept, app)


def _check(lines: Iterable[Line], configuration: TaskConfiguration, kept: TextIO, app: Dependencies) -> None:
    findings, seen = Findings(ContextsUnusable), dict[bytes, int]()
    is_empty = True
    for line in lines:
        is_empty = False
        try:
            if line.flaw is not None:
                raise line.flaw
            context = read_context_line(configuration, ContextId(app.make_id()), line.document)
            first = seen.setdefault(context.fingerprint, line.number)
            if first != line.number:
                raise InputRefused("line", f"holds the same context as line {first}", "Remove one of them.")
            kept.write(_kept(line.number, context))
        except InputRefused as refusal:
            findings.add(line.number, refusal)
    if is_empty:
        findings.add(1, InputRefused("file", "holds no contexts", "Write one context on each line."))
    findings.raise_any()


def _store(round_id: RoundId, configuration_version: int, kept: TextIO, app: Dependencies) -> int:
    findings, added = Findings(ContextsUnusable), 0
    with app.unit_of_work() as uow:
        round_, task = uow.rounds.get_for_share(round_id)
        round_.ensure_takes_contexts()
        if task.configuration_version != configuration_version:
            raise ConfigurationChanged
        for numbers, contexts in _batches(kept):
            values = [context.fields for context in contexts]
            for position, name in find_missing_images(task.configuration.fields.context, values, uow.images):
                findings.add(numbers[position], missing_image(f"fields.{name}"))
            for position in uow.contexts.add_all(round_id, contexts):
                refusal = InputRefused("line", "holds a context that is in the round already", "Remove it.")
                findings.add(numbers[position], refusal)
            added += len(contexts)
        findings.raise_any()
        uow.commit()
    return added


def _kept(number: int, context: NewContext) -> str:
    entry = [number, str(context.context_id), dict(context.fields), context.tags]
    return json.dumps(entry, ensure_ascii=False) + "\n"


def _batches(kept: TextIO) -> Iterator[tuple[list[int], list[NewContext]]]:
    while batch := [json.loads(line) for line in islice(kept, MOST_CONTEXTS_AT_ONCE)]:
        contexts = [
            NewContext(ContextId(UUID(context_id)), fields, tuple(tags))
            for _, context_id, fields, tags in batch
        ]
        yield [number for number, *_ in batch], contexts
