"""Commands on images: announce one, check it once its bytes are there, and ensure that only checked ones are used.

The bytes never pass through a transaction, and not through this service until they are checked. The browser sends them
to an address of the object store that accepts just that file, for a short while.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from dynabench_common.object_store import ObjectMissing
from dynabench_common.telemetry.logging import get_logger
from dynabench_tasks.fields import Field, InputRefused
from dynabench_tasks.values import Value

from annotation.adapters.image_repository import SqlImages
from annotation.adapters.picture_cleaner import clean_picture
from annotation.domain.errors import NotFound
from annotation.domain.identifiers import ImageId, PersonId
from annotation.domain.image import (
    ABANDONED_AFTER,
    INCOMING,
    UPLOAD_SECONDS,
    CleanPicture,
    Image,
    KeptPicture,
    check_announcement,
    image_id_of,
)
from annotation.service_layer.dependencies import Dependencies

log = get_logger(__name__)
NOT_THERE_REMEDY = (
    "Send them to the address of the upload first; when it is too old, announce the image anew."
)


@dataclass(frozen=True)
class StartImage:
    """Announce a file of `size` bytes for a task."""

    slug: str
    person_id: PersonId
    media_type: str
    size: int


@dataclass(frozen=True)
class Upload:
    """The address to PUT an image's bytes to, with the required headers."""

    image_id: ImageId
    address: str
    headers: Mapping[str, str]


def start_image(command: StartImage, app: Dependencies) -> Upload:
    """Store the announcement and return where its bytes go. Raises NotFound, InputRefused, ObjectsUnavailable."""
    check_announcement(command.media_type, command.size)
    with app.unit_of_work() as uow:
        image = Image(
            image_id=ImageId(app.make_id()),
            task_id=uow.tasks.get(command.slug).task_id,
            uploaded_by=command.person_id,
            announced_type=command.media_type,
            announced_size=command.size,
            announced_at=app.clock.now(),
        )
        address = app.objects.upload_address(
            image.incoming_key, image.announced_type, image.announced_size, UPLOAD_SECONDS
        )
        uow.images.add(image)
        uow.commit()
    return Upload(image.image_id, address, {"Content-Type": image.announced_type})


def complete_image(image_id: ImageId, person_id: PersonId, app: Dependencies) -> KeptPicture:
    """Check the image, store it, and return its facts; a repeat changes nothing.

    Raises NotFound, also for another person's image, InputRefused, ObjectsUnavailable.
    """
    image = _own_image(image_id, person_id, app)
    if image.kept is not None:
        return image.kept
    try:
        clean = _fetch_clean(image, app)
    except ObjectMissing as err:
        at_once = _own_image(image_id, person_id, app).kept
        if at_once is not None:
            return at_once
        raise InputRefused("image_id", "has no bytes yet", NOT_THERE_REMEDY) from err
    kept = KeptPicture.of(clean)
    app.objects.write(kept.key, clean.data, clean.media_type)
    kept = _keep(image.image_id, kept, app)
    app.objects.delete(image.incoming_key)
    return kept


def kept_picture(image_id: ImageId, app: Dependencies) -> KeptPicture:
    """Return the facts of a completed image. Raises NotFound."""
    with app.unit_of_work() as uow:
        kept = uow.images.get(image_id).kept
    if kept is None:
        raise NotFound("image", "image_id")
    return kept


def stream_picture(kept: KeptPicture, app: Dependencies) -> Iterator[bytes]:
    """Return the bytes of a completed image piece by piece. Raises NotFound, ObjectsUnavailable."""
    try:
        return app.objects.stream(kept.key)
    except ObjectMissing as err:
        raise NotFound("image", "image_id") from err


def discard_abandoned(app: Dependencies) -> None:
    """Delete announced images and started imports that were not completed in time, and unchecked bytes.

    Raises ObjectsUnavailable.
    """
    before = app.clock.now() - ABANDONED_AFTER
    with app.unit_of_work() as uow:
        announcements = uow.images.discard_abandoned(before)
        uow.rounds.discard_abandoned(before)
        uow.commit()
    objects = app.objects.delete_older(INCOMING, before)
    if announcements or objects:
        log.info("uploads_discarded", announcements=announcements, objects=objects)


def find_missing_images(
    fields: Iterable[Field], many_values: Sequence[Mapping[str, Value]], images: SqlImages
) -> list[tuple[int, str]]:
    """Return, by position in `many_values`, the field that names an image that is not completed."""
    of_type = [field.name for field in fields if field.type_name == "image"]
    named = [
        (position, name, image_id_of(values[name]))
        for position, values in enumerate(many_values)
        for name in of_type
    ]
    missing = images.missing({image_id for _, _, image_id in named}) if named else set()
    return [(position, name) for position, name, image_id in named if image_id in missing]


def missing_image(place: str) -> InputRefused:
    """Return the refusal of a value that names no completed image; `place` is the path of its field."""
    remedy = "Upload the image and complete the upload, then send its id."
    return InputRefused(f"{place}.image_id", "names no image that was uploaded and checked", remedy)


def _own_image(image_id: ImageId, person_id: PersonId, app: Dependencies) -> Image:
    with app.unit_of_work() as uow:
        image = uow.images.get(image_id)
    if image.uploaded_by != person_id:
        raise NotFound("image", "image_id")
    return image


def _fetch_clean(image: Image, app: Dependencies) -> CleanPicture:
    data = app.objects.read(image.incoming_key, image.announced_size + 1)
    try:
        if len(data) != image.announced_size:
            remedy = "Announce the image anew, with the size of the file."
            raise InputRefused("image", f"does not have {image.announced_size:,} bytes as announced", remedy)
        return clean_picture(data, image.announced_type)
    except InputRefused:
        app.objects.delete(image.incoming_key)
        raise


def _keep(image_id: ImageId, kept: KeptPicture, app: Dependencies) -> KeptPicture:
    with app.unit_of_work() as uow:
        image = uow.images.lock(image_id)
        image.keep(kept, app.clock.now())
        uow.images.save(image)
        uow.commit()
    return image.kept or kept
