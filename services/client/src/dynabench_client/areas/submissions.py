"""Submitted models: sending archives, following their checks, cards, publication and the decisions of owners."""

from collections.abc import Iterable, Mapping

from dynabench_client.areas.dead_letters import DeadLettersClient
from dynabench_client.connection import given, segment
from dynabench_client.results.models import (
    CreatedSubmission,
    EntryText,
    PublishedModel,
    PublishedModels,
    SignedParts,
    SubmissionLog,
    Submissions,
    UploadState,
    WholeSubmission,
)


class SubmissionsClient(DeadLettersClient):
    """Client of the registry's submissions."""

    service = "registry"

    def submit(
        self,
        task: str,
        model: str,
        file_name: str,
        size: int,
        *,
        digest: str | None = None,
        webhook: str | None = None,
        signature: Mapping[str, str] | None = None,
    ) -> CreatedSubmission:
        """Begin the upload of an archive; the same bytes, or an unfinished upload, are recognised.

        `digest` is "sha256:…" of the file, `size` its bytes. `webhook` is called after each step.
        `signature` has `bundle`, the output of `dynabench models sign`, and `public_key` in PEM.
        """
        body = {"task": task, "model": model, "file_name": file_name, "size": size}
        return self._post(
            "/submissions",
            {**body, **given(digest=digest, webhook=webhook, signature=signature)},
            CreatedSubmission,
            idempotent=True,
        )

    def make_starter(
        self, task: str, model: str, examples: Iterable[Mapping[str, Iterable[str]]] = ()
    ) -> WholeSubmission:
        """Make and submit a weak model for the labels of a task that you own.

        Each example has `texts`, in the order of the model's fields, and `labels`.
        """
        given_examples = [{"texts": list(each["texts"]), "labels": list(each["labels"])} for each in examples]
        body = {"task": task, "model": model, "examples": given_examples}
        return self._post("/starter-models", body, WholeSubmission)

    def submissions(
        self,
        *,
        task: str | None = None,
        state: str | None = None,
        mine: bool = True,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> Submissions:
        """List your submissions, or with `mine` False those to a task that you own; newest first."""
        return self._get(
            "/submissions",
            Submissions,
            task=task,
            state=state,
            mine=None if mine else "false",
            limit=limit,
            cursor=cursor,
        )

    def submission(self, submission_id: str) -> WholeSubmission:
        """Return a submission with its steps."""
        return self._get(f"/submissions/{segment(submission_id)}", WholeSubmission)

    def upload_state(self, submission_id: str) -> UploadState:
        """Return which parts of an archive the store has."""
        return self._get(f"/submissions/{segment(submission_id)}/upload", UploadState)

    def sign_parts(self, submission_id: str, numbers: Iterable[int]) -> SignedParts:
        """Return where parts may be PUT; at most 100 at once."""
        path = f"/submissions/{segment(submission_id)}/upload/parts"
        return self._post(path, {"numbers": list(numbers)}, SignedParts, idempotent=True)

    def complete_upload(self, submission_id: str) -> WholeSubmission:
        """Say that all parts are sent: the checks begin."""
        path = f"/submissions/{segment(submission_id)}/upload/completion"
        return self._post(path, None, WholeSubmission, idempotent=True)

    def cancel_submission(self, submission_id: str) -> WholeSubmission:
        """End a submission before it is deployed; it does not count then."""
        path = f"/submissions/{segment(submission_id)}/cancellation"
        return self._post(path, None, WholeSubmission, idempotent=True)

    def run_step_again(self, submission_id: str, step: str) -> WholeSubmission:
        """Run a step and the later ones again."""
        path = f"/submissions/{segment(submission_id)}/steps/{segment(step)}/runs"
        return self._post(path, None, WholeSubmission)

    def submission_log(self, submission_id: str, *, after: int = 0, step: str | None = None) -> SubmissionLog:
        """Return lines of the log after one, the oldest first."""
        path = f"/submissions/{segment(submission_id)}/log"
        return self._get(path, SubmissionLog, after=after or None, step=step)

    def entry_text(self, submission_id: str, path: str) -> EntryText:
        """Return the text of an entry of the archive."""
        return self._get(f"/submissions/{segment(submission_id)}/entries/text", EntryText, path=path)

    def decide_on_submission(self, submission_id: str, *, approve: bool, reason: str) -> WholeSubmission:
        """Let an archive with code run in its sandbox, or decline it, as an owner of its task."""
        path = f"/submissions/{segment(submission_id)}/decision"
        return self._post(path, {"approve": approve, "reason": reason}, WholeSubmission)

    def write_card(
        self,
        submission_id: str,
        *,
        text: str = "",
        licence: str = "",
        contact: str = "",
        languages: Iterable[str] = (),
        parameters: int | None = None,
        trained_on: Iterable[str] = (),
        paper: str | None = None,
    ) -> WholeSubmission:
        """Write a model's card, in place of the one before; `trained_on` names dataset versions."""
        body = {
            "text": text,
            "licence": licence,
            "contact": contact,
            "languages": list(languages),
            "trained_on": list(trained_on),
        }
        path = f"/submissions/{segment(submission_id)}/card"
        return self._put(path, {**body, **given(parameters=parameters, paper=paper)}, WholeSubmission)

    def publish_model(self, submission_id: str, *, anonymous: bool = False) -> WholeSubmission:
        """Publish a deployed model, with your name or without it."""
        path = f"/submissions/{segment(submission_id)}/publication"
        return self._post(path, {"anonymous": anonymous}, WholeSubmission, idempotent=True)

    def withdraw_model(self, submission_id: str, reason: str = "") -> WholeSubmission:
        """Withdraw your model; its scores stay."""
        path = f"/submissions/{segment(submission_id)}/withdrawal"
        return self._post(path, {"reason": reason}, WholeSubmission, idempotent=True)

    def retire_model(self, submission_id: str, reason: str) -> WholeSubmission:
        """Take somebody's model away from a task that one owns; its scores stay."""
        path = f"/submissions/{segment(submission_id)}/retirement"
        return self._post(path, {"reason": reason}, WholeSubmission, idempotent=True)

    def delete_submission(self, submission_id: str, reason: str = "") -> WholeSubmission:
        """Delete your submission, or with a reason one to a task that you own; a tombstone and scores stay."""
        path = f"/submissions/{segment(submission_id)}/deletion"
        return self._post(path, {"reason": reason}, WholeSubmission, idempotent=True)

    def published_models(
        self, *, task: str | None = None, limit: int | None = None, cursor: str | None = None
    ) -> PublishedModels:
        """List published models, the newest first."""
        return self._get("/published-models", PublishedModels, task=task, limit=limit, cursor=cursor)

    def published_model(self, name: str) -> PublishedModel:
        """Return a published model; one that is only deployed is shown to its submitter and owners of its task."""
        return self._get(f"/published-models/{segment(name)}", PublishedModel)
