"""A dataset composed in a folder: every example in its split, counted on the way, and described."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from uuid import UUID

from dynabench_common.work.jobs import Heartbeat

from scoring.adapters.dataset_files import DatasetFiles
from scoring.adapters.fact_reader import FactReader
from scoring.dataset.description import DataFile, Dataset
from scoring.dataset.rows import DISPUTED, ExampleRow, image_ids
from scoring.dataset.splits import Assignment
from scoring.dataset.summary import Summary
from scoring.domain.collected import Collected
from scoring.domain.pseudonyms import Pseudonyms
from scoring.domain.release import DEFAULT_LICENCE, Release, Step
from scoring.domain.release_plan import ReleasePlan, plan_release
from scoring.domain.repeats import Repeats
from scoring.domain.round_facts import RoundFacts
from scoring.domain.row_maker import RowMaker
from scoring.domain.validated_errors import validated_errors
from scoring.service_layer.repeat_errors import REPEATED

VERSION = 1
"""A round is released once, and its dataset's name holds its number."""

SHOWN_EVERY = 2_000
ID_BYTES = 16
WRITTEN = 0.8
UNDATED = datetime(1970, 1, 1, tzinfo=UTC)


class Composition:
    """Composes the dataset of one release."""

    def __init__(
        self,
        round_facts: RoundFacts,
        release: Release,
        pseudonyms: Pseudonyms,
        beat: Heartbeat,
        repeats: Repeats,
    ) -> None:
        self._round = round_facts
        self._release = release
        fields = round_facts.fields(with_free_text=release.options.explanations)
        self._fields = replace(fields, has_stability=True)
        self._maker = RowMaker(round_facts, self._fields, pseudonyms, repeats)
        self._beat = beat
        self.image_ids: set[str] = set()
        """The pictures that the written rows name."""
        self._errors = bytearray()

    @property
    def errors(self) -> list[UUID]:
        """Return the examples in the files that are validated errors; until then each takes only 16 bytes."""
        return [
            UUID(bytes=bytes(self._errors[start : start + ID_BYTES]))
            for start in range(0, len(self._errors), ID_BYTES)
        ]

    def write(self, folder: Path, facts: FactReader) -> Dataset:
        """Write the data files and return the dataset that they make up.

        Raises ReleaseRefused, if the facts have changed since the release was asked for, and LeaseLost.
        """
        plan = plan_release(self._round, facts.groups(self._round), self._release.options, is_released=False)
        if plan.refusals or plan.assignment is None:
            raise plan.refusals[0]
        self._fields = replace(self._fields, targets=facts.targets_of(self._round.round_id))
        summary, collected = Summary(), Collected(self._round)
        rows = self._rows(facts, plan.standings.examples, plan.assignment, summary, collected)
        written = DatasetFiles().write(folder, rows, self._fields)
        return self._described(plan, plan.assignment, summary, collected, written, facts)

    def _rows(
        self, facts: FactReader, total: int, assignment: Assignment, summary: Summary, collected: Collected
    ) -> Iterator[ExampleRow]:
        for number, example in enumerate(facts.examples(self._round.round_id)):
            if number % SHOWN_EVERY == 0:
                progress = REPEATED + (WRITTEN - REPEATED) * number / total
                self._beat.show(step=Step.WRITING, progress=progress)
            collected.add(example)
            row = self._maker.released(example, assignment.split_of)
            if row is not None:
                if row.split != DISPUTED:
                    summary.add(row)
                self.image_ids.update(image_ids(row, self._fields))
                configuration = self._round.rules_of(example.configuration_version).configuration
                if validated_errors(example, configuration).of_rule:
                    self._errors += example.example_id.bytes
                yield row

    def _described(
        self,
        plan: ReleasePlan,
        assignment: Assignment,
        summary: Summary,
        collected: Collected,
        written: Sequence[DataFile],
        facts: FactReader,
    ) -> Dataset:
        found, options = self._round, self._release.options
        configuration = found.configuration
        return Dataset(
            name=found.dataset_name,
            version=VERSION,
            description=options.description,
            licence=options.licence or DEFAULT_LICENCE,
            languages=tuple(configuration.get("languages") or ()),
            task_slug=found.task_slug,
            task_title=found.task_title,
            content_warning=str(configuration.get("content_warning") or ""),
            round_number=found.number,
            round_title=found.title,
            origin=found.origin,
            source=found.source,
            targets=found.targets,
            digests=found.digests,
            segments=len(found.segments),
            fields=self._fields,
            labels=found.newest_rules.labels,
            validation=configuration.get("validation") or {},
            seed=options.splits.seed,
            splits=assignment.sizes,
            largest_author_share=assignment.largest_author_share,
            excluded={
                **plan.standings.excluded,
                "unclaimed": plan.standings.unclaimed,
                "held_back": assignment.held_back,
            },
            counts=summary.as_json(),
            collected=collected.as_json(),
            as_of=facts.newest_fact(found.round_id) or UNDATED,
            files=written,
            waiting=plan.standings.pending,
        )
