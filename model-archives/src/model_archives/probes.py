"""Texts on which an exported graph must agree with its PyTorch model.

Made from parts by a fixed rule rather than drawn at random, so that every packaging run checks the same texts:
plain, negated, contrastive and mixed sentences, single words, other scripts, emoji, noise and long passages.
"""

from itertools import product

SUBJECTS = ("The film", "This little café", "My new phone", "Their support team", "Last night's concert")
VERDICTS = (
    "was wonderful",
    "was not bad at all",
    "never once kept its promise",
    "is scheduled for Tuesday",
    "could have been great, but it bored everyone",
    "made me laugh and then made me cry",
    "costs eleven dollars",
    "is the kind of thing you forgive exactly once",
)
ENDINGS = (".", "!", "?", " :-(", " 😂👍", "...")
ODDITIES = (
    "good",
    "meh",
    "Not.",
    "¿Qué tal la película? Maravillosa.",
    "この映画は退屈でした。",
    "Фильм так себе",
    "cafe\u0301 nai\u0308ve",
    "👩‍🚀🇬🇧1️⃣",
    "[SEP] [CLS] [MASK]",
    "<b>bold</b> & <script>alert(1)</script>",
    "a" * 300,
    "tab\tnew\nline\x07bell",
    "lone surrogate \ud83d here",
    "!!!???...,,,",
    "0 1 2 3 4 5 6 7 8 9",
)
REPETITIONS = (2, 5, 12, 30, 80)


def probe_texts() -> list[str]:
    """About 270 texts from one to a few thousand characters."""
    sentences = [
        f"{subject} {verdict}{ending}" for subject, verdict, ending in product(SUBJECTS, VERDICTS, ENDINGS)
    ]
    passages = [
        " ".join(sentences[(7 * start + step) % len(sentences)] for step in range(length))
        for start, length in enumerate(REPETITIONS)
    ]
    return [*sentences, *ODDITIES, *passages]
