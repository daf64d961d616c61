"""Settings of annotation; the only module that reads its environment."""

from dynabench_common.settings import (
    CallingSettings,
    DatabaseSettings,
    EventSettings,
    ObjectSettings,
    ReplicaSettings,
    ServiceSettings,
)
from pydantic import Field


class AnnotationSettings(
    ServiceSettings, CallingSettings, ReplicaSettings, DatabaseSettings, EventSettings, ObjectSettings
):
    """Settings of `annotation http` and `annotation worker`; `migrate` needs the database alone."""

    drain_seconds: int = Field(default=35, ge=1, description="Longer than the wait for an explanation")
    gateway_url: str = Field(description="Address of the gateway to the served models")
    leaderboard_url: str | None = Field(
        default=None,
        description="Address of the leaderboard; a worker without it drafts no round by itself",
    )
    prediction_deadline_seconds: float = Field(
        default=3.0, gt=0, le=30, description="Time that all targets of a try have together"
    )
    prediction_threads: int = Field(
        default=64, ge=1, description="Predictions under way at once, over all tries of a process"
    )
    inspection_timeout_seconds: float = Field(
        default=30.0, gt=0, le=120, description="Longest wait for an explanation"
    )
    passed_over_per_hour: int = Field(
        default=60, ge=1, description="Contexts that a person may leave without a try, in a round and an hour"
    )
    front_model: str = Field(
        default="", description="Served model that strangers may ask on the front page; none by default"
    )
    front_tries_of_address: int = Field(
        default=20, ge=1, description="Questions to that model from one address in ten minutes"
    )
    front_tries: int = Field(
        default=60, ge=1, description="Questions to that model from all addresses together in a minute"
    )
