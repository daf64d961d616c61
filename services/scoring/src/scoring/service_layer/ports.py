"""Ports of the handlers: the interfaces to other systems."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Protocol, Self
from uuid import UUID

from scoring.dataset.description import DataFile, Dataset
from scoring.dataset.rows import ExampleRow, Fields, MeasuredRow
from scoring.domain.facts import ExampleFacts
from scoring.domain.release import Release, ReleasedDataset
from scoring.domain.repeats import Repeats
from scoring.domain.round_facts import RoundFacts
from scoring.domain.standings import Alike

if TYPE_CHECKING:
    from scoring.service_layer.evaluations.ports import Canaries, EvaluationDatasets, Evaluations, Shards


class Facts(Protocol):
    """The facts of rounds, all in one state."""

    def round(self, round_id: UUID) -> RoundFacts:
        """Return what is known of a round. Raises RoundUnknown."""

    def groups(self, facts: RoundFacts) -> Iterator[Alike]:
        """Yield the examples of a round, counted by standing and author."""

    def targets_of(self, round_id: UUID) -> tuple[str, ...]:
        """Return the names of all targets that an example of the round has an answer of."""

    def newest_fact(self, round_id: UUID) -> datetime | None:
        """Return when the newest example of a round was made or resolved."""

    def examples(self, round_id: UUID) -> Iterator[ExampleFacts]:
        """Yield every example of a round in order of ids."""


@dataclass(frozen=True)
class Held:
    """A job that this worker holds under a lease; `attempts` counts this one too."""

    key: UUID
    lease_id: UUID
    attempts: int


class Jobs(Protocol):
    """A queue of jobs, each leased by one worker at a time."""

    def claim(self, now: datetime, seconds: float) -> Held | None:
        """Hold the oldest job that nobody holds."""

    def renew(self, held: Held, until: datetime, **seen: Any) -> None:
        """Hold a job longer, and store what may be seen of it. Raises LeaseLost."""

    def let_go(self, held: Held, until: datetime) -> None:
        """Leave a job for another try at that moment. Raises LeaseLost."""

    def give_back(self, held: Held) -> None:
        """Leave a job as if it had not been taken. Raises LeaseLost."""

    def fail(self, held: Held, error: Mapping[str, Any]) -> None:
        """End a job without a result. Raises LeaseLost."""


class Releases(Jobs, Protocol):
    """Releases, and the jobs that build them."""

    def add(self, release: Release) -> None:
        """Store a new release."""

    def get(self, release_id: UUID) -> Release:
        """Return the release. Raises ReleaseUnknown."""

    def live(self, round_id: UUID) -> Release | None:
        """Return the release of a round that is being built or done."""

    def key_of(self, round_id: UUID) -> bytes:
        """Return the key of the round's pseudonyms, made at the first call."""

    def finish(self, held: Held, dataset_id: UUID) -> None:
        """End a release with its dataset. Raises LeaseLost."""

    def repeats(self, release: Release) -> Repeats:
        """Return how often validated errors of the round repeated, as far as that needs not be tried again.

        What another release could not try may be tried again; what this one could not is settled.
        """

    def keep_repeats(self, release: Release, results: Repeats) -> None:
        """Keep how often errors repeated."""


class Datasets(Protocol):
    """Released datasets."""

    def add(self, dataset: ReleasedDataset) -> None:
        """Store a dataset, and tell of it."""

    def source_of(self, dataset_id: UUID) -> tuple[UUID, str] | None:
        """Return the round and the digest of a dataset, None if the id is no dataset's."""


class Measurements(Jobs, Protocol):
    """Measurements, and the jobs that make them."""

    def request(self, subject_id: UUID, now: datetime) -> None:
        """Ask for the measurement of a dataset or a round, unless it is asked for already."""

    def finish(self, held: Held, result: Mapping[str, Any], now: datetime) -> None:
        """Store a result. Raises LeaseLost."""


class UnitOfWork(Protocol):
    """A transaction."""

    facts: Facts
    releases: Releases
    datasets: Datasets
    measurements: Measurements
    evaluation_datasets: "EvaluationDatasets"
    evaluations: "Evaluations"
    shards: "Shards"
    canaries: "Canaries"

    def __enter__(self) -> Self:
        """Begin."""

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Roll back what was not committed."""

    def serialise(self, round_id: UUID) -> None:
        """Let other releases of the round wait until this one is stored."""

    def commit(self) -> None:
        """Make the changes and their events durable."""


MakeUnitOfWork = Callable[[], UnitOfWork]
OpenSnapshot = Callable[[], AbstractContextManager[Facts]]


class ObjectStore(Protocol):
    """Store of datasets' files."""

    def store(self, key: str, path: Path, media_type: str) -> None:
        """Store a file, in place of what lies there. Raises ObjectsUnavailable."""

    def fetch(self, key: str, path: Path) -> None:
        """Copy a stored file to `path`. Raises ObjectsUnavailable."""


class Files(Protocol):
    """The files of a dataset in a folder."""

    def write(self, folder: Path, rows: Iterable[ExampleRow], fields: Fields) -> list[DataFile]:
        """Write rows to the files of their splits."""

    def describe(self, folder: Path, dataset: Dataset) -> tuple[str, list[DataFile]]:
        """Write what goes beside the data; return the manifest's digest and every file."""

    def measured_files(self) -> tuple[str, ...]:
        """Return the paths of the files that `read_measured` needs."""

    def read_measured(self, folder: Path, fields: Fields) -> Iterable[MeasuredRow]:
        """Return what measurements need of the rows that lie in a folder; may be iterated more than once."""
