"""Docker Compose prepares the stores for every service with a database."""

import pytest
import yaml
from dynabench_local.layout import checkout
from dynabench_local.postgres import OWNERS


@pytest.mark.parametrize("service", OWNERS)
def test_the_stores_are_prepared_for_every_service_with_a_database(service: str) -> None:
    compose = yaml.safe_load((checkout() / "deploy" / "compose" / "compose.yaml").read_text())
    given = compose["services"]["stores"]["environment"]
    for kind in ("DATABASE", "DATABASE_APP", "KAFKA"):
        assert f"{service.upper()}_{kind}_PASSWORD" in given
