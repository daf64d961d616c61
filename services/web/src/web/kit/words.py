"""The words, signs and colours of verdicts, states and resolutions: one table each, nowhere else."""

from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from dynabench_tasks.fields.labels import Meaning

from web.kit.language import N_, NC_, _, pgettext
from web.kit.numbers import MISSING

LABEL_COLOURS = 8
VERDICT, STATE, RESOLUTION = "verdict", "state of a round", "resolution"
"""The contexts of words that mean something else elsewhere."""


@dataclass(frozen=True)
class Word:
    """A state in words, with its sign and the class that gives it a colour; the tables hold the English words."""

    text: str
    sign: str
    style: str


@dataclass(frozen=True)
class LabelView:
    """A label with its colour, which it keeps wherever it is shown; `key` chooses it, `meaning` says it plainly."""

    name: str
    style: str
    key: str = ""
    is_chosen: bool = False
    meaning: Meaning | None = None


VERDICTS = {
    "fooled": Word(NC_("verdict", "Fooled"), "◆", "fooled"),
    "not_fooled": Word(NC_("verdict", "Not fooled"), "✓", "not-fooled"),
    "undecided": Word(NC_("verdict", "You decide"), "?", "your-call"),
    "unknown": Word(NC_("verdict", "No verdict"), "–", "no-verdict"),
}
NOBODY_ASKED = Word(NC_("verdict", "Stored"), "–", "no-verdict")
ROUND_STATES = {
    "draft": Word(NC_("state of a round", "Draft"), "○", "draft"),
    "open": Word(NC_("state of a round", "Open"), "●", "open"),
    "paused": Word(NC_("state of a round", "Paused"), "‖", "paused"),
    "closed": Word(NC_("state of a round", "Closed"), "■", "closed"),
    "released": Word(NC_("state of a round", "Released"), "◼", "released"),
}
RESOLUTIONS = {
    "correct": Word(NC_("resolution", "People agree with the author"), "✓", "correct"),
    "incorrect": Word(NC_("resolution", "People disagree with the author"), "✕", "incorrect"),
    "flagged": Word(NC_("resolution", "Found unfit"), "⚑", "flagged"),
    "disputed": Word(NC_("resolution", "No agreement"), "≠", "disputed"),
}
OWN_RESOLUTIONS = {
    **RESOLUTIONS,
    "correct": Word(NC_("resolution", "People agree with you"), "✓", "correct"),
    "incorrect": Word(NC_("resolution", "People disagree with you"), "✕", "incorrect"),
}
"""The same for the author."""
DECISIONS = {
    **RESOLUTIONS,
    "correct": Word(NC_("resolution", "The author is right"), "✓", "correct"),
    "incorrect": Word(NC_("resolution", "The author is wrong"), "✕", "incorrect"),
}
"""The same where one person decided."""
RUNNING_RESOLUTIONS = {
    "correct": N_("people agree"),
    "incorrect": N_("people disagree"),
    "flagged": N_("found unfit"),
    "disputed": N_("no agreement"),
}
"""The same in charts and lists, short."""


def in_words(word: Word, context: str) -> Word:
    """Return a word of a table in the reader's language."""
    return replace(word, text=pgettext(context, word.text))


def verdict(name: str) -> Word:
    """Return the word for a verdict; a newer platform's own word if it is unknown here."""
    found = VERDICTS.get(name) or Word(name.replace("_", " ").capitalize(), "–", "no-verdict")
    return in_words(found, VERDICT)


def nobody_asked() -> Word:
    """Return the word for a try that no model was asked about."""
    return in_words(NOBODY_ASKED, VERDICT)


def round_state(name: str) -> Word:
    """Return the word for the state of a round."""
    return in_words(ROUND_STATES.get(name) or Word(name.capitalize(), "○", "draft"), STATE)


def resolution(name: str | None, known: Mapping[str, Word] = RESOLUTIONS) -> Word | None:
    """Return the words for a resolution, if there is one."""
    if name is None:
        return None
    found = known.get(name) or Word(name.replace("_", " ").capitalize(), "–", "disputed")
    return in_words(found, RESOLUTION)


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
    "ar": N_("Arabic"),
    "de": N_("German"),
    "en": N_("English"),
    "es": N_("Spanish"),
    "fr": N_("French"),
    "hi": N_("Hindi"),
    "it": N_("Italian"),
    "ja": N_("Japanese"),
    "ko": N_("Korean"),
    "nl": N_("Dutch"),
    "pl": N_("Polish"),
    "pt": N_("Portuguese"),
    "ru": N_("Russian"),
    "sv": N_("Swedish"),
    "sw": N_("Swahili"),
    "tr": N_("Turkish"),
    "uk": N_("Ukrainian"),
    "zh": N_("Chinese"),
}


def language_words(codes: Sequence[str]) -> str:
    """Return languages by their names; a code that is unknown here stays a code."""
    return ", ".join(_(LANGUAGES[code]) if code in LANGUAGES else code for code in codes)


ORIGINS = {
    "": N_("written here"),
    "imported": N_("imported"),
    "harvested": N_("harvested"),
    "demonstration": N_("demonstration"),
}


def origin_words(origin: str) -> str:
    """Return where a round's examples come from."""
    return _(ORIGINS[origin]) if origin in ORIGINS else origin


AGREEMENT_BASES = {
    "all_votes": N_("over all votes of each example"),
    "first_two_votes": N_(
        "over the first two votes of each example, since later ones exist only where those differ"
    ),
}
VOTING_RULES = {
    "votes": N_("%(number)s votes"),
    "agree": N_("%(number)s must agree"),
    "max_votes": N_("%(number)s votes at most"),
}
METRICS = {
    "accuracy": N_("Right answers"),
    "macro_f1": N_("F1, averaged over the labels"),
    "exact_match": N_("Exact answers"),
    "squad_f1": N_("F1 of the words in the answers"),
    "text_f1": N_("F1 of the answers, in the task's languages"),
}
"""The names of the answer metrics."""


def voting_policy_words(policy: Mapping[str, Any]) -> str:
    """Return a voting policy in words, for example `fixed: 5 votes, 3 must agree`."""
    for name, numbers in policy.items():
        if isinstance(numbers, Mapping):
            rules = [
                _(VOTING_RULES[key], number=number) if key in VOTING_RULES else f"{number} {key}"
                for key, number in numbers.items()
            ]
            return _("%(policy)s: %(rules)s", policy=name, rules=", ".join(rules))
    return MISSING
