"""The words, signs and colours of verdicts, states and resolutions: one table each, nowhere else."""

from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from web.kit.numbers import MISSING

LABEL_COLOURS = 8


@dataclass(frozen=True)
class Word:
    """A state in words, with its sign and the class that gives it a colour."""

    text: str
    sign: str
    style: str


@dataclass(frozen=True)
class LabelView:
    """A label with its colour, which it keeps wherever it is shown; `key` chooses it."""

    name: str
    style: str
    key: str = ""
    is_chosen: bool = False


VERDICTS = {
    "fooled": Word("Fooled", "◆", "fooled"),
    "not_fooled": Word("Not fooled", "✓", "not-fooled"),
    "undecided": Word("Your call", "?", "your-call"),
    "unknown": Word("No verdict", "–", "no-verdict"),
}
NOBODY_ASKED = Word("Stored", "–", "no-verdict")
ROUND_STATES = {
    "draft": Word("Draft", "○", "draft"),
    "open": Word("Open", "●", "open"),
    "paused": Word("Paused", "‖", "paused"),
    "closed": Word("Closed", "■", "closed"),
    "released": Word("Released", "◼", "released"),
}
RESOLUTIONS = {
    "correct": Word("Correct", "✓", "correct"),
    "incorrect": Word("Incorrect", "✕", "incorrect"),
    "flagged": Word("Flagged", "⚑", "flagged"),
    "disputed": Word("Disputed", "≠", "disputed"),
}


def verdict(name: str) -> Word:
    """Return the word for a verdict; a newer platform's own word if it is unknown here."""
    return VERDICTS.get(name) or Word(name.replace("_", " ").capitalize(), "–", "no-verdict")


def round_state(name: str) -> Word:
    """Return the word for the state of a round."""
    return ROUND_STATES.get(name) or Word(name.capitalize(), "○", "draft")


def resolution(name: str | None) -> Word | None:
    """Return the word for a resolution, if there is one."""
    if name is None:
        return None
    return RESOLUTIONS.get(name) or Word(name.replace("_", " ").capitalize(), "–", "disputed")


def labels(names: Sequence[str], chosen: Container[str] = (), *, with_keys: bool = False) -> list[LabelView]:
    """Return labels with their colours, by position; the first nine may have digits as keys."""
    return [
        LabelView(
            name, style_of(position), str(position + 1) if with_keys and position < 9 else "", name in chosen
        )
        for position, name in enumerate(names)
    ]


def label(name: str, names: Sequence[str]) -> LabelView:
    """Return one label with the colour that its task gives it; grey for one that is none of the task's."""
    return LabelView(name, style_of(names.index(name)) if name in names else "label-other")


def style_of(position: int) -> str:
    """Return the class that gives a label its colour."""
    return f"label-{position % LABEL_COLOURS + 1}"


LANGUAGES = {
    "ar": "Arabic",
    "de": "German",
    "en": "English",
    "es": "Spanish",
    "fr": "French",
    "hi": "Hindi",
    "it": "Italian",
    "ja": "Japanese",
    "ko": "Korean",
    "nl": "Dutch",
    "pl": "Polish",
    "pt": "Portuguese",
    "ru": "Russian",
    "sv": "Swedish",
    "sw": "Swahili",
    "tr": "Turkish",
    "uk": "Ukrainian",
    "zh": "Chinese",
}


def language_words(codes: Sequence[str]) -> str:
    """Return languages by their names; a code that is unknown here stays a code."""
    return ", ".join(LANGUAGES.get(code, code) for code in codes)


ORIGINS = {"": "written here", "imported": "imported", "harvested": "harvested"}


def origin_words(origin: str) -> str:
    """Return where a round's examples come from."""
    return ORIGINS.get(origin, origin)


AGREEMENT_BASES = {
    "all_votes": "over all votes of each example",
    "first_two_votes": "over the first two votes of each example, since later ones exist only where those differ",
}
VOTING_RULES = {"votes": "votes", "agree": "must agree", "max_votes": "votes at most"}


def voting_policy_words(policy: Mapping[str, Any]) -> str:
    """Return a voting policy in words, for example `fixed: 5 votes, 3 must agree`."""
    for name, numbers in policy.items():
        if isinstance(numbers, Mapping):
            said = [f"{number} {VOTING_RULES.get(key, key)}" for key, number in numbers.items()]
            return f"{name}: {', '.join(said)}"
    return MISSING
