"""Texts on which an exported graph must agree with its PyTorch model.

Made from parts by a fixed rule rather than drawn at random, so that every packaging run checks the same texts:
plain, negated, contrastive and mixed sentences, single words, other scripts, emoji, noise and long passages.
"""

from itertools import product
from pathlib import Path

from model_archives.handlers.description import Description
from model_archives.handlers.encoded_text import EncodedText
from model_archives.handlers.reading import load_reader
from model_archives.handlers.tokenisation import declared_reading
from model_archives.handlers.windows import WindowTokenizer

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
# Between the texts of one instance: coprime to their number, so that every text stands in every field once.
FIELD_STEP = 7


def probe_texts() -> list[str]:
    """About 60 texts from one to a few thousand characters."""
    sentences = [
        f"{subject} {verdict}{ENDINGS[index % len(ENDINGS)]}"
        for index, (subject, verdict) in enumerate(product(SUBJECTS, VERDICTS))
    ]
    passages = [
        " ".join(sentences[(7 * start + step) % len(sentences)] for step in range(length))
        for start, length in enumerate(REPETITIONS)
    ]
    return [*sentences, *ODDITIES, *passages]


def probe_inputs(folder: Path, description: Description) -> list[EncodedText]:
    """The probe texts as the checkpoint in `folder` reads them, combined where it has several fields."""
    instances = probe_instances(len(description.fields))
    if description.task_type == "extractive-qa":
        tokenizer = WindowTokenizer(declared_reading(folder), description.max_tokens)
        return [window for texts in instances for window in tokenizer.encode(*texts).windows]
    reader = load_reader(folder, description)
    return [reader.encode(*texts) for texts in instances]


def probe_instances(fields: int) -> list[tuple[str, ...]]:
    """Every probe text in the first field, with others in the further ones."""
    texts = probe_texts()
    return [
        tuple(texts[(index + FIELD_STEP * field) % len(texts)] for field in range(fields))
        for index in range(len(texts))
    ]
