"""Words for people's cohorts, roles and right to validate."""

from dataclasses import replace

from dynabench_common.auth.authentication import OWNER_PREFIX

from web.kit import isolation
from web.kit.language import N_, _
from web.kit.words import Word

COHORTS = {
    "volunteer": N_("volunteer"),
    "crowd": N_("crowd"),
    "expert": N_("expert"),
    "imported": N_("imported"),
    "demonstration": N_("demonstration"),
}
ROLES = {"annotator": N_("annotator"), "admin": N_("administrator")}
VALIDATOR_STATES = {
    "active": Word(N_("Active"), "●", "open"),
    "warned": Word(N_("Warned"), "!", "flagged"),
    "paused": Word(N_("Paused"), "‖", "paused"),
}


def cohort_words(cohort: str) -> str:
    """Return where a person comes from."""
    return _(COHORTS[cohort]) if cohort in COHORTS else cohort


def role_words(role: str) -> str:
    """Return a role; one of a task names the task."""
    if role.startswith(OWNER_PREFIX):
        return _("owner of %(task)s", task=isolation.name(role.removeprefix(OWNER_PREFIX)))
    return _(ROLES[role]) if role in ROLES else role


def validator_state(name: str) -> Word:
    """Return whether a person may validate."""
    if name in VALIDATOR_STATES:
        return replace(VALIDATOR_STATES[name], text=_(VALIDATOR_STATES[name].text))
    return Word(name.capitalize(), "○", "draft")
