"""The rows that are about a person: those that the person can read, and those that go with the account."""

from datetime import datetime

from sqlalchemy import Connection, delete, func, or_, select, update

from accounts.adapters import tables
from accounts.domain.names import email_key
from accounts.domain.person import Person
from accounts.domain.throttle import known_at, name_at
from accounts.mail.queue import mail

GOING = (
    *(tables.nickname.c.person_id, tables.task_request.c.person_id, tables.link.c.person_id),
    *(tables.identity.c.person_id, tables.task_member.c.person_id, tables.group_person.c.person_id),
)
"""Columns that name a person in the tables whose rows go with the account."""
OWN = (
    *(tables.person.c.person_id, tables.session.c.person_id, tables.api_token.c.person_id),
    *(tables.nickname_report.c.reporter_id, tables.audit_entry.c.actor_id),
    tables.people_group.c.owner_id,
    *GOING,
)
"""Columns that name a person in the tables whose rows that person may read."""


def remove_traces(connection: Connection, person: Person, now: datetime) -> None:
    """Remove all rows that name a person, but for the person's own and those of the audit log.

    Sessions and API tokens stay without their names until they expire.
    """
    link, report, session, token = tables.link, tables.nickname_report, tables.session, tables.api_token
    asked_for = select(link.c.email).where(link.c.person_id == person.person_id, link.c.email != "")
    addresses = {person.email, *connection.scalars(asked_for)}
    for column in (*GOING, report.c.person_id, report.c.reporter_id):
        connection.execute(delete(column.table).where(column == person.person_id))
    connection.execute(update(session).where(session.c.person_id == person.person_id).values(device=""))
    connection.execute(
        update(token)
        .where(token.c.person_id == person.person_id)
        .values(name="", revoked_at=func.coalesce(token.c.revoked_at, now))
    )
    counted = tables.sign_in_failure.c.user_name
    of_name = (
        counted.startswith(form(person.user_name, ""), autoescape=True) for form in (name_at, known_at)
    )
    connection.execute(delete(tables.sign_in_failure).where(or_(*of_name)))
    for address in addresses:
        _forget_address(connection, address, person)


def _forget_address(connection: Connection, address: str, person: Person) -> None:
    """Remove mails and counts of an address, unless another account has it."""
    key, counted = email_key(address), tables.sign_in_failure.c.user_name
    others = select(tables.person.c.person_id).where(
        tables.person.c.email_key == key, tables.person.c.person_id != person.person_id
    )
    if connection.scalar(others.limit(1)) is None:
        connection.execute(delete(mail).where(mail.c.recipient == address))
        of_address = or_(
            counted.startswith(f"new password for {name_at(key, '')}", autoescape=True),
            counted.endswith(f" mails to {key}", autoescape=True),
        )
        connection.execute(delete(tables.sign_in_failure).where(of_address))
