"""SQuAD's comparison of an answer with the gold answers (Rajpurkar et al. 2016)."""

import re
import string
from collections import Counter
from collections.abc import Iterable

ARTICLES = re.compile(r"\b(a|an|the)\b")
PUNCTUATION = str.maketrans("", "", string.punctuation)


def exact_match(answer: str, golds: Iterable[str]) -> bool:
    """Return whether the answer is one of the golds, but for case, punctuation, articles and spaces."""
    return any(_words(answer) == _words(gold) for gold in golds)


def token_f1(answer: str, golds: Iterable[str]) -> float:
    """F1 over bags of words, the best over the golds."""
    return max(_f1(_words(answer), _words(gold)) for gold in golds)


def _f1(answer: list[str], gold: list[str]) -> float:
    if not answer or not gold:
        return float(answer == gold)
    common = (Counter(answer) & Counter(gold)).total()
    return 2 * common / (len(answer) + len(gold))


def _words(text: str) -> list[str]:
    return ARTICLES.sub(" ", text.lower().translate(PUNCTUATION)).split()
