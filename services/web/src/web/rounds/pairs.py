"""Fooling of targets in pairs: how many tries fooled both, only one, or neither."""

from dataclasses import dataclass

from dynabench_client.results.leaderboard import FoolingMatrix

from web.kit.numbers import count


@dataclass(frozen=True)
class FooledPairRow:
    """Counts of two targets: fooled together, alone, or not at all."""

    a: str
    b: str
    both: str
    only_a: str
    only_b: str
    neither: str


def pair_rows(matrix: FoolingMatrix | None) -> list[FooledPairRow]:
    """Return a row per pair of targets; none without a matrix."""
    return [
        FooledPairRow(
            pair.a, pair.b, count(pair.both), count(pair.only_a), count(pair.only_b), count(pair.neither)
        )
        for pair in (matrix.pairs if matrix else ())
    ]
