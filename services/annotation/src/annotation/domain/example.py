"""An example: a stored try, its verdict, and its author's later actions on it."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta

from dynabench_events import example as published
from dynabench_events.example import (
    DuplicateOverruled,
    ExampleCreated,
    ExampleExplained,
    ExampleRetracted,
    ImportedVote,
    MetadataGiven,
    VerdictDecided,
)
from dynabench_events.history import Aggregate
from dynabench_tasks.fields import InputRefused
from dynabench_tasks.text import validate_text
from dynabench_tasks.values import Value, to_text
from dynabench_tasks.verdict import Ensemble, Verdict

from annotation.domain.identifiers import NOBODY, ContextId, ExampleId, PersonId, RoundId, SegmentId, TaskId
from annotation.domain.provenance import Provenance
from annotation.domain.verdict import Answer, Answers, MissingAnswer, TargetAnswer, UnaskedAnswer, decide

LONGEST_EXPLANATION = 1_000
NOT_ASKED = "not asked"
TIME_TO_DECIDE = timedelta(days=1)
"""Time for an author to decide which answers are wrong; then none is, and the try counts as failed."""


class NotTheAuthor(Exception):
    """Only the author may do this to an example."""


class NothingToDecide(Exception):
    """The verdict is decided already, no answer waits for the author's word, or the example is withdrawn."""


class NoDuplicate(Exception):
    """The example is not marked as a duplicate, or an owner has overruled the mark."""


class OwnExample(Exception):
    """Owners decide nothing about examples that they wrote."""


@dataclass(eq=False)
class TargetDidNotAnswer(Exception):
    """The example has no answer of this target."""

    target: str
    answered: tuple[str, ...]


@dataclass(frozen=True)
class Explanations:
    """The author's reasons: for the claimed label, and for why the model was, or might have been, fooled."""

    label: str = ""
    model: str = ""

    def checked(self) -> "Explanations":
        """Return these texts. Raises InputRefused if one can't be kept."""
        for name, text in (("label", self.label), ("model", self.model)):
            flaw = validate_text(text, LONGEST_EXPLANATION, may_be_blank=True)
            if flaw is not None:
                raise InputRefused(f"explanations.{name}", flaw.reason, flaw.remedy)
        return self

    def changed(self, label: str | None, model: str | None) -> "Explanations":
        """Return these texts with the given ones put in place of the old. Raises InputRefused."""
        given = {"label": label, "model": model}
        return replace(self, **{name: text for name, text in given.items() if text is not None}).checked()


@dataclass(frozen=True)
class ProbeCounts:
    """Counts of a person's probes of a round's targets: sandbox predictions, and inspections."""

    probes: int
    inspections: int


@dataclass(frozen=True, kw_only=True)
class Attempt:
    """A try at its submission: author, context, input, claim and circumstances.

    A field with a default is unknown for an imported record.
    `number` counts the author's tries on the context from 1; `seconds_since_context` runs from the assignment;
    probes and inspections are those the author had made in the round before. `claimed` is None, and `author_id` is
    NOBODY, where an imported record does not say. `pasted_characters` are published and not stored here.
    """

    task_id: TaskId
    task_slug: str
    configuration_version: int
    round_id: RoundId
    context_id: ContextId
    context: Mapping[str, Value]
    context_tags: tuple[str, ...]
    input: Mapping[str, Value]
    claimed: Value | None
    assigned_label: str = ""
    perturbation_of: ExampleId | None = None
    author_id: PersonId
    cohort: str
    condition: str
    number: int
    seconds_since_context: float = 0.0
    probes_before: int = 0
    inspections_before: int = 0
    hint_shown: bool = False
    pasted_characters: int | None = None


