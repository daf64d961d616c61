"""Names for emoji, because word-piece vocabularies of English encoders turn every emoji into [UNK].

Our baselines are trained so, and say it in their configuration. Names come from the Unicode database of the
interpreter, so there is no table to keep up to date.
"""

import re
import unicodedata

ZERO_WIDTH_JOINER = "\u200d"
VARIATION_SELECTORS = "\ufe0e\ufe0f"
KEYCAP = "\u20e3"
SKIN_TONES = {
    "\U0001f3fb": "light skin tone",
    "\U0001f3fc": "medium light skin tone",
    "\U0001f3fd": "medium skin tone",
    "\U0001f3fe": "medium dark skin tone",
    "\U0001f3ff": "dark skin tone",
}
REGIONAL_INDICATOR_A = 0x1F1E6
SYMBOL = r"[\u2300-\u23ff\u2600-\u27bf\u2b00-\u2bff\U0001f000-\U0001faff]"
TAG = r"[\U000e0020-\U000e007f]"
MODIFIER = rf"[{VARIATION_SELECTORS}\U0001f3fb-\U0001f3ff]"

# A sequence is one picture to its reader: flags, and symbols with modifiers, tags and joiners.
SEQUENCE = re.compile(
    r"[\U0001f1e6-\U0001f1ff]{2}"
    rf"|{SYMBOL}{MODIFIER}*{TAG}*(?:{ZERO_WIDTH_JOINER}{SYMBOL}{MODIFIER}*)*"
    rf"|[0-9#*]{VARIATION_SELECTORS[1]}?{KEYCAP}"
)
# Older symbols are named after how they are printed ("HEAVY BLACK HEART"), which is not what they mean.
PRINTING_WORDS = re.compile(r"\b(?:heavy|black|white)\b ?")
FIRST_PICTOGRAPH = 0x1F000


def name_of(sequence: str) -> str | None:
    """Plain words for one emoji sequence, or None where the Unicode database names no part of it."""
    if sequence[-1] == KEYCAP:
        return f"keycap {sequence[0]}"
    if all(is_regional_indicator(character) for character in sequence):
        letters = "".join(chr(ord("a") + ord(character) - REGIONAL_INDICATOR_A) for character in sequence)
        return f"flag {letters}"
    words = [word for word in map(_character_name, sequence) if word]
    return " ".join(words) or None


def is_regional_indicator(character: str) -> bool:
    """Whether the character is one half of a flag."""
    return 0 <= ord(character) - REGIONAL_INDICATOR_A < 26


def _character_name(character: str) -> str:
    if character in SKIN_TONES:
        return SKIN_TONES[character]
    if character == ZERO_WIDTH_JOINER or character in VARIATION_SELECTORS or ord(character) >= 0xE0000:
        return ""
    name = unicodedata.name(character, "").lower().replace("-", " ")
    return name if ord(character) >= FIRST_PICTOGRAPH else PRINTING_WORDS.sub("", name)
