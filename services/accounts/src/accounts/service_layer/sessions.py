"""Commands about sessions: sign-in, renewal, the end of one or more; sessions of people of campaigns."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from dynabench_common.identifiers import new_id

from accounts.adapters.unit_of_work import AccountsUnitOfWork
from accounts.domain import names
from accounts.domain.errors import (
    AccountDisabled,
    CodeNeeded,
    FieldRefused,
    RefreshTokenReused,
    SessionEnded,
    SignInStepEnded,
    TooManyFailures,
    WrongCredentials,
)
from accounts.domain.link import LinkKind, issue
from accounts.domain.opaque import digest
from accounts.domain.person import Person, register_of_campaign
from accounts.domain.session import Presentation, RefreshToken, Session, start
from accounts.domain.throttle import KNOWN_FOR, OF_ADDRESS, OF_NAME, known_at, name_at
from accounts.service_layer.dependencies import Dependencies, HttpDependencies
from accounts.service_layer.limits import count_try, limit_at
from accounts.service_layer.second_factor import use_code


@dataclass(frozen=True)
class SignIn:
    """Start a session with a password, from an address of the network."""

    user_name: str
    password: str
    address: str = "unknown"
    device: str = ""


@dataclass(frozen=True)
class FinishSignIn:
    """Start a session with a code of the second factor, after a first step."""

    challenge: str
    code: str
    device: str


@dataclass(frozen=True)
class AdmitToWork:
    """Start a session of a person of a campaign, which ends after so many minutes.

    The person becomes a member of the task, if one is named.
    """

    person_id: UUID
    minutes: int
    task_slug: str = ""


@dataclass(frozen=True)
class NewSession:
    """A session to be stored, with the text of its first token."""

    session: Session
    secret: str

    @classmethod
    def of(cls, person_id: UUID, device: str, app: HttpDependencies) -> "NewSession":
        """Return a session that starts now."""
        return cls(start(new_id(), person_id, app.clock.now(), device=device), app.refresh_secrets.first())


@dataclass(frozen=True)
class SignedIn:
    """A signed-in person with the browser's tokens."""

    person: Person
    access_token: str
    expires_in: int
    refresh_token: str
    refresh_expires_at: datetime


def sign_in(command: SignIn, app: HttpDependencies) -> SignedIn:
    """Start a session.

    The hash is checked with no transaction open, since it is slow by intention; the try is counted before, so
    that many at once are no way around the limit. Raises TooManyFailures, WrongCredentials, AccountDisabled,
    CodeNeeded for a person with a second factor.
    """
    user_name = _comparable(command.user_name)
    person = _candidate(user_name, command.address, app)
    stored = person.password_hash if person is not None and person.has_password else None
    if not app.passwords.verify(stored, command.password) or person is None:
        raise WrongCredentials
    return _start(person, command, app)


def finish_sign_in(command: FinishSignIn, app: HttpDependencies) -> SignedIn:
    """Start the session of a person with a second factor.

    Raises SignInStepEnded, AccountDisabled, SecondFactorOff, WrongCode, TooManyCodes.
    """
    with app.unit_of_work() as uow:
        person_id = _person_of_step(command.challenge, uow, app.clock.now())
    use_code(person_id, command.code, app)
    now, new = app.clock.now(), NewSession.of(person_id, command.device, app)
    with app.unit_of_work() as uow:
        person = uow.people.lock(person_id)
        _person_of_step(command.challenge, uow, now)
        if person.disabled:
            raise AccountDisabled(person.disabled.reason)
        uow.sessions.add(new.session, RefreshToken(digest(new.secret), new.session.session_id, now))
        uow.commit()
    return _signed_in(person, new.session, new.secret, app)


def _person_of_step(challenge: str, uow: AccountsUnitOfWork, now: datetime) -> UUID:
    link = uow.links.lock(digest(challenge), LinkKind.SIGN_IN_STEP)
    if link is None or not link.is_live(now):
        raise SignInStepEnded
    return link.person_id


def end_session(session_id: UUID, person_id: UUID, app: Dependencies) -> None:
    """End a session of the person. Raises SessionNotFound."""
    with app.unit_of_work() as uow:
        uow.sessions.end_one(session_id, person_id, app.clock.now())
        uow.commit()


def end_other_sessions(person_id: UUID, own_session: UUID | None, app: Dependencies) -> None:
    """End all sessions of the person except `own_session`."""
    with app.unit_of_work() as uow:
        uow.sessions.end_all(person_id, app.clock.now(), but=own_session)
        uow.commit()


