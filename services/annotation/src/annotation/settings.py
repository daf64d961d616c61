"""Settings of annotation; the only module that reads its environment."""

from dynabench_common.settings import DatabaseSettings, EventSettings, ServiceSettings
from pydantic import Field
from pydantic_settings import BaseSettings


class ObjectSettings(BaseSettings):
    """Where the bytes of images lie: any S3."""

    s3_endpoint_url: str | None = Field(default=None, description="Address of S3; without it, the one of AWS")
    s3_public_endpoint_url: str | None = Field(
        default=None, description="Address by which browsers reach S3; without it, S3_ENDPOINT_URL"
    )
    s3_region: str = Field(default="us-east-1", description="Region that requests are signed for")
    s3_bucket: str = Field(default="dynabench", description="Bucket, which must exist")
    s3_key_prefix: str = Field(default="", description="Put before each key, to share a bucket")
    aws_access_key_id: str | None = Field(
        default=None, description="Key of S3; without it, what the machine's role gives"
    )
    aws_secret_access_key: str | None = Field(default=None, description="Secret of that key")


class AnnotationSettings(ServiceSettings, DatabaseSettings, EventSettings, ObjectSettings):
    """What `annotation http` and `annotation worker` need; `migrate` needs the database alone."""

    gateway_url: str = Field(description="Address of the gateway to the served models")
    prediction_deadline_seconds: float = Field(
        default=3.0, gt=0, le=30, description="Time that all targets of a try have together"
    )
    prediction_threads: int = Field(
        default=64, ge=1, description="Predictions under way at once, over all tries of a process"
    )
    inspection_timeout_seconds: float = Field(
        default=30.0, gt=0, le=120, description="Longest wait for an explanation"
    )
