"""User names and mail addresses: the rules for accepting them, and the form in which they are compared."""

import re

from accounts.domain.errors import FieldRefused

USER_NAME = re.compile(r"[a-z0-9][a-z0-9._-]{2,39}")
ATOM = r"[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]+"
LABEL = r"[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?"
EMAIL = re.compile(rf"{ATOM}@{LABEL}(?:\.{LABEL})*")
LONGEST_EMAIL = 254


def user_name(given: str) -> str:
    """Return the user name in the one form it is stored and compared in: lower case.

    Raises FieldRefused unless it has 3 to 40 letters, digits, dots, dashes or underscores.
    """
    name = given.strip().lower()
    if not USER_NAME.fullmatch(name):
        raise FieldRefused(
            "user_name",
            "must have 3 to 40 characters of a-z, 0-9, '-', '_' and '.', and begin with a letter or a digit",
            "Choose another user name.",
        )
    return name


def email(given: str) -> str:
    """Return the mail address, trimmed.

    Raises FieldRefused unless it has the form that browsers accept. A local part that mail programs would decode
    (RFC 2047) is refused too: it would lead to another address than is written here, or to none.
    """
    address = given.strip()
    if len(address) > LONGEST_EMAIL or not EMAIL.fullmatch(address) or "=?" in address:
        raise FieldRefused("email", "is not an e-mail address", "Write it as name@example.org.")
    return address


def email_key(address: str) -> str:
    """Return the form in which two addresses count as the same."""
    return address.lower()
