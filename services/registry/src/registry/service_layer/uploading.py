"""Uploads of archives, from the request to the complete archive."""

import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from dynabench_common.identifiers import new_id
from dynabench_common.object_store import ObjectsUnavailable

from registry.adapters.unit_of_work import RegistryUnitOfWork
from registry.domain.errors import (
    ArchiveSizeRefused,
    PartsMissing,
    PartUnknown,
    QuotaUsed,
    TooManyDrafts,
    WrongState,
)
from registry.domain.submission import (
    ENDED_EARLY,
    Archive,
    Signature,
    Step,
    StepState,
    Submission,
    SubmissionState,
    UploadedPart,
)
from registry.service_layer import submission_events as events
from registry.service_layer.dependencies import HttpDependencies

SMALLEST_PART_BYTES = 8 * 1024 * 1024
MOST_PARTS = 9_000
"""S3 takes 10,000."""
MOST_DRAFTS = 20
DAY = timedelta(days=1)
ADDRESS_SECONDS = 3_600
MOST_MISSING_TOLD = 100


@dataclass(frozen=True)
class BeginSubmission:
    """The wish to send an archive; `digest` is empty where it is not known before."""

    person_id: UUID
    task: str
    model: str
    file_name: str
    size: int
    digest: str
    webhook: str | None
    signature: Signature | None = None


@dataclass(frozen=True)
class Begun:
    """Result of a request to submit; `known` if the submission existed before.

    `webhook_secret` signs the calls of a new submission's webhook, and is returned only here.
    """

    submission: Submission
    known: bool
    webhook_secret: str | None = None


@dataclass(frozen=True)
class Quota:
    """Number of a person's current submissions to a task, and its limit; `free_at` is when the next one is free."""

    task: str
    used: int
    most: int
    free_at: datetime | None


