"""Starter models: a weak opponent for the labels of a task, made of a few examples and submitted as any model is."""

import tempfile
from dataclasses import dataclass
from pathlib import Path
from uuid import UUID

from dynabench_archives.digests import file_digest
from dynabench_archives.packing import PackingRefused
from dynabench_archives.starter import Starter, StarterExample, fitting_type, starter_problem, write_starter
from dynabench_tasks.configuration.published import read_published

from registry.domain.card import Card
from registry.domain.errors import StarterRefused
from registry.domain.submission import Submission, SubmissionState
from registry.service_layer.dependencies import HttpDependencies
from registry.service_layer.submission_acts import write_card
from registry.service_layer.uploading import BeginSubmission, begin, complete

CARD = """A **starter model** of the platform: weak on purpose, as a first opponent for the labels of this task.

It is a linear layer over the sentence encoder all-MiniLM-L6-v2, fitted to {examples} examples of the task's owner
{also}. It has no measured scores. Do not use it outside of rounds.
"""
ENCODER_PARAMETERS = 22_700_000


@dataclass(frozen=True)
class MakeStarter:
    """The request of a task's owner for a starter model."""

    person_id: UUID
    task: str
    model: str
    examples: tuple[StarterExample, ...]


def make_starter(wish: MakeStarter, app: HttpDependencies) -> Submission:
    """Submit a starter model with its card; a repeat with the same examples changes nothing.

    Raises StarterRefused, and the errors of `begin` and `complete`.
    """
    starter, languages = _starter(wish, app)
    with tempfile.TemporaryDirectory(prefix="dynabench-starter-") as folder:
        path = Path(folder) / f"{wish.model}.mar"
        try:
            packed = write_starter(path, wish.model, starter)
        except PackingRefused as err:
            raise StarterRefused(str(err)) from err
        content, digest = path.read_bytes(), file_digest(path)
    submit = BeginSubmission(wish.person_id, wish.task, wish.model, path.name, packed.size, digest, None)
    submission = begin(submit, app).submission
    if submission.state is not SubmissionState.DRAFT:
        return submission
    app.objects.put_part(submission.archive.key, submission.archive.upload_id, 1, content)
    submission = write_card(submission.submission_id, _card(starter, languages), app)
    return complete(submission, app)


def _starter(wish: MakeStarter, app: HttpDependencies) -> tuple[Starter, tuple[str, ...]]:
    """Return the starter and the languages of its task."""
    with app.unit_of_work() as uow:
        read = read_published(uow.tasks.configuration(wish.task))
    fields, answered_by = tuple(read.instance_fields), tuple(read.claimed_field.answered_by)
    starter = Starter(fitting_type(answered_by, fields), fields, tuple(read.labels), wish.examples)
    problem = starter_problem(starter)
    if problem is not None:
        raise StarterRefused(problem)
    return starter, tuple(read.languages)


def _card(starter: Starter, languages: tuple[str, ...]) -> Card:
    also = "and to the names of the labels" if len(starter.fields) == 1 else "in pairs of texts"
    return Card(
        text=CARD.format(examples=len(starter.examples), also=also),
        licence="Apache-2.0",
        contact="the task's owner",
        languages=languages,
        parameters=ENCODER_PARAMETERS,
    )
