"""Commands about sign-in by issuers, and about the issuers that a person has linked.

A person is recognised by issuer and subject alone, never by a mail address: anybody may claim one.
"""

import secrets
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from dynabench_common.events.audit import Action
from dynabench_common.identifiers import new_id

from accounts.adapters.issuers import Issuer, IssuerAnswer
from accounts.adapters.unit_of_work import AccountsUnitOfWork
from accounts.domain.errors import (
    AccountDisabled,
    FieldRefused,
    IdentityNotFound,
    IdentityTaken,
    IssuerNotFound,
    LastWayIn,
    SignInStepEnded,
    TooManyFailures,
)
from accounts.domain.link import LinkKind, issue
from accounts.domain.names import user_name as accepted_name
from accounts.domain.opaque import digest, new_secret
from accounts.domain.person import NO_PASSWORD, Identity, IssuedPerson, Person, register
from accounts.domain.throttle import OF_ADDRESS
from accounts.service_layer.dependencies import Dependencies, HttpDependencies
from accounts.service_layer.limits import count_try, limit_at
from accounts.service_layer.own_account import closed_to_mails, recognised
from accounts.service_layer.sessions import NewSession, SignedIn, begin_session

MOST_NAMES_TRIED = 5
ROLES_LAST = timedelta(days=7)


@dataclass(frozen=True)
class IssuerStart:
    """The address at the issuer that begins a sign-in, and the secret that the browser keeps meanwhile."""

    url: str
    secret: str


@dataclass(frozen=True)
class SignInByIssuer:
    """Start a session with an issuer's answer."""

    issuer: str
    answer: IssuerAnswer
    address: str
    device: str


@dataclass(frozen=True)
class StartLink:
    """Begin to link an issuer to one's account."""

    person_id: UUID
    session_id: UUID | None
    issuer: str
    current_password: str


@dataclass(frozen=True)
class LinkIssuer:
    """Link an issuer to one's account with the issuer's answer."""

    person_id: UUID
    issuer: str
    answer: IssuerAnswer
    language: str


def start_sign_in(issuer: str, app: HttpDependencies) -> IssuerStart:
    """Return where the person signs in. Raises IssuerNotFound, IssuerUnreachable."""
    secret = new_secret()
    return IssuerStart(_issuer(issuer, app).authorization_url(secret), secret)


def sign_in_by_issuer(command: SignInByIssuer, app: HttpDependencies) -> SignedIn:
    """Start a session; the first sign-in registers the person. Roles become those that the issuer gives.

    Raises IssuerNotFound, IssuerUnreachable, IssuerAnswerRefused, TooManyFailures, AccountDisabled, CodeNeeded.
    """
    issuer = _issuer(command.issuer, app)
    with app.unit_of_work() as uow:
        counts, now = uow.sign_in_failures, app.clock.now()
        limit = limit_at(counts, command.address, OF_ADDRESS, now)
        if closed_for := count_try(counts, f"issuer-sign-in {command.address}", limit, now):
            raise TooManyFailures(closed_for, command.address)
        uow.commit()
    issued = issuer.person_of(command.answer, app.clock.now())
    with app.unit_of_work() as uow:
        now, known = app.clock.now(), uow.identities.find(issued.issuer, issued.subject)
        person_id = _register(uow, issued, now) if known is None else known.person_id
        person = uow.people.lock(person_id)
        if person.disabled:
            raise AccountDisabled(person.disabled.reason)
        _take_roles(uow, person, issued, now)
        return begin_session(uow, person, NewSession.of(person_id, command.device, app), app)


def start_link(command: StartLink, app: HttpDependencies) -> IssuerStart:
    """Return where the person signs in to link the issuer, within ten minutes.

    Raises IssuerNotFound, IssuerUnreachable, and the errors of `recognised`.
    """
    issuer = _issuer(command.issuer, app)
    recognised(command.person_id, command.current_password, command.session_id, app)
    start = start_sign_in(issuer.name, app)
    with app.unit_of_work() as uow:
        uow.links.add(
            issue(LinkKind.ISSUER_LINK, digest(start.secret), command.person_id, "", app.clock.now())
        )
        uow.commit()
    return start


def link_issuer(command: LinkIssuer, app: HttpDependencies) -> None:
    """Link the issuer's signed-in person to the account.

    Raises IssuerNotFound, IssuerUnreachable, IssuerAnswerRefused, SignInStepEnded, IdentityTaken.
    """
    issuer = _issuer(command.issuer, app)
    issued = issuer.person_of(command.answer, app.clock.now())
    with app.unit_of_work() as uow:
        person, now = uow.people.lock(command.person_id), app.clock.now()
        link = uow.links.lock(digest(command.answer.secret), LinkKind.ISSUER_LINK)
        if link is None or not link.is_live(now) or link.person_id != person.person_id:
            raise SignInStepEnded
        _add_identity(uow, issued, person.person_id, now)
        uow.links.end_all(person.person_id, now)
        _take_roles(uow, person, issued, now)
        if person.email_confirmed_at or not closed_to_mails(uow, "issuer-linked", person.email, now):
            uow.mails.add(app.letters.issuer_linked(person, issuer.title, command.language, now))
        uow.audit(
            _action("person.issuer_linked", person.person_id, person.person_id, issuer=issuer.name), now
        )
        uow.commit()


