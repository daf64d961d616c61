"""Commands on the records of a collection that was made elsewhere: check a batch of them, store it.

A batch is all or nothing, and may be sent again. A record that is already stored, by its id and a digest of its
content, is skipped. So an interrupted importer starts anew, and nothing is lost or doubled.
"""

import secrets
from collections.abc import Iterable
from dataclasses import dataclass

from dynabench_tasks.json_lines import Line

from annotation.domain.identifiers import RoundId
from annotation.domain.provenance import KEY_BYTES, Origin, Pseudonyms
from annotation.domain.record import RecordReader
from annotation.service_layer.dependencies import Dependencies
from annotation.service_layer.record_batch import Batch, read_batch
from annotation.service_layer.record_store import store_records
from annotation.service_layer.rounds import DraftRound, check_draft
from annotation.service_layer.tries import ConfigurationChanged


@dataclass(frozen=True)
class CheckRecords:
    """See whether the records on these lines could be stored in a new round with these targets."""

    slug: str
    targets: tuple[str, ...]
    lines: Iterable[Line]


@dataclass(frozen=True)
class Taken:
    """Counts of stored records, their votes, and lines that repeat a known record."""

    stored: int
    repeated: int
    votes: int

    @classmethod
    def of(cls, new: Batch) -> "Taken":
        """Return the counts of a batch whose records are all new."""
        return cls(len(new.records), new.repeated, new.votes)


def add_records(round_id: RoundId, lines: Iterable[Line], app: Dependencies) -> Taken:
    """Store what is new among the records on these lines, all or none.

    Raises NotFound, RoundNotCollected, ImportFinished, RecordsUnusable, ConfigurationChanged.
    """
    with app.unit_of_work() as uow:
        round_, task = uow.rounds.get(round_id)
        round_.ensure_takes_in(Origin.IMPORTED)
        pseudonyms = uow.records.pseudonyms(task.task_id)
        reader = RecordReader(task.configuration, round_.targets, pseudonyms, app.clock.now())
    batch = read_batch(lines, reader.read)
    with app.unit_of_work() as uow:
        round_, now_in_force = uow.rounds.lock(round_id)
        if now_in_force.configuration_version != task.configuration_version:
            raise ConfigurationChanged
        new = batch.without(uow.records.digests(round_.round_id, batch.source_ids))
        if new.records:
            round_.ensure_takes_records()
            new.ensure_images(task.configuration, uow.images)
            store_records(list(new.records.values()), round_, task, uow, app)
            uow.commit()
    return Taken.of(new)


def check_records(command: CheckRecords, app: Dependencies) -> Taken:
    """Return the effects of storing the records, without storing. Raises NotFound, InputRefused, RecordsUnusable."""
    check_draft(DraftRound(command.slug, "", command.targets))
    with app.unit_of_work() as uow:
        configuration = uow.tasks.get(command.slug).configuration
    pseudonyms = Pseudonyms(secrets.token_bytes(KEY_BYTES))
    reader = RecordReader(configuration, command.targets, pseudonyms, app.clock.now())
    batch = read_batch(command.lines, reader.read)
    with app.unit_of_work() as uow:
        batch.ensure_images(configuration, uow.images)
    return Taken.of(batch)
