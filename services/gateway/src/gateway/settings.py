"""Typed settings of the gateway; the only module that reads the environment."""

from enum import StrEnum
from pathlib import Path

from dynabench_common.settings import CallingSettings, ReplicaSettings, ServiceSettings
from pydantic import Field, ValidationInfo, field_validator

from gateway.domain.routes import share_of


class Runtime(StrEnum):
    """The runtime of a pool of models."""

    TORCHSERVE = "torchserve"
    OPEN_INFERENCE = "open-inference"


ADDRESSES = {Runtime.TORCHSERVE: "torchserve_", Runtime.OPEN_INFERENCE: "open_inference_"}
"""Setting prefixes of each runtime."""


class GatewaySettings(ServiceSettings, CallingSettings, ReplicaSettings):
    """Settings of the gateway."""

    drain_seconds: int = Field(
        default=65, ge=1, description="Longer than workers may be waited for and an explanation then take"
    )
    shared_pool_runtime: Runtime = Field(
        default=Runtime.TORCHSERVE, description="What serves the models that share a pool"
    )
    torchserve_inference_url: str | None = Field(
        default=None, validate_default=True, description="Address of TorchServe's inference interface"
    )
    torchserve_key_file: Path | None = Field(
        default=None, validate_default=True, description="key_file.json that TorchServe writes when it starts"
    )
    torchserve_connections: int = Field(
        default=64, ge=1, description="Connections kept open to the shared pool, whatever it runs on"
    )
    open_inference_url: str | None = Field(
        default=None, validate_default=True, description="Address of a server of the Open Inference Protocol"
    )
    open_inference_key_file: Path | None = Field(
        default=None, validate_default=True, description="File of its key, as TorchServe writes one"
    )
    registry_url: str = Field(description="Address of the registry, which knows the served models")
    annotation_url: str = Field(description="Address of annotation, which counts what people find out")
    routes_seconds: float = Field(default=1.0, gt=0, description="Pause between two looks at the registry")
    deadline_milliseconds: int = Field(default=10_000, ge=1, description="Longest wait for predictions")
    explain_deadline_milliseconds: int = Field(
        default=30_000, ge=1, description="Longest wait for explanations"
    )
    coalesce_instances: int = Field(default=16, ge=1, description="Most instances sent in one call")
    breaker_failures: int = Field(default=5, ge=1, description="Failed calls in a row that open the breaker")
    breaker_open_seconds: float = Field(default=3.0, gt=0, description="Pause before the breaker tries again")
    explanation_cache_entries: int = Field(
        default=5_000, ge=0, description="Explanations remembered, at most"
    )
    explanation_cache_bytes: int = Field(
        default=64_000_000, ge=0, description="Their size in memory, at most"
    )
    tokens_per_minute: int = Field(
        default=60_000, ge=1, description="What one person may ask: tokens, times the steps of explanations"
    )

    @property
    def sharers(self) -> int:
        """Return the number of processes that share the limits of models."""
        return self.http_processes * self.http_replicas

    @property
    def own_tokens_per_minute(self) -> int:
        """Return one person's quota at this gateway; its processes share it."""
        return share_of(self.tokens_per_minute, self.http_replicas)

    @field_validator(
        "torchserve_inference_url", "torchserve_key_file", "open_inference_url", "open_inference_key_file"
    )
    @classmethod
    def _is_given_for_the_runtime(cls, value: object, info: ValidationInfo) -> object:
        """Require the settings of the chosen runtime only."""
        runtime = info.data.get("shared_pool_runtime")
        if value is None and runtime and str(info.field_name).startswith(ADDRESSES[runtime]):
            raise ValueError(f"it is needed where SHARED_POOL_RUNTIME is {runtime.value}")
        return value

    @property
    def shared_pool(self) -> tuple[str, Path]:
        """Return the address of the shared pool and the file of its key."""
        by_runtime = {
            Runtime.TORCHSERVE: (self.torchserve_inference_url, self.torchserve_key_file),
            Runtime.OPEN_INFERENCE: (self.open_inference_url, self.open_inference_key_file),
        }
        url, key_file = by_runtime[self.shared_pool_runtime]
        assert url is not None and key_file is not None  # noqa: S101 (refused above)
        return url, key_file
