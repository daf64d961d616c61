"""A person tells other services what changes, once, and never a name."""

from datetime import UTC, datetime, timedelta
from uuid import UUID

import pytest
from accounts.domain.api_token import ApiToken, token_name
from accounts.domain.errors import FieldRefused
from accounts.domain.person import Person, register
from dynabench.person.v1 import person_pb2
from dynabench_common.events.outbox import outbox_message
from dynabench_events import Versioned
from dynabench_events.person import PersonRegistered, PersonRolesChanged

NOW = datetime(2026, 1, 5, 12, 0, tzinfo=UTC)
PERSON_ID = UUID(int=7)


def ada() -> Person:
    return register(
        PERSON_ID, user_name="Ada", email="ada@example.org", password_hash="x", now=NOW, cohort="expert"
    )


def test_a_new_person_is_an_annotator_and_says_so() -> None:
    person = ada()
    registered = PersonRegistered(
        person_id=PERSON_ID, cohort="expert", roles=("annotator",), registered_at=NOW
    )
    assert person.take_unsaved() == [Versioned(1, registered)]
    assert person.take_unsaved() == []


def test_granting_other_roles_is_one_event_with_the_next_version() -> None:
    person = ada()
    person.take_unsaved()
    later = NOW + timedelta(hours=1)
    person.grant(["owner:sentiment"], later)
    changed = PersonRolesChanged(
        person_id=PERSON_ID, roles=("annotator", "owner:sentiment"), changed_at=later
    )
    assert person.take_unsaved() == [Versioned(2, changed)]
    person.grant(["owner:sentiment", "annotator"], later)
    assert person.take_unsaved() == []
    assert person.version == 2


def test_an_event_on_the_wire_holds_the_pseudonym_and_nothing_else_that_names() -> None:
    (event,) = ada().take_unsaved()
    message = outbox_message(event)
    decoded = person_pb2.PersonRegistered.FromString(message.payload)
    assert (decoded.person_id, decoded.cohort, list(decoded.roles)) == (
        str(PERSON_ID),
        "expert",
        ["annotator"],
    )
    assert decoded.registered_at.ToDatetime(UTC) == NOW
    assert b"ada" not in message.payload
    assert (message.topic, message.aggregate_id, message.aggregate_version) == (
        "dynabench.person.v1",
        PERSON_ID,
        1,
    )


def test_the_last_use_of_an_api_token_is_kept_to_the_minute() -> None:
    token = ApiToken(UUID(int=1), PERSON_ID, "laptop", b"", NOW)
    assert token.note_use(NOW)
    assert not token.note_use(NOW + timedelta(seconds=59))
    assert token.last_used_at == NOW
    assert token.note_use(NOW + timedelta(seconds=60))


def test_a_revoked_api_token_stays_revoked_from_the_first_time_on() -> None:
    token = ApiToken(UUID(int=1), PERSON_ID, "laptop", b"", NOW)
    assert token.is_live
    token.revoke(NOW)
    token.revoke(NOW + timedelta(days=1))
    assert token.revoked_at == NOW
    assert not token.is_live


@pytest.mark.parametrize("given", ["", "  ", "x" * 81, "line\nbreak", "bell\a"])
def test_an_api_token_needs_a_printable_name(given: str) -> None:
    with pytest.raises(FieldRefused):
        token_name(given)
    assert token_name(" my laptop ") == "my laptop"
