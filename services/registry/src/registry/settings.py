"""Typed settings of the registry; the only module that reads the environment."""

from pathlib import Path

from dynabench_common.settings import (
    CallingSettings,
    DatabaseSettings,
    EventSettings,
    ObjectSettings,
    ServiceSettings,
)
from pydantic import Field
from pydantic_settings import BaseSettings


class WebhookSettings(BaseSettings):
    """Allowed addresses of webhooks."""

    webhook_hosts: str = Field(
        default="",
        description="Hosts, with commas, that webhooks may call though they are private, also by plain http",
    )


class SubmissionSettings(WebhookSettings):
    """Requirements on submissions."""

    largest_archive_bytes: int = Field(
        default=10_000_000_000, ge=1, description="Largest archive that may be submitted"
    )
    submissions_per_day: int = Field(
        default=5, ge=1, description="Submissions of one person to one task in 24 hours that count"
    )


class ReconcilerSettings(BaseSettings):
    """Desired models, and the model servers that serve them."""

    agent_url: str = Field(description="Address of the model agent, which controls the model servers")
    models_file: Path = Field(description="models.yaml: what the installation serves by itself")
    start_timeout_seconds: float = Field(
        default=120.0, gt=0, description="Longest start of a model's workers"
    )
    pass_seconds: float = Field(
        default=2.0, gt=0, description="Pause between passes when all is as it should be"
    )
    busy_pass_seconds: float = Field(
        default=1.0, gt=0, description="Pause between passes while something differs"
    )
    most_loaded: int = Field(
        default=6, ge=1, description="Registrations of submitted models that may have workers at once"
    )
    sandboxes: int = Field(default=4, ge=1, le=64, description="Sandboxes that run at once, as the agent's")


class HttpSettings(ServiceSettings, CallingSettings, DatabaseSettings, ObjectSettings, SubmissionSettings):
    """Settings of `registry http`."""


class WorkerSettings(
    CallingSettings, DatabaseSettings, EventSettings, ObjectSettings, WebhookSettings, ReconcilerSettings
):
    """Settings of `registry worker`; `migrate` needs the database alone."""

    gateway_url: str = Field(description="The gateway, which smoke tests ask")
    checkers: int = Field(default=2, ge=1, le=32, description="Submissions checked at once")
    work_folder: Path | None = Field(
        default=None,
        description="Where archives lie while they are checked; without it, the temporary folder",
    )

    target_patience_seconds: float = Field(
        default=600.0,
        gt=0,
        description="How long a target of an open round may not answer until annotation is notified",
    )
    log_level: str = Field(default="INFO", description="Lowest level of log lines written")
