"""Response schemas of the fooling matrix."""

from dataclasses import asdict
from typing import Any, Self
from uuid import UUID

from pydantic import BaseModel, Field

from leaderboard.domain.matrix import Matrix, RoundMatrix


class PatternAnswer(BaseModel):
    """The tries that fooled exactly these targets."""

    fooled: list[str]
    tries: int
    validated: int = Field(description="Tries for which votes confirmed the error of every fooled target")


class PairAnswer(BaseModel):
    """How often two targets were fooled together, alone, or not at all."""

    a: str
    b: str
    both: int
    only_a: int
    only_b: int
    neither: int


class MatrixAnswer(BaseModel):
    """Which tries fooled which targets; retracted tries and those without a verdict are left out."""

    targets: list[str]
    answered_by_all: int = Field(description="Tries that every target answered: those of patterns and pairs")
    incomplete: int = Field(description="Tries that some of the targets did not answer")
    not_asked: int = Field(
        description="Of these, tries on which a target was not asked, since one of an earlier tier was right"
    )
    patterns: list[PatternAnswer] = Field(description="Those that occur, most tries first")
    pairs: list[PairAnswer]


class SegmentMatrixAnswer(MatrixAnswer):
    """The matrix of a segment, over the targets that ran in it."""

    segment_id: UUID
    number: int | None


class RoundMatrixAnswer(MatrixAnswer):
    """The matrix of a round, over the targets that it names, and of each segment."""

    round_id: UUID
    segments: list[SegmentMatrixAnswer]

    @classmethod
    def of(cls, round_id: UUID, found: RoundMatrix) -> Self:
        """Return the answer for a round's matrix."""
        return cls(
            **_matrix(found.whole),
            round_id=round_id,
            segments=[
                SegmentMatrixAnswer(**_matrix(each.matrix), segment_id=each.segment_id, number=each.number)
                for each in found.segments
            ],
        )


def _matrix(matrix: Matrix) -> dict[str, Any]:
    return {
        "targets": list(matrix.targets),
        "answered_by_all": matrix.answered_by_all,
        "incomplete": matrix.incomplete,
        "not_asked": matrix.not_asked,
        "patterns": [PatternAnswer(**asdict(pattern)) for pattern in matrix.patterns],
        "pairs": [PairAnswer(**asdict(pair)) for pair in matrix.pairs],
    }