@dataclass(kw_only=True)
class Example(Aggregate):
    """A try with its verdict; `milliseconds` is how long the targets took together.

    `duplicate_of` is an earlier example that fooled with nearly the same text; `overruled_at` is when an owner let it
    count.
    """

    example_id: ExampleId
    attempt: Attempt
    segment_id: SegmentId | None
    answers: Answers
    verdict: Verdict
    milliseconds: float
    created_at: datetime
    metadata: Mapping[str, Value] = field(default_factory=dict)
    explanations: Explanations = Explanations()
    retracted_at: datetime | None = None
    provenance: Provenance | None = None
    duplicate_of: ExampleId | None = None
    overruled_at: datetime | None = None
    text_digest: bytes | None = field(default=None, repr=False)

    @classmethod
    def create(
        cls,
        example_id: ExampleId,
        attempt: Attempt,
        segment_id: SegmentId | None,
        answers: Answers,
        verdict: Verdict,
        milliseconds: float,
        metadata: Mapping[str, Value],
        now: datetime,
        provenance: Provenance | None = None,
        votes: tuple[ImportedVote, ...] = (),
        duplicate_of: ExampleId | None = None,
    ) -> "Example":
        """Return a new example; one made from a record keeps its provenance, and its event contains its votes."""
        example = cls(
            example_id=example_id,
            attempt=attempt,
            segment_id=segment_id,
            answers=answers,
            verdict=verdict,
            milliseconds=milliseconds,
            created_at=now,
            metadata=metadata,
            provenance=provenance,
            duplicate_of=duplicate_of,
        )
        example.record(_created(example, votes))
        return example

    def ensure_author(self, person_id: PersonId) -> None:
        """Raise NotTheAuthor for anybody else."""
        if person_id != self.attempt.author_id:
            raise NotTheAuthor

    def explain(self, explanations: Explanations, now: datetime) -> None:
        """Put these texts in place of the old ones; the same texts change nothing."""
        if explanations == self.explanations:
            return
        self.explanations = explanations
        self.record(
            ExampleExplained(
                example_id=self.example_id,
                round_id=self.attempt.round_id,
                label_explanation=explanations.label,
                model_explanation=explanations.model,
                explained_at=now,
            )
        )

    def describe(self, metadata: Mapping[str, Value], now: datetime) -> None:
        """Put this metadata in place of the old; the same changes nothing."""
        if metadata == self.metadata:
            return
        self.metadata = metadata
        self.record(
            MetadataGiven(
                example_id=self.example_id,
                round_id=self.attempt.round_id,
                metadata=_texts(metadata),
                given_at=now,
            )
        )

    def decide(
        self,
        wrong_targets: Collection[str],
        ensemble: Ensemble,
        now: datetime,
        find_equal: Callable[[], ExampleId | None] = lambda: None,
    ) -> None:
        """Take the author's word on which answers are wrong, once.

        `find_equal` looks for an earlier example that fooled with an equal text. Raises NothingToDecide,
        TargetDidNotAnswer.
        """
        asked = [
            each.target for each in self.answers if isinstance(each, TargetAnswer) and each.wrong is None
        ]
        if not asked or self.retracted_at is not None:
            raise NothingToDecide
        for target in wrong_targets:
            if target not in asked:
                raise TargetDidNotAnswer(target, tuple(asked))
        self._decide(wrong_targets, ensemble, now, find_equal)

    def decide_by_silence(self, ensemble: Ensemble, now: datetime) -> None:
        """Count no answer as wrong, since the author has not decided: an undecided try did not fool.

        If no decision is pending, nothing changes.
        """
        if self.verdict is Verdict.UNDECIDED and any(
            isinstance(each, TargetAnswer) and each.wrong is None for each in self.answers
        ):
            self._decide((), ensemble, now, lambda: None)

    def _decide(
        self,
        wrong_targets: Collection[str],
        ensemble: Ensemble,
        now: datetime,
        find_equal: Callable[[], ExampleId | None],
    ) -> None:
        self.answers = tuple(
            replace(each, wrong=each.target in wrong_targets)
            if isinstance(each, TargetAnswer) and each.wrong is None
            else each
            for each in self.answers
        )
        self.verdict = decide(ensemble, self.answers) or Verdict.UNDECIDED
        self.duplicate_of = find_equal() if self.verdict is Verdict.FOOLED else None
        wrong = tuple(each.target for each in self.answers if isinstance(each, TargetAnswer) and each.wrong)
        self.record(
            VerdictDecided(
                example_id=self.example_id,
                round_id=self.attempt.round_id,
                verdict=self.verdict,
                wrong_targets=wrong,
                decided_at=now,
                duplicate_of=self.duplicate_of,
            )
        )

    @property
    def is_duplicate(self) -> bool:
        """Return whether it is a duplicate of an earlier fooling, not overruled by an owner."""
        return self.duplicate_of is not None and self.overruled_at is None

    def overrule(self, owner_id: PersonId, reason: str, now: datetime) -> None:
        """Let it count although its text is equal to an earlier one. Raises NoDuplicate or OwnExample."""
        if owner_id == self.attempt.author_id:
            raise OwnExample
        if not self.is_duplicate:
            raise NoDuplicate
        self.overruled_at = now
        self.record(
            DuplicateOverruled(
                example_id=self.example_id,
                round_id=self.attempt.round_id,
                overruled_by=owner_id,
                reason=reason,
                overruled_at=now,
            )
        )

    @property
    def counts_as_fooling(self) -> bool:
        """Return whether the example is one of the context's foolings."""
        return self.verdict is Verdict.FOOLED and self.retracted_at is None and not self.is_duplicate

    def retract(self, ensemble: Ensemble, now: datetime) -> None:
        """Withdraw the example, once; withdrawing it again changes nothing.

        A try whose author had not decided yet counts as one that did not fool. So withdrawing does not hide a failure.
        """
        if self.retracted_at is not None:
            return
        self.decide_by_silence(ensemble, now)
        self.retracted_at = now
        self.record(
            ExampleRetracted(example_id=self.example_id, round_id=self.attempt.round_id, retracted_at=now)
        )

    def answer_of(self, target: str) -> TargetAnswer:
        """Return the target's answer. Raises TargetDidNotAnswer."""
        answered = {answer.target: answer for answer in self.answers if isinstance(answer, TargetAnswer)}
        if target not in answered:
            raise TargetDidNotAnswer(target, tuple(answered))
        return answered[target]


