"""Commands about a person's own password and mail address.

Passwords are checked and hashed with no transaction open, since that is slow by design. An attempt is counted before.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from accounts.adapters.unit_of_work import AccountsUnitOfWork
from accounts.domain import names, passwords
from accounts.domain.api_token import ApiToken
from accounts.domain.errors import SignInAgain, TooManyPasswordTries, TooManyResets, WrongCurrentPassword
from accounts.domain.link import LIFETIME, MOST_WITHIN_LIFE, STEP_LIFETIME, LinkKind, issue
from accounts.domain.opaque import digest, new_secret
from accounts.domain.person import Person
from accounts.domain.throttle import OF_ADDRESS, OF_MAILS, OF_NAME, OF_OWN_PASSWORD, name_at
from accounts.mail.domain import LinkEnded
from accounts.service_layer.dependencies import Dependencies, HttpDependencies
from accounts.service_layer.limits import count_try, limit_at

MOST_ACCOUNTS_OF_ADDRESS = 20
"""Maximum number of accounts named in a mail to a shared address; those that confirmed it come first."""


@dataclass(frozen=True)
class ChangePassword:
    """Change the password; `session_id` is the session that stays open."""

    person_id: UUID
    session_id: UUID | None
    current_password: str
    new_password: str
    language: str


@dataclass(frozen=True)
class AskForNewPassword:
    """Request a link by mail; `address` is the network address of the request."""

    email: str
    address: str
    language: str


@dataclass(frozen=True)
class ChooseNewPassword:
    """Set a new password by the secret of a link."""

    secret: str
    password: str
    language: str


@dataclass(frozen=True)
class AskForNewEmail:
    """Change the mail address, once the new one is confirmed."""

    person_id: UUID
    session_id: UUID | None
    current_password: str
    email: str
    language: str


@dataclass(frozen=True)
class NewPasswordChosen:
    """The person whose password changed, and the API tokens that go on working."""

    person: Person
    api_tokens: list[ApiToken]


def change_password(command: ChangePassword, app: HttpDependencies) -> None:
    """Store another password and end the person's other sessions.

    Raises what `recognised` raises, FieldRefused for a password that is too easy.
    """
    person = recognised(command.person_id, command.current_password, command.session_id, app)
    _check("new_password", command.new_password, person)
    hashed = app.passwords.hash(command.new_password)
    with app.unit_of_work() as uow:
        person, now = uow.people.lock(command.person_id), app.clock.now()
        person.password_hash = hashed
        uow.people.save(person)
        uow.sessions.end_all(person.person_id, now, but=command.session_id)
        uow.links.end_all(person.person_id, now)
        if person.email_confirmed_at or not closed_to_mails(uow, "password changed", person.email, now):
            uow.mails.add(app.letters.password_changed(person, command.language, now))
        uow.commit()


def ask_for_new_password(command: AskForNewPassword, app: HttpDependencies) -> None:
    """Send one mail with a link for each account of a mail address; no result reveals whether there is one.

    People who sign in only by an issuer get no link, since the issuer decides on their access.

    Raises FieldRefused for a malformed mail address, TooManyResets.
    """
    key = names.email_key(names.email(command.email))
    with app.unit_of_work() as uow:
        counts, now, address = uow.sign_in_failures, app.clock.now(), command.address
        of_address = limit_at(counts, address, OF_ADDRESS, now)
        if closed_for := count_try(counts, f"new password for {address}", of_address, now):
            raise TooManyResets(closed_for, address)
        if closed_for := count_try(counts, f"new password for {name_at(key, address)}", OF_NAME, now):
            raise TooManyResets(closed_for)
        found = uow.people.with_email(key, MOST_ACCOUNTS_OF_ADDRESS)
        people = [person for person in found if person.has_password]
        if people and not closed_to_mails(uow, LinkKind.NEW_PASSWORD, key, now):
            secrets = [(person, new_secret()) for person in people]
            for person, secret in secrets:
                kind = LinkKind.NEW_PASSWORD
                uow.links.add(issue(kind, digest(secret), person.person_id, person.email, now))
            uow.mails.add(app.letters.new_password(secrets, command.language, now))
        uow.commit()


def choose_new_password(command: ChooseNewPassword, app: HttpDependencies) -> NewPasswordChosen:
    """Store another password, end all sessions and all links of the person.

    Raises LinkEnded, FieldRefused for a password that is too easy; the link works on then.
    """
    person = _person_of(command.secret, LinkKind.NEW_PASSWORD, app)
    _check("password", command.password, person)
    hashed = app.passwords.hash(command.password)
    with app.unit_of_work() as uow:
        now, person = app.clock.now(), uow.people.lock(person.person_id)
        link = uow.links.lock(digest(command.secret), LinkKind.NEW_PASSWORD)
        if link is None or not link.is_live(now) or person.disabled:
            raise LinkEnded
        person.password_hash = hashed
        person.got_mail(link.email, now)
        uow.people.save(person)
        uow.sessions.end_all(person.person_id, now)
        uow.links.end_all(person.person_id, now)
        uow.mails.add(app.letters.password_changed(person, command.language, now))
        tokens = uow.api_tokens.live_of(person.person_id)
        uow.commit()
    return NewPasswordChosen(person, tokens)


def ask_for_new_email(command: AskForNewEmail, app: HttpDependencies) -> None:
    """Send a link to the new address. Raises what `recognised` raises, FieldRefused, TooManyResets."""
    email = names.email(command.email)
    person = recognised(command.person_id, command.current_password, command.session_id, app)
    kind, secret = LinkKind.NEW_EMAIL, new_secret()
    with app.unit_of_work() as uow:
        now = app.clock.now()
        _ensure_may_be_asked(uow, kind, person.person_id, email, now)
        uow.links.add(issue(kind, digest(secret), person.person_id, email, now))
        uow.mails.add(app.letters.confirm_email(person, email, secret, command.language, now))
        uow.commit()


def ask_to_confirm_email(person_id: UUID, language: str, app: HttpDependencies) -> None:
    """Send a link to the person's own address, which confirms it. Raises AccountNeeded, TooManyResets."""
    kind, secret = LinkKind.NEW_EMAIL, new_secret()
    with app.unit_of_work() as uow:
        now, person = app.clock.now(), uow.people.lock(person_id)
        person.ensure_has_account()
        _ensure_may_be_asked(uow, kind, person_id, person.email, now)
        uow.links.add(issue(kind, digest(secret), person_id, person.email, now))
        uow.mails.add(app.letters.confirm_email(person, person.email, secret, language, now))
        uow.commit()


