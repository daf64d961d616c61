"""Simulated rounds in which no word goes with a label: the rate of named words.

Each author makes a geometric number of examples and writes eight words into each, of a vocabulary of 400 by Zipf's
law. Labels and words depend on who writes, not on one another:

- `own words`: every author has label shares of their own, Dirichlet(1) around even ones, and word shares of their own,
  Dirichlet with 150 words' worth of the common ones;
- `own habits`: the same, and each author writes each label in words of their own, by chance, as one who has a topic
  for each; over authors no word goes with any label;
- `alike`: everyone draws from the same shares.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime

import numpy as np
from scoring.dataset.measurements.associations import Associations
from scoring.dataset.measurements.reading import Reader
from scoring.dataset.rows import ExampleRow, Field, Fields

KINDS = ("alike", "own words", "own habits")
AUTHORS = (6, 12, 25, 60)
ROUNDS = 200
SEED = 20_261_124
LABELS = ("contradiction", "entailment", "neutral")
VOCABULARY, WORDS, OWN = 400, 8, 150.0
FIELDS = Fields((), (Field("text", "string"),), Field("label", "multiclass"))
BLANK = ExampleRow(
    example_id="", context={}, input={}, label=None, golds=(), claimed=None, split=None, verdict="fooled",
    fooled=True, targets=(), resolution=None, votes=(), metadata={}, explanations=None, condition="",
    cohort="volunteer", segment=1, tags=(), author=None, created_at=datetime(2026, 3, 2, tzinfo=UTC),
)  # fmt: skip


@dataclass(frozen=True)
class Named:
    """Rounds of one kind: how many percent named a word."""

    name: str
    share: float


def null_rounds(rounds: int = ROUNDS) -> Iterator[Named]:
    """Simulate rounds of each kind and number of authors."""
    for place, (authors, kind) in enumerate((authors, kind) for authors in AUTHORS for kind in KINDS):
        dice = np.random.default_rng([SEED, place])
        named = sum(bool(names(null_round(dice, authors, kind))) for _ in range(rounds))
        yield Named(f"{authors} authors, {kind}", 100 * named / rounds)


def names(rows: list[ExampleRow]) -> list[str]:
    """Return the words that are named of these rows."""
    found, reader = Associations(), Reader(FIELDS)
    for batch in reader.read(rows):
        found.add(batch)
    found.choose()
    for batch in reader.read(rows):
        found.add_authors(batch)
    return [each["token"] for each in found.as_json()]


def null_round(dice: np.random.Generator, authors: int, kind: str) -> list[ExampleRow]:
    """Make one round, about 1,500 examples in all and at most 60 an author."""
    weights = 1 / np.arange(1, VOCABULARY + 1)
    common = weights / weights.sum()
    rows = []
    for author in range(authors):
        labels, shares = np.full(len(LABELS), 1 / len(LABELS)), [common] * len(LABELS)
        if kind != "alike":
            labels = dice.dirichlet(np.ones(len(LABELS)))
            own = dice.dirichlet(common * OWN + 1e-3)
            shares = [own] * len(LABELS)
            if kind == "own habits":
                shares = [dice.dirichlet(own * OWN + 1e-4) for _ in LABELS]
        for _ in range(5 + dice.geometric(1 / min(60, 1_500 // authors))):
            label = dice.choice(len(LABELS), p=labels)
            text = " ".join(f"w{word}" for word in dice.choice(VOCABULARY, WORDS, p=shares[label]))
            rows.append(replace(BLANK, input={"text": text}, label=LABELS[label], author=f"p{author}"))
    return rows
