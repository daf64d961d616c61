"""Roles: plain words in tokens and events. This is the one place that lists them."""

import re
from collections.abc import Iterable

from accounts.domain.errors import FieldRefused

ANNOTATOR = "annotator"
ADMIN = "admin"
OWNER = re.compile(r"owner:[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?")
CROWD = "crowd"
MEMBER_PREFIX = "member:"
EVERYBODY = frozenset({ANNOTATOR})
COHORTS = ("volunteer", CROWD, "expert")
MOST_ROLES = 100


def role_set(given: Iterable[str]) -> frozenset[str]:
    """Return the roles, with `annotator`, which every person has.

    Raises FieldRefused naming the first word that is no role.
    """
    roles = frozenset(given)
    if len(roles) > MOST_ROLES:
        raise FieldRefused("roles", f"holds more than {MOST_ROLES} roles", "Give fewer roles.")
    for role in sorted(roles):
        if role not in (ANNOTATOR, ADMIN) and not OWNER.fullmatch(role):
            raise FieldRefused(
                "roles", f"{role!r} is not a role", "Use 'annotator', 'admin' or 'owner:<task slug>'."
            )
    return roles | {ANNOTATOR}


def revocable(given: Iterable[str]) -> frozenset[str]:
    """Return the roles to take away. Raises FieldRefused for a word that is no role, and for one that everyone has."""
    taken = frozenset(given)
    if ANNOTATOR in taken:
        raise FieldRefused(
            "revoke", f"{ANNOTATOR!r} is held by everyone", "Disable the person, or pause them in a task."
        )
    return role_set(taken) - {ANNOTATOR}


def owner_role(slug: str) -> str:
    """Return the role of a task's owners."""
    return f"owner:{slug}"


def member_role(slug: str) -> str:
    """Return the role of a private task's members."""
    return f"{MEMBER_PREFIX}{slug}"


def cohort(given: str) -> str:
    """Return the cohort. Raises FieldRefused for a word that is none."""
    if given not in COHORTS:
        raise FieldRefused("cohort", f"{given!r} is not a cohort", f"Use one of {', '.join(COHORTS)}.")
    return given
