"""Settings of scoring; the only module that reads its environment."""

from dynabench_common.settings import DatabaseSettings, EventSettings, ServiceSettings
from pydantic import Field
from pydantic_settings import BaseSettings


class ObjectSettings(BaseSettings):
    """Where the files of datasets lie: any S3."""

    s3_endpoint_url: str | None = Field(default=None, description="Address of S3; without it, the one of AWS")
    s3_public_endpoint_url: str | None = Field(
        default=None, description="Address by which readers reach S3; without it, S3_ENDPOINT_URL"
    )
    s3_region: str = Field(default="us-east-1", description="Region that requests are signed for")
    s3_bucket: str = Field(default="dynabench", description="Bucket, which must exist")
    s3_key_prefix: str = Field(default="", description="Put before each key, to share a bucket")
    aws_access_key_id: str | None = Field(
        default=None, description="Key of S3; without it, what the machine's role gives"
    )
    aws_secret_access_key: str | None = Field(default=None, description="Secret of that key")


class HttpSettings(ServiceSettings, DatabaseSettings, ObjectSettings):
    """What `scoring http` needs: the database, and S3 to sign addresses."""


class WorkerSettings(DatabaseSettings, EventSettings, ObjectSettings):
    """What `scoring worker` needs; `migrate` needs the database alone, `rebuild` the log too."""

    log_level: str = Field(default="INFO", description="Lowest level of log lines written")
