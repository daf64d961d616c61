"""Typed settings of the registry; the only module that reads the environment."""

from pathlib import Path

from dynabench_common.settings import ServiceSettings
from pydantic import Field


class RegistrySettings(ServiceSettings):
    """What the registry needs."""

    torchserve_management_url: str = Field(description="Address of TorchServe's management interface")
    torchserve_inference_url: str = Field(description="Address of TorchServe's inference interface")
    torchserve_key_file: Path = Field(description="key_file.json that TorchServe writes when it starts")
    models_file: Path = Field(description="models.yaml: what is to be served")
    model_store: Path = Field(description="Folder of archives that TorchServe sees, with their notes")
    start_timeout_seconds: float = Field(
        default=120.0, gt=0, description="Longest start of a model's workers"
    )
    pass_seconds: float = Field(
        default=2.0, gt=0, description="Pause between passes when all is as it should be"
    )
    busy_pass_seconds: float = Field(
        default=1.0, gt=0, description="Pause between passes while something differs"
    )
