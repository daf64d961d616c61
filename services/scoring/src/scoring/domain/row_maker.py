"""Conversion of facts to rows: values for value texts, pseudonyms for people."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from datetime import datetime
from uuid import UUID

from dynabench_tasks.fields import from_text, values_of
from dynabench_tasks.values import Value

from scoring.dataset.rows import (
    DISPUTED,
    ExampleRow,
    Explanations,
    Field,
    Fields,
    Stability,
    TargetAnswer,
    Vote,
)
from scoring.domain.eligibility import WITHHELD, Standing, golds, standing
from scoring.domain.facts import ExampleFacts, VoteFacts
from scoring.domain.pseudonyms import Pseudonyms
from scoring.domain.repeats import Repeats, errors_of
from scoring.domain.round_facts import RoundFacts
from scoring.domain.task_rules import TaskRules

FOOLED: Mapping[str, bool] = {"fooled": True, "not_fooled": False}
SplitOf = Callable[[UUID, bool], str | None]


class RowMaker:
    """Makes the rows of one round, with these of its fields."""

    def __init__(
        self, round_facts: RoundFacts, fields: Fields, pseudonyms: Pseudonyms, repeats: Repeats | None = None
    ) -> None:
        self._round = round_facts
        self._has_free_text = fields.has_free_text
        self._has_tiers = fields.has_tiers
        self._repeats = repeats
        self._metadata = frozenset(field.name for field in fields.metadata)
        self._pseudonyms = pseudonyms

    def released(self, example: ExampleFacts, split_of: SplitOf) -> ExampleRow | None:
        """Return the row of an example in a dataset, None for one that is in no split.

        `split_of` gets the author, or for an unknown one the example itself, and whether there is a gold. Disputed
        examples have a split of their own.
        """
        found = self.standing(example)
        if found is Standing.DISPUTED:
            return self._row(example, found, DISPUTED)
        if not found.enters or not (found is Standing.GOLD or example.claimed):
            return None
        split = split_of(example.author_id or example.example_id, found is Standing.GOLD)
        return None if split is None else self._row(example, found, split)

    def in_progress(self, example: ExampleFacts) -> ExampleRow | None:
        """Return the row of an example of a round in progress, None for a withdrawn or hidden one."""
        found = self.standing(example)
        return None if found in WITHHELD else self._row(example, found, None)

    def exported(self, example: ExampleFacts) -> ExampleRow:
        """Return the row of an example in an export; a withheld one keeps its author and verdicts, without texts."""
        found = self.standing(example)
        row = self._row(example, found, None)
        if found not in WITHHELD:
            return replace(row, retracted=False)
        return replace(
            row,
            context={},
            input={},
            label=None,
            golds=(),
            claimed=None,
            fooled=row.fooled and found is Standing.HIDDEN,
            targets=tuple(TargetAnswer(given.name, None, given.wrong) for given in row.targets),
            resolution=None,
            votes=(),
            uncounted_votes=(),
            metadata={},
            explanations=None if row.explanations is None else Explanations("", ""),
            retracted=True,
        )

    def standing(self, example: ExampleFacts) -> Standing:
        """Return the standing of the example."""
        return standing(
            self._round.rules_of(example.configuration_version),
            is_retracted=example.is_retracted,
            verdict=example.verdict,
            resolution=example.resolution,
            has_golds=bool(example.golds),
            has_claim=bool(example.claimed),
            is_hidden=example.is_hidden,
        )

    def _row(self, example: ExampleFacts, found: Standing, split: str | None) -> ExampleRow:
        rules = self._round.rules_of(example.configuration_version)
        label_type = rules.label.type_name
        gold_texts = golds(found, example.resolution, example.golds, example.claimed)
        claimed = from_text(example.claimed, label_type) if example.claimed else None
        gold_values = tuple(from_text(text, label_type) for text in gold_texts)
        return ExampleRow(
            example_id=str(example.example_id),
            context=_values(example.context, rules.context),
            input=_values(example.input, rules.input),
            label=gold_values[0] if gold_values else claimed if example.resolution is None else None,
            golds=gold_values,
            claimed=claimed,
            split=split,
            verdict=example.verdict,
            fooled=FOOLED.get(example.verdict),
            targets=_targets(example, rules),
            resolution=example.resolution,
            votes=tuple(self._vote(vote) for vote in example.votes if vote.answer is not None),
            uncounted_votes=tuple(map(self._vote, example.uncounted_votes)),
            metadata=_values(
                {name: text for name, text in example.metadata.items() if name in self._metadata},
                rules.metadata,
            ),
            explanations=Explanations(example.label_explanation, example.model_explanation)
            if self._has_free_text
            else None,
            condition=example.condition,
            cohort=example.cohort,
            segment=self._round.segments.get(example.segment_id) if example.segment_id else None,
            tags=tuple(example.tags),
            author=self._pseudonyms.of(str(example.author_id)) if example.author_id else None,
            created_at=example.created_at,
            duplicate_of=_id(example.duplicate_of),
            targets_not_asked=_not_asked(example) if self._has_tiers else None,
            stability=None if self._repeats is None else tuple(self._stability(example, self._repeats)),
            context_id=_id(example.context_id),
            attempt=example.attempt,
            assigned_label=example.assigned_label or None,
            seconds_since_context=example.seconds_since_context or None,
            probes_before=example.probes_before,
            inspections_before=example.inspections_before,
            perturbation_of=_id(example.perturbation_of),
            source_id=example.source_id or None,
        )

    def _stability(self, example: ExampleFacts, repeats: Repeats) -> Iterable[Stability]:
        for error in errors_of(self._round, [example]):
            yield Stability.of(error.target, repeats.get(error.key))

    def _vote(self, vote: VoteFacts) -> Vote:
        free = (vote.reason or None, vote.explanation or None) if self._has_free_text else (None, None)
        return Vote(
            vote.option or vote.kind,
            self._pseudonyms.of(vote.voter),
            datetime.fromisoformat(vote.cast_at) if vote.cast_at else None,
            vote.seconds or None,
            vote.agrees,
            vote.corrected or None,
            *free,
        )


def _id(value: UUID | None) -> str | None:
    return None if value is None else str(value)


def _targets(example: ExampleFacts, rules: TaskRules) -> tuple[TargetAnswer, ...]:
    return tuple(
        TargetAnswer(given["target"], None, None, digest=given.get("digest") or None)
        if given["missing"] or given.get("not_asked")
        else TargetAnswer(
            given["target"],
            from_text(given["value"], rules.label.type_name),
            None if example.verdict in ("undecided", "unknown") else given["wrong"],
            given.get("confidence"),
            given.get("probabilities") or None,
            given.get("digest") or None,
        )
        for given in example.answers
    )


def _not_asked(example: ExampleFacts) -> tuple[str, ...]:
    return tuple(given["target"] for given in example.answers if given.get("not_asked"))


def _values(texts: Mapping[str, str], fields: Iterable[Field]) -> dict[str, Value]:
    return values_of({field.name: field.type_name for field in fields}, texts)
