"""Commands about API tokens."""

from dataclasses import dataclass
from uuid import UUID

from dynabench_common.identifiers import new_id

from accounts.domain.api_token import MOST_PER_PERSON, ApiToken, token_name
from accounts.domain.errors import AccountDisabled, ApiTokenRefused, TooManyApiTokens
from accounts.domain.opaque import API_PREFIX, digest, new_secret
from accounts.domain.person import Person
from accounts.service_layer.dependencies import Dependencies, HttpDependencies


@dataclass(frozen=True)
class Exchanged:
    """A person with a fresh access token."""

    person: Person
    access_token: str
    expires_in: int


def create_api_token(person_id: UUID, name: str, app: Dependencies) -> tuple[ApiToken, str]:
    """Return a new token and its text, which is shown only now.

    Raises FieldRefused, TooManyApiTokens, AccountNeeded.
    """
    secret = new_secret(API_PREFIX)
    token = ApiToken(new_id(), person_id, token_name(name), digest(secret), app.clock.now())
    with app.unit_of_work() as uow:
        uow.people.lock(person_id).ensure_has_account()
        if uow.api_tokens.count_live(person_id) >= MOST_PER_PERSON:
            raise TooManyApiTokens(MOST_PER_PERSON)
        uow.api_tokens.add(token)
        uow.commit()
    return token, secret


def revoke_api_token(person_id: UUID, token_id: UUID, app: Dependencies) -> None:
    """End a token of the person. Raises ApiTokenNotFound."""
    with app.unit_of_work() as uow:
        token = uow.api_tokens.get(token_id, person_id)
        token.revoke(app.clock.now())
        uow.api_tokens.save(token)
        uow.commit()


def exchange_api_token(secret: str, app: HttpDependencies) -> Exchanged:
    """Return an access token for an API token. Raises ApiTokenRefused, AccountDisabled."""
    now = app.clock.now()
    with app.unit_of_work() as uow:
        token = uow.api_tokens.find_by_digest(digest(secret))
        if token is None or not token.is_live:
            raise ApiTokenRefused
        person = uow.people.get(token.person_id)
        if person.disabled:
            raise AccountDisabled(person.disabled.reason)
        if token.note_use(now):
            uow.api_tokens.save(token)
        uow.commit()
    return Exchanged(
        person, app.access_tokens.issue(person, token.token_id, now), app.access_tokens.lifetime_seconds
    )
