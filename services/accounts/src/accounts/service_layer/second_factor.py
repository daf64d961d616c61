"""Commands about second factors. A try of a code is counted before the code is compared."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime
from uuid import UUID

from dynabench_common.events.audit import Action

from accounts.adapters.totp import new_app_secret, new_recovery_code, setup_uri, step_of
from accounts.adapters.unit_of_work import AccountsUnitOfWork
from accounts.domain.errors import SecondFactorOff, SecondFactorOn, TooManyCodes
from accounts.domain.opaque import digest
from accounts.domain.person import Person, reason_given
from accounts.domain.second_factor import RECOVERY_CODES, SecondFactor, normalised
from accounts.domain.throttle import OF_CODES
from accounts.mail.domain import Mail
from accounts.service_layer.dependencies import Dependencies, HttpDependencies
from accounts.service_layer.limits import count_try
from accounts.service_layer.own_account import closed_to_mails, recognised

Letter = Callable[[Person, str, datetime], Mail]
LANGUAGE_OF_RESET = "en"
"""The administrator's language is not the person's."""


@dataclass(frozen=True)
class ConfirmSecondFactor:
    """Turn on the second factor with the first code of the app; `session_id` is the session that stays open."""

    person_id: UUID
    session_id: UUID | None
    code: str
    language: str


@dataclass(frozen=True)
class RemoveSecondFactor:
    """Turn the second factor off."""

    person_id: UUID
    session_id: UUID | None
    current_password: str
    code: str
    language: str


@dataclass(frozen=True)
class ResetSecondFactor:
    """Turn off the lost second factor of another person."""

    actor_id: UUID
    person_id: UUID
    reason: str


@dataclass(frozen=True)
class AppSetup:
    """The secret for an authenticator app, and the address that its QR code shows."""

    secret: str
    uri: str


def start_second_factor(
    person_id: UUID, current_password: str, session_id: UUID | None, app: Dependencies
) -> AppSetup:
    """Store a new secret for an app, which counts once it is confirmed.

    Raises what `recognised` raises, SecondFactorOn.
    """
    recognised(person_id, current_password, session_id, app)
    secret = new_app_secret()
    with app.unit_of_work() as uow:
        person = uow.people.lock(person_id)
        if person.has_second_factor:
            raise SecondFactorOn
        person.second_factor = SecondFactor(secret)
        uow.people.save(person)
        uow.commit()
    return AppSetup(secret, setup_uri(secret, person.user_name))


def confirm_second_factor(command: ConfirmSecondFactor, app: HttpDependencies) -> list[str]:
    """Turn the second factor on, end the person's other sessions, and return the recovery codes.

    Raises SecondFactorOff if none was started, SecondFactorOn, WrongCode, TooManyCodes.
    """
    with app.unit_of_work() as uow:
        if uow.people.get(command.person_id).has_second_factor:
            raise SecondFactorOn
    use_code(command.person_id, command.code, app)
    codes = _new_codes()
    with app.unit_of_work() as uow:
        person, now = uow.people.lock(command.person_id), app.clock.now()
        if person.second_factor is None:
            raise SecondFactorOff
        person.second_factor = replace(
            person.second_factor, confirmed_at=now, recovery_digests=_digests(codes)
        )
        uow.people.save(person)
        uow.sessions.end_all(person.person_id, now, but=command.session_id)
        uow.links.end_all(person.person_id, now)
        _tell(uow, person, app.letters.second_factor_on, command.language, now)
        uow.audit(_action("person.second_factor_on", person.person_id, person.person_id), now)
        uow.commit()
    return codes


def renew_recovery_codes(person_id: UUID, code: str, app: Dependencies) -> list[str]:
    """Return new recovery codes; the old ones end. Raises SecondFactorOff, WrongCode, TooManyCodes."""
    use_code(person_id, code, app)
    codes = _new_codes()
    with app.unit_of_work() as uow:
        person = uow.people.lock(person_id)
        if person.second_factor is None or not person.has_second_factor:
            raise SecondFactorOff
        person.second_factor = replace(person.second_factor, recovery_digests=_digests(codes))
        uow.people.save(person)
        uow.commit()
    return codes


def remove_second_factor(command: RemoveSecondFactor, app: HttpDependencies) -> None:
    """Turn the second factor off. Raises what `recognised` raises, SecondFactorOff, WrongCode, TooManyCodes."""
    recognised(command.person_id, command.current_password, command.session_id, app)
    use_code(command.person_id, command.code, app)
    with app.unit_of_work() as uow:
        person, now = uow.people.lock(command.person_id), app.clock.now()
        _end(uow, person, app, command.language, now)
        uow.audit(_action("person.second_factor_off", person.person_id, person.person_id), now)
        uow.commit()


def reset_second_factor(command: ResetSecondFactor, app: HttpDependencies) -> None:
    """Turn off a lost second factor. Raises PersonNotFound, FieldRefused, SecondFactorOff."""
    reason = reason_given(command.reason)
    with app.unit_of_work() as uow:
        person, now = uow.people.lock(command.person_id), app.clock.now()
        if not person.has_second_factor:
            raise SecondFactorOff
        _end(uow, person, app, LANGUAGE_OF_RESET, now)
        uow.sessions.end_all(person.person_id, now)
        uow.audit(_action("person.second_factor_reset", command.actor_id, person.person_id, reason), now)
        uow.commit()


def use_code(person_id: UUID, code: str, app: Dependencies) -> None:
    """Use up a code of a person. Raises SecondFactorOff, WrongCode, TooManyCodes."""
    subject, given = f"code {person_id}", normalised(code)
    with app.unit_of_work() as uow:
        if closed_for := count_try(uow.sign_in_failures, subject, OF_CODES, app.clock.now()):
            raise TooManyCodes(closed_for)
        uow.commit()
    with app.unit_of_work() as uow:
        person = uow.people.lock(person_id)
        factor = person.second_factor
        if factor is None:
            raise SecondFactorOff
        person.second_factor = factor.after(step_of(factor.secret, given, app.clock.now()), digest(given))
        uow.people.save(person)
        uow.sign_in_failures.clear(subject)
        uow.commit()


def _end(
    uow: AccountsUnitOfWork, person: Person, app: HttpDependencies, language: str, now: datetime
) -> None:
    person.second_factor = None
    uow.people.save(person)
    uow.links.end_all(person.person_id, now)
    _tell(uow, person, app.letters.second_factor_off, language, now)


def _tell(uow: AccountsUnitOfWork, person: Person, letter: Letter, language: str, now: datetime) -> None:
    if person.email_confirmed_at or not closed_to_mails(uow, "second-factor", person.email, now):
        uow.mails.add(letter(person, language, now))


def _new_codes() -> list[str]:
    return [new_recovery_code() for _ in range(RECOVERY_CODES)]


def _digests(codes: list[str]) -> frozenset[bytes]:
    return frozenset(digest(normalised(code)) for code in codes)


def _action(action: str, actor_id: UUID, person_id: UUID, reason: str = "") -> Action:
    return Action(action=action, actor_id=actor_id, object_kind="person", object_id=person_id, reason=reason)
