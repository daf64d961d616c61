"""Checks of the bucket: an object can be written and read, pages may upload to it, and the clocks agree."""

from collections.abc import Iterator
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from functools import partial
from typing import Any
from uuid import uuid4

from botocore.exceptions import BotoCoreError, ClientError

from dynabench_operate.doctor.finding import Finding, failed, graded, guarded, ok, warning
from dynabench_operate.stores import Stores

CONTENT = b"written by dynabench-operate doctor; may be removed"
SKEW_WARN_SECONDS, SKEW_FAIL_SECONDS = 10.0, 600.0
"""S3 refuses signatures of clocks that differ from its own by 15 minutes; its clock has whole seconds."""
UNREACHABLE = (
    "See whether the store runs, whether address, bucket and keys are right, and whether these keys may list, read, "
    "write and remove objects there."
)
CORS = "Its CORS rule must allow PUT with Content-Type from the origin and expose ETag, as `prepare stores` sets it."


def findings(stores: Stores) -> Iterator[Finding]:
    """Yield the findings on the bucket."""
    errors = (BotoCoreError, ClientError, OSError, ValueError)
    yield from guarded(f"bucket {stores.objects.bucket}", partial(_bucket, stores), errors, UNREACHABLE)


def _bucket(stores: Stores) -> Iterator[Finding]:
    client, name = stores.objects.client(), stores.objects.bucket
    # First: some stores create a missing bucket at a write.
    client.list_objects_v2(Bucket=name, Prefix=stores.objects.key_prefix, MaxKeys=1)
    key = f"{stores.objects.key_prefix}doctor/{uuid4()}"
    answer = client.put_object(Bucket=name, Key=key, Body=CONTENT)
    try:
        if client.get_object(Bucket=name, Key=key)["Body"].read() != CONTENT:
            raise ValueError("an object came back changed")
    finally:
        client.delete_object(Bucket=name, Key=key)
    yield ok(f"bucket {name}", "an object was written, read and removed")
    yield _clock(name, answer)
    yield _cors(stores, client)


def _clock(name: str, answer: Any) -> Finding:
    check, date = f"bucket {name}: clock", answer["ResponseMetadata"]["HTTPHeaders"].get("date")
    if date is None:
        return warning(check, "the store does not tell the time", "Compare its clock with this one by hand.")
    skew = abs((parsedate_to_datetime(date) - datetime.now(UTC)).total_seconds())
    return graded(
        check,
        skew,
        f"{skew:.0f} s from the clock here",
        "Let both machines take their time from one source (NTP): the store refuses what is signed at another time.",
        warn=SKEW_WARN_SECONDS,
        fail=SKEW_FAIL_SECONDS,
    )


def _cors(stores: Stores, client: Any) -> Finding:
    check = f"bucket {stores.objects.bucket}: CORS"
    if not stores.public_url:
        return warning(
            check, "not looked at, since PUBLIC_URL is not set", "Set it to the origin that browsers use."
        )
    try:
        rules = client.get_bucket_cors(Bucket=stores.objects.bucket)["CORSRules"]
    except ClientError as err:
        if err.response["Error"]["Code"] == "NoSuchCORSConfiguration":
            return failed(check, "there is no rule: browsers can't upload", CORS)
        return warning(check, f"can't be read ({err.response['Error']['Code']})", CORS)
    return judged(check, rules, stores.public_url)


def judged(check: str, rules: list[dict[str, Any]], origin: str) -> Finding:
    """Return the finding on uploads in parts from an origin's pages, which must see each part's tag."""
    for rule in rules:
        headers = {header.lower() for header in rule.get("ExposeHeaders", ())}
        allowed = set(rule["AllowedOrigins"]) & {origin, "*"}
        if allowed and "PUT" in rule["AllowedMethods"] and "etag" in headers:
            return ok(check, f"{origin} may send")
    return failed(check, f"no rule lets {origin} PUT and see ETag: browsers can't upload", CORS)
