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

    agent_url: str = Field(description="Address of the agent beside the model servers")
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
        description="How long a target of an open round may not answer until annotation is told",
    )
    log_level: str = Field(default="INFO", description="Lowest level of log lines written")


class AgentSettings(ServiceSettings, CallingSettings, ObjectSettings):
    """Settings of `registry agent`."""

    torchserve_management_url: str = Field(description="Address of TorchServe's management interface")
    torchserve_inference_url: str = Field(description="Address of TorchServe's inference interface")
    torchserve_key_file: Path = Field(description="key_file.json that TorchServe writes when it starts")
    model_store: Path = Field(description="Folder of archives that TorchServe sees, with their notes")
    store_bytes: int = Field(
        default=50_000_000_000, ge=1, description="What archives fetched into the store may take together"
    )
    serving_python: Path = Field(description="Interpreter of the serving environment, which packages models")
    packaging_sources: str = Field(
        description="Folders, with colons, that hold model_archives and what it imports"
    )
    build_folder: Path = Field(description="Scratch folder of builds")
    sandbox_folder: Path | None = Field(
        default=None, description="Folder of the sandboxes' sockets and logs; without it none are made"
    )
    sandbox_control_group: Path | None = Field(
        default=None,
        description="Folder of control groups version 2 that sandboxes may use; else one is looked for",
    )
    sandbox_pod_file: Path | None = Field(
        default=None,
        description="Template of a sandbox's pod as JSON; with it sandboxes are pods of this cluster",
    )
    sandbox_disk_bytes: int = Field(
        default=768 * 1_048_576, ge=1_048_576, description="What files in a sandbox may take, in memory"
    )
    pod_ip: str | None = Field(default=None, description="Own address, which no sandbox's pod may reach")
    kubernetes_service_host: str | None = Field(
        default=None,
        description="The cluster's own interface, which no sandbox's pod may reach; clusters set it",
    )
    kubernetes_service_port: int = Field(default=443, description="Its port")
    sandboxes: int = Field(default=4, ge=1, le=64, description="Sandboxes that run at once")
    java_home: Path | None = Field(default=None, description="Java runtime of the sandboxes' TorchServe")
    build_seconds: float = Field(default=1_200.0, gt=0, description="Longest build of an archive")
    builds: int = Field(default=2, ge=1, le=16, description="Archives that are built at once")
    build_memory_bytes: int = Field(
        default=16_000_000_000, ge=1, description="Address space that a build may take"
    )
    build_file_bytes: int = Field(
        default=20_000_000_000, ge=1, description="Largest file that a build may write"
    )
    largest_archive_bytes: int = Field(
        default=10_000_000_000, ge=1, description="Largest archive that may be submitted"
    )