def confirm_email(secret: str, language: str, app: HttpDependencies) -> Person:
    """Give the person the address that the link was sent to, and tell an old one. Raises LinkEnded."""
    person = _person_of(secret, LinkKind.NEW_EMAIL, app)
    with app.unit_of_work() as uow:
        now, person = app.clock.now(), uow.people.lock(person.person_id)
        link = uow.links.lock(digest(secret), LinkKind.NEW_EMAIL)
        if link is None or not link.is_live(now) or person.disabled:
            raise LinkEnded
        old, person.email = person.email, link.email
        if old != link.email:
            was_confirmed, person.email_confirmed_at = person.email_confirmed_at, None
            if was_confirmed or not closed_to_mails(uow, "address changed", old, now):
                uow.mails.add(app.letters.email_changed(person, old, language, now))
        person.got_mail(link.email, now)
        uow.people.save(person)
        uow.links.end_all(person.person_id, now)
        uow.commit()
    return person


def recognised(person_id: UUID, password: str, session_id: UUID | None, app: Dependencies) -> Person:
    """Return the person if the password is theirs; without one, if they signed in within ten minutes.

    Raises AccountNeeded, TooManyPasswordTries, WrongCurrentPassword, SignInAgain.
    """
    subject = f"own password of {person_id}"
    with app.unit_of_work() as uow:
        now = app.clock.now()
        if closed_for := count_try(uow.sign_in_failures, subject, OF_OWN_PASSWORD, now):
            raise TooManyPasswordTries(closed_for)
        person = uow.people.get(person_id)
        person.ensure_has_account()
        started_at = None if session_id is None else uow.sessions.started_at(session_id)
        uow.commit()
    if not person.has_password:
        if started_at is None or now - started_at > STEP_LIFETIME:
            raise SignInAgain
        return person
    if not app.passwords.verify(person.password_hash, password):
        raise WrongCurrentPassword
    with app.unit_of_work() as uow:
        uow.sign_in_failures.clear(subject)
        uow.commit()
    return person


def _person_of(secret: str, kind: LinkKind, app: Dependencies) -> Person:
    """Return the person of a link. Raises LinkEnded. Everywhere, the person is locked before the link."""
    with app.unit_of_work() as uow:
        link = uow.links.lock(digest(secret), kind)
        if link is None or not link.is_live(app.clock.now()):
            raise LinkEnded
        return uow.people.get(link.person_id)


def closed_to_mails(uow: AccountsUnitOfWork, kind: str, email: str, now: datetime) -> timedelta:
    """Count a mail of a kind to an address; return how long the address is closed to more, zero if it is not.

    This holds for any sender: until it is confirmed, an address may be a stranger's.
    """
    return count_try(uow.sign_in_failures, f"{kind} mails to {names.email_key(email)}", OF_MAILS, now)


def _ensure_may_be_asked(
    uow: AccountsUnitOfWork, kind: LinkKind, person_id: UUID, email: str, now: datetime
) -> None:
    """Raise TooManyResets if a person, or a mail address across its accounts, has received too many links."""
    closed_for = closed_to_mails(uow, kind, email, now)
    if closed_for or uow.links.count_since(person_id, kind, now - LIFETIME) >= MOST_WITHIN_LIFE:
        raise TooManyResets(closed_for or LIFETIME)


def _check(field: str, password: str, person: Person) -> None:
    own_names = (person.user_name, person.email.partition("@")[0])
    passwords.check(password, own_names=own_names, field=field)
