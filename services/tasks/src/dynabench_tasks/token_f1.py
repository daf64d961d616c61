"""Token F1 of two answers, as SQuAD defines it (Rajpurkar et al., 2016, the official evaluation script)."""

import re
import string
from collections import Counter

ARTICLES = re.compile(r"\b(a|an|the)\b")
PUNCTUATION = str.maketrans("", "", string.punctuation)


def normalised_tokens(text: str) -> list[str]:
    """Return the text's tokens: lower case, without ASCII punctuation and English articles, split at white space."""
    return ARTICLES.sub(" ", text.lower().translate(PUNCTUATION)).split()


def token_f1(answer: str, gold: str) -> float:
    """Return the F1, 0 to 1, of two texts as bags of tokens; two texts without tokens are equal."""
    mine, theirs = normalised_tokens(answer), normalised_tokens(gold)
    if not mine or not theirs:
        return float(mine == theirs)
    shared = (Counter(mine) & Counter(theirs)).total()
    return 2 * shared / (len(mine) + len(theirs))
