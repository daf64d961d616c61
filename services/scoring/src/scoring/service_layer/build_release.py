"""Build a release: repeat validated errors, then splits, files, object store, then the dataset and its event at once.

The rows are read in one state of the facts. The files' keys begin with the manifest's digest. So a worker that takes a
release over stores the same bytes under the same keys. The last transaction needs the lease, so it happens once.
"""

from collections.abc import Mapping, Sequence, Set
from dataclasses import replace
from pathlib import Path
from typing import Any

from dynabench_common.identifiers import new_id
from dynabench_common.work.jobs import Heartbeat, LeasedJob
from dynabench_common.work.retried_jobs import MOST_ATTEMPTS, Job
from dynabench_common.working_folders import working_folder

from scoring.adapters.dataset_files import DatasetFiles
from scoring.dataset import croissant
from scoring.dataset.description import CARD, PICTURES, DataFile, Dataset
from scoring.domain.errors import PictureMissing, PicturesUnavailable, ReleaseRefused, RoundUnknown
from scoring.domain.pseudonyms import Pseudonyms
from scoring.domain.release import ReleasedDataset, Step, key_prefix
from scoring.service_layer.composition import WRITTEN, Composition
from scoring.service_layer.dependencies import WorkerDependencies
from scoring.service_layer.repeat_errors import REPEATED, ask_again


def build_release(held: LeasedJob, beat: Heartbeat, app: WorkerDependencies) -> None:
    """Build one release.

    Raises ReleaseRefused, RoundUnknown, ObjectsUnavailable, PicturesUnavailable, LeaseLost.
    """
    beat.show(step=Step.REPEATING, progress=0.0)
    with app.unit_of_work() as uow:
        release = uow.releases.get(held.key)
        key = uow.releases.key_of(release.round_id)
        uow.commit()
    repeats = ask_again(release, beat, app)
    beat.show(step=Step.SPLITTING, progress=REPEATED)
    with working_folder() as folder:
        with app.snapshot() as facts:
            found = facts.round(release.round_id)
            composition = Composition(found, release, Pseudonyms(key), beat, repeats)
            described = composition.write(folder, facts)
        if composition.image_ids:
            described = _with_pictures(described, composition.image_ids, folder, held, app)
        digest, files = DatasetFiles().describe(folder, described)
        _store_files(folder, digest, files, beat, app)
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
        released_at=app.clock.now(),
    )
    with app.unit_of_work() as uow:
        uow.releases.finish(held, dataset.dataset_id)
        uow.datasets.add(dataset)
        uow.confirmed_errors.keep_released(found.round_id, composition.errors)
        app.on_release(dataset, uow.connection)
        uow.measurements.request(dataset.dataset_id, dataset.released_at)
        uow.commit()


def _with_pictures(
    dataset: Dataset, image_ids: Set[str], folder: Path, held: LeasedJob, app: WorkerDependencies
) -> Dataset:
    """Pack the pictures that rows name. Raises ReleaseRefused; PicturesUnavailable, if another attempt follows."""
    try:
        if app.pictures is None:
            raise PicturesUnavailable(min(image_ids), "ANNOTATION_URL is not set")
        app.pictures.pack(image_ids, folder / PICTURES)
    except PictureMissing as err:
        text = f"There is no picture {err.image_id}, which an example names."
        remedy = "Restore the platform's pictures from a backup, then release the round again."
        raise ReleaseRefused("picture-missing", text, remedy, image_id=err.image_id) from err
    except PicturesUnavailable as err:
        if held.attempts < MOST_ATTEMPTS:
            raise
        text = f"The picture {err.image_id} could not be read: {err.reason}."
        remedy = (
            "Release the round again in a few minutes, or tell an operator that annotation does not answer."
        )
        raise ReleaseRefused("pictures-unavailable", text, remedy, image_id=err.image_id) from err
    return replace(dataset, files=[*dataset.files, DatasetFiles().pictures(folder)])


def _store_files(
    folder: Path, digest: str, files: Sequence[DataFile], beat: Heartbeat, app: WorkerDependencies
) -> None:
    for number, file in enumerate(files):
        beat.show(step=Step.STORING, progress=WRITTEN + (1 - WRITTEN) * number / len(files))
        app.store.store(key_prefix(digest) + file.path, folder / file.path, file.media_type)


def refusal(err: Exception) -> Mapping[str, Any] | None:
    """Return the error of a job that cannot be done, or None for an exception that a retry may get over."""
    if isinstance(err, ReleaseRefused):
        return {"kind": err.kind, "detail": err.text, "remedy": err.remedy, **err.facts}
    if isinstance(err, RoundUnknown):
        return {"kind": "round-not-found", "detail": "The round is unknown.", "remedy": "Check its id."}
    return None


RELEASES = Job("releases", lambda uow: uow.releases, build_release, refusal)
