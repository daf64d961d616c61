"""Record with everything that a dataset's card and Croissant need."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from scoring.dataset.rows import Fields
from scoring.dataset.splits import SplitSize

SPDX_IDENTIFIER = re.compile(r"[A-Za-z0-9.+-]+")
CARD, CROISSANT, CHECKSUMS, MANIFEST = "README.md", "croissant.json", "SHA256SUMS", "manifest.json"
LINES_CARD, PICTURES = "jsonl/README.md", "pictures.zip"
"""Paths of a dataset's files other than the data."""
FORMAT = 2
"""The format of a dataset's columns and files. Released datasets keep theirs; format 1 is without the number.

2: model digests, probabilities and confidence of answers; times, seconds and judgements of votes, and uncounted votes;
contexts, attempts, assigned labels, probes, perturbed examples and records of collections; disputed examples; the
types of JSON lines; the archive of pictures.
"""


@dataclass(frozen=True, slots=True)
class DataFile:
    """A file of a dataset; `split` and `examples` are those of data files alone, `sha256` is in hexadecimal."""

    path: str
    media_type: str
    size: int
    sha256: str
    split: str | None = None
    examples: int | None = None


@dataclass(frozen=True, slots=True)
class Dataset:
    """A released round, described.

    `as_of` is the newest fact in it, which stands for a date of publication: the same facts make the same files.
    `validation` and `labels` are those of the round's newest configuration; `excluded` counts by reason what stands
    in no split, `waiting` how many examples votes are still asked for; `counts` are those of `summary.Summary` over
    the dataset; `collected` are counts, shares and the agreement of votes over the whole round. `digests` are the
    models of each target.
    """

    name: str
    version: int
    description: str
    licence: str
    languages: tuple[str, ...]
    task_slug: str
    task_title: str
    content_warning: str
    round_number: int
    round_title: str
    origin: str
    source: str
    targets: tuple[str, ...]
    digests: Mapping[str, Sequence[str]]
    segments: int
    fields: Fields
    labels: tuple[str, ...]
    validation: Mapping[str, Any]
    seed: int
    splits: Mapping[str, SplitSize]
    largest_author_share: float
    excluded: Mapping[str, int]
    counts: Mapping[str, Any]
    collected: Mapping[str, Any]
    as_of: datetime
    files: Sequence[DataFile]
    waiting: int = 0

    def loaded(self, ending: str) -> Sequence[DataFile]:
        """Return the data files of a form that loaders take: loaders fail on splits without examples."""
        return [file for file in self.files if file.path.endswith(ending) and file.examples]

    @property
    def pictures(self) -> DataFile | None:
        """Return the archive of pictures, if examples have any."""
        return next((file for file in self.files if file.path == PICTURES), None)

    @property
    def title(self) -> str:
        """Return the name that people read."""
        return f"{self.task_title}, round {self.round_number}"

    @property
    def has_spdx_licence(self) -> bool:
        """Return whether the licence is written as an SPDX identifier, not as an address or in other words."""
        return SPDX_IDENTIFIER.fullmatch(self.licence) is not None

    @property
    def citation(self) -> str:
        """Return the dataset as BibTeX."""
        key = self.name.replace("-", "_")
        return (
            f"@misc{{{key}_v{self.version},\n"
            f"  title = {{{self.title} ({self.name}, version {self.version})}},\n"
            f"  author = {{{{Dynabench contributors}}}},\n"
            f"  year = {{{self.as_of.year}}},\n"
            f"  note = {{Dynamically collected dataset}}\n}}"
        )