def _created(example: Example, votes: tuple[ImportedVote, ...]) -> ExampleCreated:
    """Return the event of an example with the votes that came with it."""
    attempt = example.attempt
    return ExampleCreated(
        example_id=example.example_id,
        task_id=attempt.task_id,
        task_slug=attempt.task_slug,
        round_id=attempt.round_id,
        segment_id=example.segment_id,
        context_id=attempt.context_id,
        context=_texts(attempt.context),
        input=_texts(attempt.input),
        claimed="" if attempt.claimed is None else to_text(attempt.claimed),
        answers=tuple(_target_answer(answer) for answer in example.answers),
        verdict=example.verdict,
        author_id=None if attempt.author_id == NOBODY else attempt.author_id,
        cohort=attempt.cohort,
        condition=attempt.condition,
        attempt=attempt.number,
        seconds_since_context=attempt.seconds_since_context,
        probes_before=attempt.probes_before,
        inspections_before=attempt.inspections_before,
        hint_shown=attempt.hint_shown,
        configuration_version=attempt.configuration_version,
        created_at=example.created_at,
        metadata=_texts(example.metadata),
        perturbation_of=attempt.perturbation_of,
        context_tags=attempt.context_tags,
        assigned_label=attempt.assigned_label,
        source_id="" if example.provenance is None else example.provenance.source_id,
        imported_votes=votes,
        duplicate_of=example.duplicate_of,
        pasted_characters=attempt.pasted_characters,
    )


def _texts(values: Mapping[str, Value]) -> dict[str, str]:
    """Return fields' values as value texts."""
    return {name: to_text(value) for name, value in values.items()}


def _target_answer(answer: Answer) -> published.TargetAnswer:
    if isinstance(answer, UnaskedAnswer):
        return published.TargetAnswer(target=answer.target, missing_reason=NOT_ASKED, not_asked=True)
    if isinstance(answer, MissingAnswer):
        return published.TargetAnswer(target=answer.target, missing_reason=answer.reason)
    return published.TargetAnswer(
        target=answer.target,
        model_digest=answer.model_digest,
        handler_digest=answer.handler_digest,
        value=to_text(answer.value),
        probabilities=answer.probabilities,
        wrong=answer.wrong is True,
        milliseconds=answer.milliseconds,
        confidence=answer.confidence,
    )
