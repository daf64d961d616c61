"""Typed settings of the agent; the only module that reads the environment."""

from pathlib import Path

from dynabench_common.settings import CallingSettings, ObjectSettings, ServiceSettings
from pydantic import Field


class AgentSettings(ServiceSettings, CallingSettings, ObjectSettings):
    """Settings of `model-agent http`."""

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
