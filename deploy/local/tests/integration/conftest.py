"""A test's own installation of stores, on shared servers."""

from collections.abc import Callable
from typing import Any
from uuid import uuid4

import pytest
from dynabench_operate.stores import SERVICES, ObjectStore, Stores


@pytest.fixture
def make_stores(infrastructure: Any) -> Callable[[], Stores]:
    """A maker of empty stores: databases and topics of their own, and a part of the bucket."""

    def make() -> Stores:
        prefix = f"operate-{uuid4().hex[:8]}."
        infrastructure.create_topics(prefix)
        store = ObjectStore(
            infrastructure.s3_bucket,
            infrastructure.s3_endpoint_url,
            key_prefix=f"{prefix}/",
            access_key_id=infrastructure.s3_access_key,
            secret_access_key=infrastructure.s3_secret_key,
        )
        databases = {service: infrastructure.create_database(service) for service in SERVICES}
        return Stores(
            databases,
            store,
            infrastructure.kafka_bootstrap_servers,
            topic_prefix=prefix,
            public_url=infrastructure.stack.layout.public_url,
            running={service: infrastructure.create_running_role(url) for service, url in databases.items()},
        )

    return make


@pytest.fixture
def stores(make_stores: Callable[[], Stores]) -> Stores:
    """Empty stores."""
    return make_stores()
