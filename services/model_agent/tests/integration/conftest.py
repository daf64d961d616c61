"""The object store, and who may call the agent."""

from uuid import uuid4

import pytest
from dynabench_common.settings import ObjectSettings
from dynabench_common.testing import Issuer

from conftest import Infrastructure


@pytest.fixture(scope="session")
def object_settings(infrastructure: Infrastructure) -> ObjectSettings:
    return ObjectSettings(
        s3_endpoint_url=infrastructure.s3_endpoint_url,
        s3_bucket=infrastructure.s3_bucket,
        s3_key_prefix=f"model-agent-{uuid4().hex[:8]}/",
        aws_access_key_id=infrastructure.s3_access_key,
        aws_secret_access_key=infrastructure.s3_secret_key,
    )


@pytest.fixture(scope="session")
def issuer() -> Issuer:
    return Issuer()
