"""S3 from SeaweedFS's single binary. Ready means that an object can be written and read back.

S3 asks for its keys. The ports behind it (master, volume, filer, admin, and the gRPC of each) have no keys. They use
TLS and accept only the store's own certificate, which nobody else has (0001-ports-of-the-local-stack.md).
"""

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import boto3
from botocore.config import Config
from botocore.exceptions import BotoCoreError, ClientError

from dynabench_local import certificates
from dynabench_local.layout import Layout
from dynabench_local.part import Part

BUCKET = "dynabench"
GRPC = ("master", "volume", "filer", "s3", "admin", "worker", "client")
HTTPS = ("master", "volume", "filer", "admin")


def endpoint_url(layout: Layout) -> str:
    """Return the address of S3."""
    return os.environ.get("S3_ENDPOINT_URL") or layout.url("s3")


def public_endpoint_url(layout: Layout) -> str:
    """Return the address by which browsers reach S3."""
    return os.environ.get("S3_PUBLIC_ENDPOINT_URL") or endpoint_url(layout)


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
    folder = layout.object_store.parent
    ports = {
        "s3.port": "s3",
        "s3.port.grpc": "s3_grpc",
        "master.port": "weed_master",
        "master.port.grpc": "weed_master_grpc",
        "volume.port": "weed_volume",
        "volume.port.grpc": "weed_volume_grpc",
        "filer.port": "weed_filer",
        "filer.port.grpc": "weed_filer_grpc",
        "admin.port": "weed_admin",
        "admin.port.grpc": "weed_admin_grpc",
    }
    switches = [
        "-s3.port.iceberg=0",
        "-s3.port.lance=0",
        "-webdav=false",
        "-admin.ui=false",
        "-master.telemetry=false",
        f"-s3.allowedOrigins={','.join(layout.origins)}",
        f"-filer.allowedOrigins={','.join(layout.origins)}",
        f"-s3.localSocket={folder / 's3.sock'}",
        f"-filer.localSocket={folder / 'filer.sock'}",
        f"-s3.localFilerSocket={folder / 'filer.sock'}",
    ]
    command = [
        str(layout.scripts / "weed"),
        "mini",
        "-ip=127.0.0.1",
        "-ip.bind=127.0.0.1",
        f"-dir={layout.object_store}",
    ]
    command += [f"-{option}={layout.port(name)}" for option, name in ports.items()]
    return Part(
        name="seaweedfs",
        command=(*command, *switches),
        directory=folder,
        environment=credentials(secrets),
        prepare=partial(_prepare, folder),
        is_ready=partial(can_write_and_read, layout, credentials(secrets)),
        remedy="Read its log, or set S3_ENDPOINT_URL to a store of your own.",
    )


def _prepare(folder: Path) -> None:
    (folder / "data").mkdir(parents=True, exist_ok=True)
    folder.chmod(0o700)
    certificates.write_certificates(folder / "certificates", "seaweedfs")
    (folder / "security.toml").write_text(security(folder / "certificates"))


def security(folder: Path) -> str:
    """Return SeaweedFS's `security.toml`: every port but S3's takes the certificate in `folder` and no other."""
    authority, certificate, key = (
        f'"{folder / name}"' for name in (certificates.AUTHORITY, certificates.CERTIFICATE, certificates.KEY)
    )
    pair = f"cert = {certificate}\nkey = {key}\n"
    sections = [f"[grpc]\nca = {authority}\n"]
    sections += [f"[grpc.{name}]\n{pair}" for name in GRPC]
    sections += [f"[https.{name}]\n{pair}ca = {authority}\n" for name in HTTPS]
    sections.append(f"[https.client]\nenabled = true\n{pair}ca = {authority}\n")
    return "\n".join(sections)


def can_write_and_read(layout: Layout, keys: dict[str, str]) -> bool:
    """Return whether an object survives a round trip; creates the bucket."""
    try:
        write_and_read(layout, keys)
    except (BotoCoreError, ClientError):
        return False
    return True


def write_and_read(layout: Layout, keys: dict[str, str]) -> None:
    """Write an object and read it back, in the bucket with the services' settings. Raises boto3's errors."""
    client: Any = boto3.client(
        "s3",
        endpoint_url=endpoint_url(layout),
        region_name="us-east-1",
        aws_access_key_id=keys["AWS_ACCESS_KEY_ID"],
        aws_secret_access_key=keys["AWS_SECRET_ACCESS_KEY"],
        config=Config(connect_timeout=1, read_timeout=3, retries={"total_max_attempts": 1}),
    )
    ensure_bucket(client, layout.origins)
    client.put_object(Bucket=BUCKET, Key="health", Body=b"alive")
    client.get_object(Bucket=BUCKET, Key="health")["Body"].read()


def ensure_bucket(client: Any, origins: Sequence[str], bucket: str = BUCKET) -> None:
    """Make the bucket, and allow uploads from pages of `origins` to signed addresses."""
    rule = {
        "AllowedOrigins": list(origins),
        "AllowedMethods": ["PUT"],
        "AllowedHeaders": ["content-type"],
        "ExposeHeaders": ["ETag"],
        "MaxAgeSeconds": 600,
    }
    with _unless({"BucketAlreadyOwnedByYou", "BucketAlreadyExists"}):
        client.create_bucket(Bucket=bucket)
    # Stores without rules for a bucket have global ones, which their operator sets.
    with _unless({"NotImplemented"}):
        client.put_bucket_cors(Bucket=bucket, CORSConfiguration={"CORSRules": [rule]})


@contextmanager
def _unless(codes: set[str]) -> Iterator[None]:
    try:
        yield
    except ClientError as err:
        if err.response["Error"]["Code"] not in codes:
            raise
