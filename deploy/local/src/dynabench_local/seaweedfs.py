"""S3 from SeaweedFS's single binary. Ready means that an object can be written and read back."""

import os
from functools import partial

import boto3
from botocore.config import Config
from botocore.exceptions import BotoCoreError, ClientError

from dynabench_local.layout import Layout
from dynabench_local.part import Part

BUCKET = "dynabench"


def endpoint_url(layout: Layout) -> str:
    """Return where S3 is."""
    return os.environ.get("S3_ENDPOINT_URL") or layout.url("s3")


def credentials(secrets: dict[str, str]) -> dict[str, str]:
    """Return the keys as the AWS libraries read them from the environment."""
    if os.environ.get("S3_ENDPOINT_URL"):
        return {name: os.environ[name] for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY")}
    return {
        "AWS_ACCESS_KEY_ID": secrets["s3_access_key"],
        "AWS_SECRET_ACCESS_KEY": secrets["s3_secret_key"],
    }


def part(layout: Layout, secrets: dict[str, str]) -> Part:
    """Return SeaweedFS as a part of the stack."""
    folder = layout.home / "seaweedfs"
    ports = {
        "s3.port": "s3",
        "s3.port.grpc": "s3_grpc",
        "master.port": "weed_master",
        "master.port.grpc": "weed_master_grpc",
        "volume.port": "weed_volume",
        "volume.port.grpc": "weed_volume_grpc",
        "filer.port": "weed_filer",
        "filer.port.grpc": "weed_filer_grpc",
    }
    switches = [
        "-s3.port.iceberg=0",
        "-s3.port.lance=0",
        "-webdav=false",
        "-admin.ui=false",
        "-master.telemetry=false",
    ]
    command = [
        str(layout.scripts / "weed"),
        "mini",
        "-ip=127.0.0.1",
        "-ip.bind=127.0.0.1",
        f"-dir={folder / 'data'}",
    ]
    command += [f"-{option}={layout.port(name)}" for option, name in ports.items()]
    return Part(
        name="seaweedfs",
        command=(*command, *switches),
        directory=folder,
        environment=credentials(secrets),
        prepare=lambda: (folder / "data").mkdir(parents=True, exist_ok=True),
        is_ready=partial(can_write_and_read, endpoint_url(layout), credentials(secrets)),
        remedy="Read its log, or set S3_ENDPOINT_URL to a store of your own.",
    )


def can_write_and_read(url: str, keys: dict[str, str]) -> bool:
    """Tell whether an object survives a round trip; makes the bucket if it isn't there."""
    try:
        write_and_read(url, keys)
    except (BotoCoreError, ClientError):
        return False
    return True


def write_and_read(url: str, keys: dict[str, str]) -> None:
    """Send an object there and back, in a bucket made if it isn't there. Raises what boto3 raises."""
    client = boto3.client(
        "s3",
        endpoint_url=url,
        region_name="us-east-1",
        aws_access_key_id=keys["AWS_ACCESS_KEY_ID"],
        aws_secret_access_key=keys["AWS_SECRET_ACCESS_KEY"],
        config=Config(connect_timeout=1, read_timeout=3, retries={"total_max_attempts": 1}),
    )
    _ensure_bucket(client)
    client.put_object(Bucket=BUCKET, Key="health", Body=b"alive")
    client.get_object(Bucket=BUCKET, Key="health")["Body"].read()


def _ensure_bucket(client: object) -> None:
    try:
        client.create_bucket(Bucket=BUCKET)  # type: ignore[attr-defined]
    except ClientError as err:
        if err.response["Error"]["Code"] not in {"BucketAlreadyOwnedByYou", "BucketAlreadyExists"}:
            raise
