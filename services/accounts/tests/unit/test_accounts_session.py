"""Rotation of refresh tokens, and detection of reused ones."""

from datetime import UTC, datetime, timedelta
from uuid import UUID

import pytest
from accounts.adapters.access_tokens import KeyedRefreshSecrets
from accounts.domain.opaque import digest, new_secret
from accounts.domain.session import GRACE, LIFETIME, Presentation, RefreshToken, Session, start
from joserfc.jwk import OKPKey

NOW = datetime(2026, 1, 5, 12, 0, tzinfo=UTC)
SESSION_ID, PERSON_ID = UUID(int=1), UUID(int=2)


def new_session() -> tuple[Session, RefreshToken]:
    return start(SESSION_ID, PERSON_ID, NOW), RefreshToken(b"first", SESSION_ID, NOW)


@pytest.mark.parametrize(
    ("seconds_since_replaced", "outcome"),
    [
        (None, Presentation.ROTATED),
        (0, Presentation.REPEATED),
        (30, Presentation.REPEATED),
        (30.001, Presentation.REUSED),
        (86_400, Presentation.REUSED),
    ],
)
def test_a_replaced_token_is_forgiven_for_thirty_seconds(
    seconds_since_replaced: float | None, outcome: Presentation
) -> None:
    session, token = new_session()
    moment = NOW + timedelta(days=2)
    if seconds_since_replaced is not None:
        token.replaced_at = moment - timedelta(seconds=seconds_since_replaced)
    assert session.present(token, moment) is outcome


def test_rotation_is_remembered_from_the_first_presentation_on() -> None:
    session, token = new_session()
    session.present(token, NOW)
    session.present(token, NOW + GRACE)
    assert token.replaced_at == NOW


def test_reuse_ends_the_session_for_every_token_of_it() -> None:
    session, token = new_session()
    session.present(token, NOW)
    assert session.present(token, NOW + GRACE + timedelta(seconds=1)) is Presentation.REUSED
    successor = RefreshToken(b"second", SESSION_ID, NOW)
    assert session.present(successor, NOW + GRACE + timedelta(seconds=2)) is Presentation.ENDED


def test_a_session_ends_by_sign_out_and_by_age() -> None:
    session, token = new_session()
    assert session.present(token, NOW + LIFETIME) is Presentation.ENDED
    session.end(NOW)
    assert session.present(token, NOW) is Presentation.ENDED
    session.end(NOW + timedelta(days=1))
    assert session.ended_at == NOW


def test_a_successor_is_always_the_same_and_follows_from_the_key() -> None:
    keys = [OKPKey.generate_key("Ed25519") for _ in range(2)]
    ours, theirs = (KeyedRefreshSecrets([key]) for key in keys)
    first = ours.first()
    [successor] = ours.successors(first)
    assert ours.successors(first) == [successor]
    assert theirs.successors(first) != [successor]
    assert len({first, successor, *ours.successors(successor)}) == 3
    assert KeyedRefreshSecrets(keys).successors(first) == [successor, *theirs.successors(first)]


def test_opaque_tokens_are_long_random_and_kept_as_digests() -> None:
    one, other = new_secret("dbt_"), new_secret("dbt_")
    assert one != other
    assert one.startswith("dbt_")
    assert len(one) == 47
    assert len(digest(one)) == 32
    assert digest(one) == digest(one) != digest(other)