def part_bytes(size: int) -> int:
    """Return the size of the parts of an archive in bytes: whole MiB, and few enough of them for any S3."""
    mebibyte = 1024 * 1024
    least = -(-size // MOST_PARTS)
    return max(SMALLEST_PART_BYTES, -(-least // mebibyte) * mebibyte)


def begin(wish: BeginSubmission, app: HttpDependencies) -> Begun:
    """Return a new submission, or the earlier one of the same file.

    Raises ArchiveSizeRefused, TaskUnknown, ModelNameTaken, QuotaUsed, TooManyDrafts, ObjectsUnavailable.
    """
    largest = app.largest_archive_bytes
    with app.unit_of_work() as uow:
        uow.tasks.configuration(wish.task)
        if not 0 < wish.size <= largest:
            raise ArchiveSizeRefused(wish.size, largest)
        known = _known(uow, wish)
        if known is not None:
            return Begun(_signed_anew(uow, known, wish, app.clock.now()), known=True)
        _check_quota(uow, wish.person_id, wish.task, app)
        if uow.submissions.drafts(wish.person_id) >= MOST_DRAFTS:
            raise TooManyDrafts(MOST_DRAFTS)
    submission_id = new_id()
    key = f"submissions/{submission_id}.mar"
    upload_id = app.objects.begin(key)
    try:
        begun = _store(wish, submission_id, key, upload_id, app)
    except Exception:
        _forget(key, upload_id, app)
        raise
    if begun.known:
        _forget(key, upload_id, app)
    return begun


def _store(
    wish: BeginSubmission, submission_id: UUID, key: str, upload_id: str, app: HttpDependencies
) -> Begun:
    archive = Archive(wish.file_name, wish.size, wish.digest, part_bytes(wish.size), key, upload_id)
    secret = secrets.token_urlsafe(32) if wish.webhook else None
    with app.unit_of_work() as uow:
        uow.submissions.serialise(wish.person_id)
        known = _known(uow, wish)
        if known is not None:  # the same wish came twice at once
            return Begun(_signed_anew(uow, known, wish, app.clock.now()), known=True)
        version = uow.submissions.next_version(wish.model, wish.task, wish.person_id)
        submission = Submission(
            submission_id=submission_id,
            aggregate_version=0,
            model_name=wish.model,
            version=version,
            task_slug=wish.task,
            submitted_by=wish.person_id,
            archive=archive,
            state=SubmissionState.DRAFT,
            step=Step.RECEIVED,
            created_at=app.clock.now(),
            webhook_url=wish.webhook,
            signature=wish.signature,
        )
        uow.submissions.add(submission, secret)
        uow.commit()
    return Begun(submission, known=False, webhook_secret=secret)


def quota_of(person_id: UUID, task: str, app: HttpDependencies) -> Quota:
    """Return how much of the day's submissions to a task is used."""
    with app.unit_of_work() as uow:
        return _quota(uow, person_id, task, app)


def _quota(uow: RegistryUnitOfWork, person_id: UUID, task: str, app: HttpDependencies) -> Quota:
    most = app.submissions_per_day
    began = uow.submissions.counting(person_id, task, app.clock.now() - DAY)
    return Quota(task, len(began), most, began[len(began) - most] + DAY if len(began) >= most else None)


def _check_quota(uow: RegistryUnitOfWork, person_id: UUID, task: str, app: HttpDependencies) -> None:
    quota = _quota(uow, person_id, task, app)
    if quota.free_at is not None:
        seconds = max(1, round((quota.free_at - app.clock.now()).total_seconds()))
        raise QuotaUsed(task, quota.most, quota.free_at, seconds)


def uploaded_parts(submission: Submission, app: HttpDependencies) -> Sequence[UploadedPart]:
    """Return the parts that the store has, all of them once the archive is whole. Raises ObjectsUnavailable."""
    archive = submission.archive
    found = app.objects.held(archive.key, archive.upload_id)
    if found is not None:
        return found
    if app.objects.size(archive.key) != archive.size:
        return ()
    return [UploadedPart(n, archive.part_size(n), "") for n in range(1, archive.parts + 1)]


def sign(submission: Submission, numbers: Sequence[int], app: HttpDependencies) -> list[tuple[int, int, str]]:
    """Return number, size and address of each part. Raises WrongState, PartUnknown."""
    if submission.state is not SubmissionState.DRAFT:
        raise WrongState("send parts", submission.state)
    archive = submission.archive
    beyond = next((number for number in numbers if number > archive.parts), None)
    if beyond is not None:
        raise PartUnknown(beyond, archive.parts)
    return [
        (
            number,
            archive.part_size(number),
            app.objects.sign(archive.key, archive.upload_id, number, ADDRESS_SECONDS),
        )
        for number in sorted(set(numbers))
    ]


def complete(submission: Submission, app: HttpDependencies) -> Submission:
    """Put the parts together and let the checks begin; an archive that is here already stays as it is.

    Raises PartsMissing, QuotaUsed, WrongState, ObjectsUnavailable.
    """
    if submission.state in ENDED_EARLY:
        raise WrongState("end the upload", submission.state)
    if submission.state is not SubmissionState.DRAFT:
        return submission
    archive = submission.archive
    if app.objects.size(archive.key) != archive.size:
        app.objects.complete(archive.key, archive.upload_id, _all_parts(archive, app))
    now = app.clock.now()
    with app.unit_of_work() as uow:
        current = uow.submissions.get(submission.submission_id, lock=True)
        if current.state in ENDED_EARLY:
            _forget(archive.key, "", app)  # it was put together after nobody wanted it any more
            raise WrongState("end the upload", current.state)
        if current.state is not SubmissionState.DRAFT:
            return current
        uow.submissions.serialise(current.submitted_by)
        _check_quota(uow, current.submitted_by, current.task_slug, app)
        received = uow.submissions.begin_checks(current, Step.CHECKSUM, now)
        received = uow.submissions.change(received, received_at=now)
        uow.submissions.set_step(
            received.submission_id,
            Step.RECEIVED,
            state=StepState.PASSED,
            attempt=1,
            started_at=current.created_at,
            ended_at=now,
        )
        line = f"received {archive.size:,} bytes in {archive.parts} parts"
        uow.submissions.log(received.submission_id, Step.RECEIVED, now, [line])
        received = events.publish(uow, received, events.submitted(received, now))
        uow.commit()
        return received


def _all_parts(archive: Archive, app: HttpDependencies) -> Sequence[UploadedPart]:
    held = {part.number: part for part in app.objects.held(archive.key, archive.upload_id) or ()}
    missing = [
        number
        for number in range(1, archive.parts + 1)
        if number not in held or held[number].size != archive.part_size(number)
    ]
    if missing:
        raise PartsMissing(missing[:MOST_MISSING_TOLD], len(missing))
    return [held[number] for number in range(1, archive.parts + 1)]


def _forget(key: str, upload_id: str, app: HttpDependencies) -> None:
    try:
        app.objects.abandon(key, upload_id)
    except ObjectsUnavailable:
        return


def _known(uow: RegistryUnitOfWork, wish: BeginSubmission) -> Submission | None:
    """Return the person's earlier submission of the same bytes, or their unfinished upload of such a file."""
    if wish.digest:
        same = uow.submissions.find_same(wish.person_id, wish.task, wish.digest)
        if same is not None:
            return same
    draft = uow.submissions.find_draft(wish.person_id, wish.task, wish.model, wish.file_name, wish.size)
    is_other_file = draft is not None and wish.digest != draft.archive.digest and bool(draft.archive.digest)
    return None if is_other_file else draft


def _signed_anew(
    uow: RegistryUnitOfWork, known: Submission, wish: BeginSubmission, now: datetime
) -> Submission:
    """Replace the signature of an unfinished upload, or of a submission refused for its signature.

    A submission refused for its signature starts its checks anew, also without a signature.
    """
    if known.signature == wish.signature:
        return known
    locked = uow.submissions.get(known.submission_id, lock=True)
    was_refused = locked.state is SubmissionState.REFUSED and locked.step is Step.CHECKSUM
    if was_refused and locked.signature is not None:
        signed = uow.submissions.begin_checks(locked, Step.CHECKSUM, now)
    elif locked.state is SubmissionState.DRAFT and wish.signature is not None:
        signed = locked
    else:
        return locked
    signed = uow.submissions.sign(signed, wish.signature)
    uow.commit()
    return signed
