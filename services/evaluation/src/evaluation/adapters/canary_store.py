"""Made-up words of hidden datasets in PostgreSQL, and where they were found."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from uuid import UUID

from dynabench_common.telemetry.logging import get_logger
from sqlalchemy import Connection, func, select
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.exc import StatementError

from evaluation.adapters.tables import canary, evaluation_dataset, leak
from evaluation.domain.canaries import Sighting

log = get_logger(__name__)


class SqlCanaries:
    """The words, and leaks; neither logs nor errors hold a word."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def keep(self, dataset_id: UUID, words: Iterable[str]) -> None:
        """Keep the made-up words of a dataset."""
        rows = [{"word": word, "dataset_id": dataset_id} for word in words]
        if rows:
            with _without_parameters():
                self._connection.execute(canary.insert(), rows)

    def note(self, sightings: Iterable[Sighting]) -> None:
        """Note which of these words are made-up ones of datasets; each place is noted once.

        The database is asked only where a word has the shape of one.
        """
        shaped = [sighting for sighting in sightings if sighting.words]
        if not shaped:
            return
        known = self._known(frozenset().union(*(sighting.words for sighting in shaped)))
        for sighting in shaped:
            for dataset_id, name in sorted({known[word] for word in sighting.words if word in known}):
                self._note(dataset_id, name, sighting)

    def _known(self, words: Iterable[str]) -> dict[str, tuple[UUID, str]]:
        """Return the dataset of each word that is a made-up one, by id and name."""
        table = evaluation_dataset.c
        statement = (
            select(canary.c.word, table.dataset_id, table.name)
            .join(evaluation_dataset)
            .where(canary.c.word.in_(list(words)))
        )
        with _without_parameters():
            return {word: (found, name) for word, found, name in self._connection.execute(statement)}

    def _note(self, dataset_id: UUID, name: str, sighting: Sighting) -> None:
        statement = insert(leak).values(
            dataset_id=dataset_id,
            place=sighting.place,
            reference=sighting.reference,
            name=sighting.name,
            found_at=func.now(),
        )
        if self._connection.execute(statement.on_conflict_do_nothing()).rowcount:
            log.warning(
                "hidden_dataset_leaked",
                dataset=name,
                dataset_id=str(dataset_id),
                place=sighting.place.value,
                reference=str(sighting.reference),
            )


@contextmanager
def _without_parameters() -> Iterator[None]:
    """Keep the values of a statement that fails, which are words, out of the error's text."""
    try:
        yield
    except StatementError as err:
        err.hide_parameters = True
        raise