def unlink_issuer(person_id: UUID, name: str, app: HttpDependencies) -> None:
    """Remove an issuer from the account, with the roles that it gave.

    Raises IssuerNotFound, IdentityNotFound, LastWayIn for a person without a password.
    """
    issuer = _issuer(name, app)
    with app.unit_of_work() as uow:
        person, now = uow.people.lock(person_id), app.clock.now()
        found = [each for each in uow.identities.of(person_id) if each.issuer == issuer.address]
        if not found:
            raise IdentityNotFound
        if not person.has_password:
            raise LastWayIn
        for each in found:
            uow.identities.remove(each)
        _replace_roles(uow, person, _roles_of(found), issuer.name, now)
        uow.audit(_action("person.issuer_unlinked", person_id, person_id, issuer=issuer.name), now)
        uow.commit()


def end_old_roles(app: Dependencies) -> None:
    """Take away the roles of issuers where a person has not signed in for a week: the group may be gone."""
    oldest = app.clock.now() - ROLES_LAST
    with app.unit_of_work() as uow:
        found = uow.identities.with_roles_unused_since(oldest)
    for each in found:
        with app.unit_of_work() as uow:
            person, now = uow.people.lock(each.person_id), app.clock.now()
            identity = uow.identities.find(each.issuer, each.subject)
            if identity is not None and identity.last_used_at < oldest:
                before, identity.roles = identity.roles, frozenset()
                uow.identities.save(identity)
                _replace_roles(uow, person, before, identity.issuer, now)
                uow.commit()


def _issuer(name: str, app: HttpDependencies) -> Issuer:
    if name not in app.issuers:
        raise IssuerNotFound
    return app.issuers[name]


def _register(uow: AccountsUnitOfWork, issued: IssuedPerson, now: datetime) -> UUID:
    """Register a person under the name at the issuer, or one like it if it is taken or breaks a rule."""
    for user_name in _names_like(issued.user_name):
        person = register(
            new_id(), user_name=user_name, email=issued.email, password_hash=NO_PASSWORD, now=now
        )
        if issued.is_email_verified:
            person.email_confirmed_at = now
        if uow.people.add_if_new(person):
            _add_identity(uow, issued, person.person_id, now)
            return person.person_id
    raise FieldRefused("user_name", "is taken, and so are those like it", "Try again.")


def _names_like(wanted: str) -> Iterable[str]:
    try:
        name = accepted_name(wanted)
        yield name
    except FieldRefused:
        name = "person"
    for _ in range(MOST_NAMES_TRIED):
        yield f"{name[:33]}-{secrets.token_hex(3)}"


def _add_identity(uow: AccountsUnitOfWork, issued: IssuedPerson, person_id: UUID, now: datetime) -> None:
    """Link the person at the issuer, if this is not so already. Raises IdentityTaken."""
    if not uow.identities.add_if_new(Identity(issued.issuer, issued.subject, person_id, now, now)):
        found = uow.identities.find(issued.issuer, issued.subject)
        if found is None or found.person_id != person_id:
            raise IdentityTaken


def _take_roles(uow: AccountsUnitOfWork, person: Person, issued: IssuedPerson, now: datetime) -> None:
    """Give the roles of an issuer, take those that it gave before, and keep the address of a person up to date.

    People with a password change their mail address themselves.
    """
    identity = uow.identities.find(issued.issuer, issued.subject)
    if identity is None:
        raise IdentityNotFound
    before, identity.roles, identity.last_used_at = identity.roles, issued.roles, now
    uow.identities.save(identity)
    if not person.has_password and person.email != issued.email:
        person.email = issued.email
        person.email_confirmed_at = now if issued.is_email_verified else None
    _replace_roles(uow, person, before, issued.issuer, now)


def _replace_roles(
    uow: AccountsUnitOfWork, person: Person, given_before: frozenset[str], issuer: str, now: datetime
) -> None:
    """Replace the roles that an issuer gave before by those that the person's issuers give now.

    Other roles stay.
    """
    before = person.roles
    person.grant((before - given_before) | _roles_of(uow.identities.of(person.person_id)), now)
    uow.people.save(person)
    if before != person.roles:
        changed = {"before": ", ".join(sorted(before)), "after": ", ".join(sorted(person.roles))}
        uow.audit(_action("person.roles_changed", None, person.person_id, issuer=issuer, **changed), now)


def _roles_of(identities: Iterable[Identity]) -> frozenset[str]:
    return frozenset[str]().union(*(each.roles for each in identities))


def _action(action: str, actor_id: UUID | None, person_id: UUID, **details: str) -> Action:
    return Action(
        action=action,
        actor_id=actor_id,
        object_kind="person",
        object_id=person_id,
        details=details,
    )
