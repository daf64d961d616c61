"""Paths, bodies and answers about validators."""

from typing import Literal
from uuid import UUID

from dynabench_api.validators import PauseAppealAnswer
from dynabench_common.http.schemas import Input
from pydantic import BaseModel, Field

from validation.domain.validators import Validator, ValidatorState
from validation.entrypoints.http.decision_schemas import Reason
from validation.entrypoints.http.gold_schemas import TaskPath


class ValidatorPath(TaskPath):
    """A validator of a task in an address."""

    voter_id: UUID


class PersonPath(BaseModel):
    """A person in an address."""

    person_id: UUID


class PauseAppealBody(Input):
    """A paused person's appeal."""

    reason: Reason = Field(description="Reason for the task's owner")


class ValidatorBody(Input):
    """An owner's decision about a validator."""

    state: Literal[ValidatorState.ACTIVE, ValidatorState.PAUSED] = Field(
        description="`active` reinstates the validator and clears earlier failures. `paused` pauses, or confirms "
        "a pause"
    )
    reason: Reason = Field(description="Reason for the validator and the audit log")


def pause_appeal_answer(validator: Validator) -> PauseAppealAnswer:
    """Return the answer that tells of a validator."""
    appealed = validator.open_appeal
    appeal = {"reason": appealed.reason, "at": appealed.appealed_at} if appealed else None
    return PauseAppealAnswer(state=validator.state, appeal=appeal)
