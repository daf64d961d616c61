"""Write a dataset of very many examples as a release does, read it back and measure it: time and memory.

Words follow Zipf's law, about every hundredth is one that nobody wrote before; one author wrote a tenth, a hundredth
of the texts come twice. It runs in a process of its own, so that its peak is that of this work alone. Usage:
`python -m tests.scale.streaming NUMBER` prints the result as JSON; `make scale` has a row of it.
"""

import json
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from uuid import UUID

import numpy as np
from scoring.adapters.dataset_files import DatasetFiles
from scoring.dataset.measurements import measure
from scoring.dataset.rows import ExampleRow, Field, Fields, TargetAnswer, Vote

from tests.figures import Figure, at_most, plain

LARGEST_BYTES = 2 * 1024**3
FIELDS = Fields((Field("prompt", "string"),), (Field("text", "string"),), Field("label", "multiclass"))
LABELS = ("negative", "neutral", "positive")
WORDS, AUTHORS, WORDS_PER_TEXT = 50_000, 10_000, 16
PIECE = 10_000
MOMENT = datetime(2026, 1, 1, tzinfo=UTC)


def figures(examples: int) -> Iterator[Figure]:
    """Write, read and measure so many."""
    command = [sys.executable, "-m", "tests.scale.streaming", str(examples)]
    found = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    for done in ("written", "read twice and measured"):
        key = done.split()[-1]
        name = f"dataset of {examples:,} examples: {done} in"
        yield plain(name, found[f"{key}_s"], "s")
        yield plain(f"{name}, of it processor time", found[f"{key}_processor_s"], "s")
    name = f"dataset of {examples:,} examples: most memory while written and measured"
    yield at_most(name, found["peak_bytes"] / 2**20, "MiB", LARGEST_BYTES / 2**20)


def rows(examples: int) -> Iterator[ExampleRow]:
    """Yield rows whose texts and authors are distributed as above; the same ones each time."""
    generator = np.random.default_rng(11)
    weights = 1 / np.arange(1, WORDS + 1)
    weights /= weights.sum()
    for start in range(0, examples, PIECE):
        size = min(PIECE, examples - start)
        words = generator.choice(WORDS, size=(size, WORDS_PER_TEXT), p=weights)
        authors = generator.integers(1, AUTHORS, size) * (generator.random(size) > 0.1)
        labels = generator.integers(0, len(LABELS), size)
        for each in range(size):
            number = start + each
            spelt = [f"w{word:x}" for word in words[each - (number % 100 == 99 and each > 0)]]
            if number % 6 == 0:
                spelt.append(f"n{number:x}")
            yield _row(number, " ".join(spelt), LABELS[labels[each]], f"p{authors[each]}")


def _row(number: int, text: str, label: str, author: str) -> ExampleRow:
    return ExampleRow(
        example_id=str(UUID(int=number)), context={"prompt": f"Say something of {number % 1_000}."},
        input={"text": text}, label=label, golds=(label,), claimed=label, split=("train", "dev", "test")[number % 3],
        verdict="fooled", fooled=True, targets=(TargetAnswer("cnn", LABELS[number % 3], True),),
        resolution="correct", votes=tuple(Vote(label, f"p{number % 97 + each}") for each in range(3)),
        metadata={}, explanations=None, condition="", cohort="volunteer", segment=1, tags=("any",), author=author,
        created_at=MOMENT,
    )  # fmt: skip


def main(examples: int) -> dict[str, float]:
    """Return seconds of writing and of measuring, by the clock and of the processor, and the most bytes held."""
    files, found = DatasetFiles(), {}
    with tempfile.TemporaryDirectory() as name:
        for done, work in (
            ("written", lambda: files.write(Path(name), rows(examples), FIELDS)),
            ("measured", lambda: measure(files.read_measured(Path(name), FIELDS), FIELDS, LABELS)),
        ):
            began, processor = time.monotonic(), time.process_time()
            work()
            found[f"{done}_s"] = time.monotonic() - began
            found[f"{done}_processor_s"] = time.process_time() - processor
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    return {**found, "peak_bytes": peak}


if __name__ == "__main__":
    print(json.dumps(main(int(sys.argv[1]))))
