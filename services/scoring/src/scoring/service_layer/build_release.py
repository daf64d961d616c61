"""Build a release: repeat validated errors, then splits, files, object store, then the dataset and its event at once.

The rows are read in one state of the facts. The files' keys begin with the manifest's digest. So a worker that takes a
release over stores the same bytes under the same keys. The last transaction needs the lease, so it happens once.
"""

from collections.abc import Sequence
from pathlib import Path

from dynabench_common.clock import Clock
from dynabench_common.identifiers import new_id
from dynabench_common.working_folders import working_folder

from scoring.adapters.dataset_files import DatasetFiles
from scoring.adapters.release_store import SqlReleases
from scoring.adapters.target_gateway import GatewayTargets
from scoring.adapters.unit_of_work import MakeUnitOfWork, OpenSnapshot, ScoringUnitOfWork
from scoring.adapters.work_queue import Held
from scoring.dataset import croissant
from scoring.dataset.description import CARD, DataFile
from scoring.domain.pseudonyms import Pseudonyms
from scoring.domain.release import ReleasedDataset, Step, key_prefix
from scoring.service_layer.composition import WRITTEN, Composition
from scoring.service_layer.heartbeat import Heartbeat
from scoring.service_layer.jobs import LEASE_SECONDS, JobRunner
from scoring.service_layer.ports import ObjectStore
from scoring.service_layer.repeat_errors import REPEATED, ErrorRepeater


class ReleaseBuilder(JobRunner):
    """Builds the releases that owners asked for."""

    name = "releases"

    def __init__(
        self,
        make_uow: MakeUnitOfWork,
        open_snapshot: OpenSnapshot,
        store: ObjectStore,
        files: DatasetFiles,
        clock: Clock,
        lease_seconds: float = LEASE_SECONDS,
        targets: GatewayTargets | None = None,
    ) -> None:
        super().__init__(make_uow, clock, lease_seconds)
        self._open_snapshot = open_snapshot
        self._store = store
        self._files = files
        self._repeater = ErrorRepeater(make_uow, targets)

    def jobs(self, uow: ScoringUnitOfWork) -> SqlReleases:
        """Return the queue of releases."""
        return uow.releases

    def work(self, held: Held, beat: Heartbeat) -> None:
        """Build one release. Raises ReleaseRefused, RoundUnknown, ObjectsUnavailable, LeaseLost."""
        beat.show(step=Step.REPEATING, progress=0.0)
        with self._make_uow() as uow:
            release = uow.releases.get(held.key)
            key = uow.releases.key_of(release.round_id)
            uow.commit()
        repeats = self._repeater.ask(release, self._open_snapshot, beat)
        beat.show(step=Step.SPLITTING, progress=REPEATED)
        with working_folder() as folder:
            with self._open_snapshot() as facts:
                found = facts.round(release.round_id)
                composition = Composition(found, release, Pseudonyms(key), beat, repeats)
                described = composition.write(folder, facts, self._files)
            digest, files = self._files.describe(folder, described)
            self._store_files(folder, digest, files, beat)
            card = (folder / CARD).read_text(encoding="utf-8")
        dataset = ReleasedDataset(
            dataset_id=new_id(),
            digest=digest,
            task_id=found.task_id,
            round_id=found.round_id,
            described=described,
            files=files,
            card=card,
            croissant=croissant.document(described),
            released_by=release.requested_by,
            released_at=self._clock.now(),
        )
        self._finish(held, dataset)

    def _store_files(self, folder: Path, digest: str, files: Sequence[DataFile], beat: Heartbeat) -> None:
        for number, file in enumerate(files):
            beat.show(step=Step.STORING, progress=WRITTEN + (1 - WRITTEN) * number / len(files))
            self._store.store(key_prefix(digest) + file.path, folder / file.path, file.media_type)

    def _finish(self, held: Held, dataset: ReleasedDataset) -> None:
        with self._make_uow() as uow:
            uow.releases.finish(held, dataset.dataset_id)
            uow.datasets.add(dataset)
            uow.measurements.request(dataset.dataset_id, dataset.released_at)
            uow.commit()
