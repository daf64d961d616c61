"""A submission as its submitter and the owners of its task see it."""

from dynabench_api.submissions import (
    LoopRoundAnswer,
    UploadAnswer,
    WholeSubmission,
)
from dynabench_common.auth.permissions import current_principal

from registry.domain.submission import SERVED, Submission, SubmissionState
from registry.entrypoints.http.dependencies import decides_on, dependencies
from registry.entrypoints.http.schemas import card_answer, step_answer, submission_fields
from registry.service_layer.deleting import may_delete
from registry.service_layer.submission_acts import may_cancel, may_publish, may_run_again

MOVING = frozenset({SubmissionState.DRAFT, SubmissionState.CHECKING})


def whole(submission: Submission) -> WholeSubmission:
    """Return the answer about a submission that the caller may see."""
    with dependencies().unit_of_work() as uow:
        steps = uow.submissions.steps(submission.submission_id)
        name = submission.serving_name
        rounds = [] if name is None else uow.tasks.rounds_with(name)
    viewer = current_principal().person_id
    mine, decides = viewer == submission.submitted_by, decides_on(submission.task_slug)
    may_end = submission.state in SERVED and not rounds
    archive = submission.archive
    upload = UploadAnswer(
        size=archive.size, digest=archive.digest or None, part_bytes=archive.part_bytes, parts=archive.parts
    )
    return WholeSubmission(
        **submission_fields(submission, viewer),
        upload=upload,
        steps=[step_answer(record) for record in steps],
        scan=None if submission.scan is None else dict(submission.scan),
        card=card_answer(submission.card),
        webhook=submission.webhook_url if mine else None,
        in_the_loop=[
            LoopRoundAnswer(round_id=each.round_id, state=each.state, task=each.task_slug, number=each.number)
            for each in rounds
        ],
        may_cancel=mine and may_cancel(submission) and not rounds,
        may_retry=may_run_again(submission),
        may_decide=decides and submission.state is SubmissionState.WAITING,
        may_publish=mine and may_publish(submission),
        may_withdraw=mine and may_end,
        may_retire=decides and may_end,
        may_delete=(mine or decides) and may_delete(submission) and not rounds,
        retry_after_seconds=1 if submission.state in MOVING else 0,
    )