def admit_to_work(command: AdmitToWork, app: HttpDependencies) -> SignedIn:
    """Start a session without a password; the first makes the person. Raises NotOfCampaign, AccountDisabled."""
    now = app.clock.now()
    session = start(new_id(), command.person_id, now, timedelta(minutes=command.minutes))
    secret = app.refresh_secrets.first()
    with app.unit_of_work() as uow:
        uow.people.add_if_new(register_of_campaign(command.person_id, now))
        person = uow.people.lock(command.person_id)
        person.ensure_of_campaign()
        if person.disabled:
            raise AccountDisabled(person.disabled.reason)
        if command.task_slug and uow.memberships.add(command.task_slug, person.person_id, now):
            person = uow.people.get(person.person_id)
        uow.sessions.add(session, RefreshToken(digest(secret), session.session_id, now))
        uow.commit()
    return _signed_in(person, session, secret, app)


def refresh(token: str, app: HttpDependencies) -> SignedIn:
    """Renew a session. Raises SessionEnded, RefreshTokenReused."""
    now = app.clock.now()
    with app.unit_of_work() as uow:
        found = uow.sessions.lock_by_token(digest(token))
        if found is None:
            raise SessionEnded
        session, presented = found
        outcome = session.present(presented, now)
        successors = app.refresh_secrets.successors(token)
        uow.sessions.save(session, presented)
        if outcome is Presentation.ROTATED:
            uow.sessions.add_token(RefreshToken(digest(successors[0]), session.session_id, now))
        issued = [each for each in successors if uow.sessions.has_token(digest(each))]
        person = uow.people.get(session.person_id)
        uow.commit()
    if outcome is Presentation.ENDED or person.disabled or not issued:
        raise SessionEnded
    if outcome is Presentation.REUSED:
        raise RefreshTokenReused
    return _signed_in(person, session, issued[0], app)


def sign_out(token: str, app: Dependencies) -> None:
    """End the session of a refresh token; an unknown one has ended already."""
    with app.unit_of_work() as uow:
        found = uow.sessions.lock_by_token(digest(token))
        if found is None:
            return
        session, presented = found
        session.end(app.clock.now())
        uow.sessions.save(session, presented)
        uow.commit()


def _candidate(user_name: str, address: str, app: Dependencies) -> Person | None:
    """Count a try and return whose password it may be."""
    now = app.clock.now()
    with app.unit_of_work() as uow:
        counts = uow.sign_in_failures
        if not counts.noted(known_at(user_name, address), now):
            of_address = limit_at(counts, address, OF_ADDRESS, now)
            if closed_for := count_try(counts, address, of_address, now):
                raise TooManyFailures(closed_for, address)
        if closed_for := count_try(counts, name_at(user_name, address), OF_NAME, now):
            raise TooManyFailures(closed_for)
        person = uow.people.find_by_user_name(user_name)
        uow.commit()
    return person


def _start(person: Person, command: SignIn, app: HttpDependencies) -> SignedIn:
    now = app.clock.now()
    new = NewSession.of(person.person_id, command.device, app)
    with app.unit_of_work() as uow:
        verified_hash, person = person.password_hash, uow.people.lock(person.person_id)
        if person.disabled:
            raise AccountDisabled(person.disabled.reason)
        is_same = person.password_hash == verified_hash
        if not is_same and not app.passwords.verify(person.password_hash, command.password):
            raise WrongCredentials
        if is_same and app.passwords.is_outdated(verified_hash):
            person.password_hash = app.passwords.hash(command.password)
            uow.people.save(person)
        counts, known = uow.sign_in_failures, known_at(person.user_name, command.address)
        if not counts.noted(known, now):
            counts.save(command.address, counts.lock(command.address, now).taken_back())
        counts.note(known, now + KNOWN_FOR, 1)
        counts.clear(name_at(person.user_name, command.address))
        return begin_session(uow, person, new, app)


def begin_session(
    uow: AccountsUnitOfWork, person: Person, new: NewSession, app: HttpDependencies
) -> SignedIn:
    """Store the session of a person whose first factor was right, and commit.

    For a person with a second factor, store a challenge instead. Raises CodeNeeded.
    """
    session, key, now = new.session, digest(new.secret), new.session.started_at
    if person.has_second_factor:
        uow.links.add(issue(LinkKind.SIGN_IN_STEP, key, person.person_id, "", now))
        uow.commit()
        raise CodeNeeded(new.secret)
    uow.sessions.add(session, RefreshToken(key, session.session_id, now))
    uow.commit()
    return _signed_in(person, session, new.secret, app)


def _signed_in(person: Person, session: Session, refresh_token: str, app: HttpDependencies) -> SignedIn:
    now = app.clock.now()
    seconds = min(app.access_tokens.lifetime_seconds, int((session.expires_at - now).total_seconds()))
    return SignedIn(
        person=person,
        access_token=app.access_tokens.issue(person, session.session_id, now, seconds),
        expires_in=seconds,
        refresh_token=refresh_token,
        refresh_expires_at=session.expires_at,
    )


def _comparable(user_name: str) -> str:
    """Return the form that is looked up and counted; a name that can't exist is counted as it was typed."""
    try:
        return names.user_name(user_name)
    except FieldRefused:
        return user_name.strip().lower()
