"""Settings of scoring; the only module that reads its environment."""

from dynabench_common.settings import (
    CallingSettings,
    DatabaseSettings,
    EventSettings,
    ObjectSettings,
    ServiceSettings,
)
from pydantic import Field


class HttpSettings(ServiceSettings, CallingSettings, DatabaseSettings, ObjectSettings):
    """Settings of `scoring http`: the database, and S3 to sign addresses."""

    drain_seconds: int = Field(default=50, ge=1, description="Longer than the wait for an explanation")
    gateway_url: str = Field(
        default="",
        description="The gateway, which explains answers on public examples; without it none is explained",
    )


class WorkerSettings(DatabaseSettings, EventSettings, ObjectSettings):
    """Settings of `scoring worker`; `migrate` needs the database alone, `rebuild` the log too."""

    gateway_url: str = Field(
        default="",
        description="The gateway, which asks targets again at a release; without it nothing is tried again",
    )
    annotation_url: str = Field(
        default="",
        description="Annotation, which gives the pictures of a release; without it a release with pictures fails",
    )
    service_token: str = Field(default="", description="The service's own token, for the gateway")
    log_level: str = Field(default="INFO", description="Lowest level of log lines written")


class EvaluatorSettings(CallingSettings, DatabaseSettings, ObjectSettings):
    """Settings of `scoring evaluator`: the database, S3, and the gateway, which it calls as a service."""

    gateway_url: str = Field(description="Address of the gateway")
    evaluation_threads: int = Field(
        default=2, ge=1, le=32, description="How many shards a process answers at a time"
    )
    log_level: str = Field(default="INFO", description="Lowest level of log lines written")
