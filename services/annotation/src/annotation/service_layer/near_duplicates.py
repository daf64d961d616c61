"""The check for near duplicates of a text, made before it is submitted."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from dynabench_tasks.near_duplicates import LEAST_SIMILARITY, shingles_of, similarity

from annotation.domain.identifiers import ContextId, ExampleId, PersonId, RoundId
from annotation.domain.written_text import written_text
from annotation.service_layer.assignments import assigned_context
from annotation.service_layer.dependencies import Dependencies

MOST_SHOWN = 10


@dataclass(frozen=True)
class FindSimilar:
    """Find texts of a round that nearly equal a person's text on a context of theirs."""

    round_id: RoundId
    context_id: ContextId
    person_id: PersonId
    input: Mapping[str, object]


@dataclass(frozen=True)
class NearDuplicate:
    """An example of one's own, and how similar it is, in [0, 1]."""

    example_id: ExampleId
    text: str
    similarity: float


@dataclass(frozen=True)
class NearDuplicates:
    """The person's own most similar examples, and how many other people have written similar ones.

    Without an own one `others` is 0. Validators must not learn which of the texts before them are examples of the
    round, and which are attention checks.
    """

    own: Sequence[NearDuplicate]
    others: int


def find_similar(command: FindSimilar, app: Dependencies) -> NearDuplicates:
    """Return near duplicates that are not retracted. Raises NotFound, InputRefused, ContextNotAssigned."""
    with app.unit_of_work() as uow:
        round_, task = uow.rounds.get(command.round_id)
        context, _ = assigned_context(command.round_id, command.context_id, command.person_id, uow)
        written = task.configuration.check_written(command.input, context.fields)
        shingles = shingles_of(written_text(task.configuration, written))
        candidates = uow.minhashes.find_candidates(round_.round_id, shingles)
    own, others = [], 0
    for candidate in candidates:
        text = written_text(task.configuration, candidate.input)
        likeness = similarity(shingles, shingles_of(text))
        if likeness < LEAST_SIMILARITY:
            continue
        if candidate.author_id == command.person_id:
            own.append(NearDuplicate(candidate.example_id, text, round(likeness, 3)))
        else:
            others += 1
    own.sort(key=lambda duplicate: -duplicate.similarity)
    return NearDuplicates(own[:MOST_SHOWN], others if own else 0)
