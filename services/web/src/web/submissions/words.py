"""Steps, states and faults of submissions in words."""

from collections.abc import Iterable
from dataclasses import replace

from web.kit.language import N_, NC_, _, pgettext
from web.kit.words import Word

STATE = "state of a submission"
STATES = {
    "draft": Word(NC_("state of a submission", "Upload not finished"), "○", "draft"),
    "checking": Word(NC_("state of a submission", "Being checked"), "●", "open"),
    "waiting": Word(NC_("state of a submission", "Waiting for the task's owner"), "‖", "paused"),
    "refused": Word(NC_("state of a submission", "A check failed"), "✕", "incorrect"),
    "deployed": Word(NC_("state of a submission", "Available, not published"), "●", "open"),
    "published": Word(NC_("state of a submission", "Published"), "✓", "correct"),
    "withdrawn": Word(NC_("state of a submission", "Withdrawn"), "–", "closed"),
    "retired": Word(NC_("state of a submission", "Retired by the task's owner"), "–", "closed"),
    "cancelled": Word(NC_("state of a submission", "Cancelled"), "–", "closed"),
    "deleted": Word(NC_("state of a submission", "Deleted"), "–", "closed"),
}
STEPS = {
    "received": N_("received"),
    "checksum": N_("checksum"),
    "opened": N_("opened"),
    "scanned": N_("scanned"),
    "manifest": N_("manifest"),
    "contract": N_("contract"),
    "deployed": N_("deployed"),
    "smoke_test": N_("smoke test"),
    "accepted": N_("accepted"),
}
EXPLAINED = {
    "received": N_("all parts of the archive have arrived"),
    "checksum": N_("the bytes match the announced checksum"),
    "opened": N_("the archive can be read safely"),
    "scanned": N_("data only, or a program"),
    "manifest": N_("the manifest describes the model"),
    "contract": N_("the model fits the task; what is served is built from its data"),
    "deployed": N_("its workers start (usually 5 to 16 s)"),
    "smoke_test": N_("the model answers three samples"),
    "accepted": N_("the model can be tried and published"),
}
STEP_STATES = {
    "waiting": Word(NC_("state of a check", "not yet"), "○", "draft"),
    "running": Word(NC_("state of a check", "running"), "●", "open"),
    "held": Word(NC_("state of a check", "waiting for the task's owner"), "‖", "paused"),
    "passed": Word(NC_("state of a check", "passed"), "✓", "correct"),
    "failed": Word(NC_("state of a check", "failed"), "✕", "incorrect"),
}
STEP_STATE = "state of a check"
FAULTS = {
    "yours": N_("Correct this and submit again."),
    "ours": N_("This is our fault. It did not count against your quota."),
    "owner": N_("The task's owner decided this."),
}
CARD_FIELDS = {
    "text": N_("what it is for and where it fails"),
    "licence": N_("licence"),
    "languages": N_("languages"),
    "contact": N_("contact"),
    "parameters": N_("number of parameters"),
    "trained_on": N_("what it was trained on"),
    "paper": N_("address of a paper"),
}
KINDS = {
    "weights": N_("weights"),
    "tokenizer": N_("tokenizer"),
    "configuration": N_("configuration"),
    "description": N_("description"),
    "manifest": N_("manifest"),
    "graph": N_("graph, not used"),
    "our_handler": N_("our handler"),
    "code": N_("code"),
    "pickle": N_("pickle, which is code"),
    "text": N_("text"),
    "other": N_("of unknown type"),
}
POOLS = {
    "shared": N_("data only, run by the platform's own handler"),
    "sandboxed": N_("a program, run in its own sandbox"),
}


def state_word(name: str) -> Word:
    """Return the state of a submission."""
    return _in_words(STATES.get(name, Word(name, "?", "closed")), STATE)


def step_state_word(name: str) -> Word:
    """Return the state of a check."""
    return _in_words(STEP_STATES.get(name, Word(name, "?", "closed")), STEP_STATE)


def step_words(name: str) -> str:
    """Return the name of a check."""
    return _(STEPS[name]) if name in STEPS else name


def card_field_words(names: Iterable[str]) -> str:
    """Return the names of model card fields in words, in the order of its form; empty for none."""
    wanted = list(names)
    known = [_(words) for name, words in CARD_FIELDS.items() if name in wanted]
    others = [name for name in wanted if name not in CARD_FIELDS]
    return ", ".join([*known, *others])


def _in_words(word: Word, context: str) -> Word:
    return replace(word, text=pgettext(context, word.text))
