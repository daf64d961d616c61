"""When two examples say nearly the same.

Texts are compared as sets of shingles, their overlapping runs of five characters, after letter case, Unicode form
and white space are evened out. The similarity is the share of shingles that two texts have in common (Jaccard), so
a word changed in a long sentence leaves it high and a word changed in a short one does not.
"""

import unicodedata
from collections.abc import Mapping
from typing import TypeAlias

from dynabench_common.values import Value

from annotation.domain.configuration.task_configuration import TaskConfiguration

Shingles: TypeAlias = frozenset[str]

SHINGLE_CHARACTERS = 5
LEAST_SIMILARITY = 0.8


def written_text(configuration: TaskConfiguration, written: Mapping[str, Value]) -> str:
    """Return what stands in the string fields of an input, one field a line; the claim is left out."""
    texts = configuration.texts({}, written)
    return "\n".join(texts[field.name] for field in configuration.fields.written if field.name in texts)


def shingles_of(text: str) -> Shingles:
    """Return the shingles of a text: the whole text if it is shorter than one, none if nothing is visible."""
    even = " ".join(unicodedata.normalize("NFKC", text).casefold().split())
    last = max(len(even) - SHINGLE_CHARACTERS, 0)
    return frozenset(even[start : start + SHINGLE_CHARACTERS] for start in range(last + 1)) - {""}


def similarity(one: Shingles, other: Shingles) -> float:
    """Return the share of all shingles that both have, in [0, 1]."""
    together = len(one | other)
    return len(one & other) / together if together else 0.0
