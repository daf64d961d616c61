"""Leases on real PostgreSQL: granted, renewed, found, counted and given back."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest
from dynabench_common.database.connections import create_database_engine, new_metadata
from dynabench_common.identifiers import new_id
from dynabench_common.work import leases
from sqlalchemy import Connection, Engine

from conftest import Infrastructure

LEASES = leases.lease_table(new_metadata())
NOW = datetime(2026, 1, 5, 12, 0, tzinfo=UTC)
RESOURCE = new_id()


def after(seconds: float) -> datetime:
    return NOW + timedelta(seconds=seconds)


@pytest.fixture(scope="module")
def database(infrastructure: Infrastructure) -> Iterator[Engine]:
    engine = create_database_engine(infrastructure.create_database("leases"), "test")
    with engine.begin() as connection:
        LEASES.create(connection)
    yield engine
    engine.dispose()


@pytest.fixture
def connection(database: Engine) -> Iterator[Connection]:
    with database.connect() as connection:
        yield connection


def grant(connection: Connection, seconds: float = 300) -> leases.Lease:
    return leases.grant(connection, LEASES, RESOURCE, new_id(), NOW, seconds)


def test_a_renewed_lease_lasts_from_the_renewal_on_and_keeps_its_beginning(connection: Connection) -> None:
    lease = grant(connection)
    renewed = leases.renew(connection, LEASES, lease.lease_id, after(200), 300)
    assert renewed is not None
    assert (renewed.granted_at, renewed.expires_at) == (NOW, after(500))
    assert leases.find(connection, LEASES, lease.lease_id) == renewed
    assert leases.count_live(connection, LEASES, RESOURCE, after(400)) == 1


def test_an_expired_lease_lives_again_once_renewed(connection: Connection) -> None:
    lease = grant(connection)
    assert leases.find_live_of_holder(connection, LEASES, lease.holder_id, after(301)) == []
    renewed = leases.renew(connection, LEASES, lease.lease_id, after(301), 300)
    assert leases.find_live_of_holder(connection, LEASES, lease.holder_id, after(301)) == [renewed]


def test_renewing_never_cuts_a_lease_short(connection: Connection) -> None:
    lease = grant(connection, seconds=900)
    renewed = leases.renew(connection, LEASES, lease.lease_id, after(10), 60)
    assert renewed is not None
    assert renewed.expires_at == lease.expires_at


def test_renewing_touches_no_other_lease(connection: Connection) -> None:
    other, lease = grant(connection), grant(connection)
    leases.renew(connection, LEASES, lease.lease_id, after(200), 300)
    assert leases.find(connection, LEASES, other.lease_id) == other


def test_a_lease_that_was_given_back_is_not_renewed(connection: Connection) -> None:
    lease = grant(connection)
    assert leases.release(connection, LEASES, lease.lease_id)
    assert leases.renew(connection, LEASES, lease.lease_id, NOW, 300) is None
    assert leases.find(connection, LEASES, lease.lease_id) is None
