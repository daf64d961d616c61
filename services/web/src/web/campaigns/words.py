"""Words for campaigns, assignments, payments and the ledger."""

from collections.abc import Mapping

from web.kit.language import N_, NC_, _, ngettext
from web.kit.numbers import count
from web.kit.words import Word, in_words

CAMPAIGN, ASSIGNMENT, PAYMENT = "state of a campaign", "state of an assignment", "state of a payment"
CAMPAIGN_STATES = {
    "draft": Word(NC_("state of a campaign", "Draft"), "○", "draft"),
    "running": Word(NC_("state of a campaign", "Running"), "●", "open"),
    "paused": Word(NC_("state of a campaign", "Paused"), "‖", "paused"),
    "ended": Word(NC_("state of a campaign", "Ended"), "■", "closed"),
}
ASSIGNMENT_STATES = {
    "approved": Word(NC_("state of an assignment", "Approved"), "✓", "correct"),
    "submitted": Word(NC_("state of an assignment", "Handed in"), "?", "open"),
    "working": Word(NC_("state of an assignment", "Working"), "●", "not-fooled"),
    "rejected": Word(NC_("state of an assignment", "Rejected"), "✕", "flagged"),
    "returned": Word(NC_("state of an assignment", "Returned"), "–", "closed"),
    "timed_out": Word(NC_("state of an assignment", "Timed out"), "–", "closed"),
    "screened_out": Word(NC_("state of an assignment", "Screened out"), "–", "closed"),
}
"""The states of assignments, those that take a place first."""
PAYMENT_STATES = {
    "prepared": Word(NC_("state of a payment", "Not paid yet"), "○", "draft"),
    "unknown": Word(NC_("state of a payment", "Not confirmed yet"), "?", "paused"),
    "paid": Word(NC_("state of a payment", "Paid"), "✓", "correct"),
    "refused": Word(NC_("state of a payment", "Refused"), "✕", "flagged"),
}
PAYMENT_KINDS = {
    "reward": N_("Reward"),
    "bonus": N_("Bonus"),
    "screen_out": N_("Screened out"),
    "top_up": N_("Top-up"),
}
POSTING_KINDS = {
    "reserved": N_("Reserved"),
    "released": N_("Released"),
    "owed": N_("Owed"),
    "bonus": N_("Bonus owed"),
    "reversed": N_("Reversed"),
    "paid": N_("Paid"),
    "fee": N_("Platform's fee"),
    "loss": N_("Loss"),
}
ACCOUNTS = {
    "owner": N_("your money"),
    "reserved": N_("reserved"),
    "owed": N_("owed"),
    "paid": N_("paid"),
    "loss": N_("loss"),
    "fees": N_("fees"),
}
WORK = {"create": N_("Write examples"), "validate": N_("Check examples")}
REJECTIONS = {
    "failed_instructions": N_("Did not follow the instructions"),
    "low_effort": N_("Too little effort"),
    "too_quick": N_("Too quick to be real work"),
    "incomplete": N_("Unfinished work"),
    "failed_check": N_("Failed checks with a known answer"),
    "malingering": N_("Cheated on purpose"),
    "other": N_("Another reason"),
}
EVIDENCE = {
    "fast": N_("Much faster than others"),
    "pasted": N_("Pasted texts"),
    "alike": N_("Texts like those of others"),
    "alone": N_("Votes that agree with nobody"),
    "device": N_("One device for several people"),
    "address": N_("One network for several people"),
}
"""Signs of unfair work."""
FEWER = {
    "round_ended": N_("Fewer units: the round ended."),
    "nothing_left": N_("Fewer units: there was no more to do."),
    "handed_in_there": N_("Handed in on the platform, perhaps with fewer units."),
}
"""Reasons why less work than agreed was handed in."""


def campaign_state(name: str) -> Word:
    """Return the word for the state of a campaign."""
    return _state(name, CAMPAIGN_STATES, CAMPAIGN)


def assignment_state(name: str) -> Word:
    """Return the word for the state of an assignment."""
    return _state(name, ASSIGNMENT_STATES, ASSIGNMENT)


def payment_state(name: str) -> Word:
    """Return the word for the state of a payment."""
    return _state(name, PAYMENT_STATES, PAYMENT)


def named(name: str, table: Mapping[str, str]) -> str:
    """Return the words for a name; a newer platform's own word if it is unknown here."""
    return _(table[name]) if name in table else name.replace("_", " ").capitalize()


def units_words(units: int, work: str) -> str:
    """Return an amount of work."""
    if work == "create":
        return ngettext("%(shown)s\u00a0try", "%(shown)s\u00a0tries", units, shown=count(units))
    return ngettext("%(shown)s\u00a0vote", "%(shown)s\u00a0votes", units, shown=count(units))


def _state(name: str, known: Mapping[str, Word], context: str) -> Word:
    found = known.get(name)
    return in_words(found, context) if found else Word(name.replace("_", " ").capitalize(), "–", "closed")
