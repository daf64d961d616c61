"""Typed settings of the gateway; the only module that reads the environment."""

from pathlib import Path

from dynabench_common.settings import ServiceSettings
from pydantic import Field


class GatewaySettings(ServiceSettings):
    """What the gateway needs."""

    torchserve_inference_url: str = Field(description="Address of TorchServe's inference interface")
    torchserve_key_file: Path = Field(description="key_file.json that TorchServe writes when it starts")
    torchserve_connections: int = Field(default=64, ge=1, description="Connections kept open to TorchServe")
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
