"""The command that runs a round's targets over text, and stores the texts they get wrong or are unsure of.

Several texts are under way at a time, so that the targets can answer them in batches. No transaction is open meanwhile.
Text that is not stored leaves no trace. So if a batch is sent again, the targets are asked again about all but its
stored texts.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from dynabench_tasks.certainty import margin, smallest_margin
from dynabench_tasks.configuration.task_configuration import TaskConfiguration
from dynabench_tasks.fields import InputRefused
from dynabench_tasks.json_lines import Findings, Line
from dynabench_tasks.verdict import Verdict

from annotation.domain.errors import TargetRefusesInput
from annotation.domain.identifiers import RoundId
from annotation.domain.provenance import Origin
from annotation.domain.record import ExampleRecord, RecordReader
from annotation.domain.verdict import Answers, TargetAnswer, decide
from annotation.service_layer.dependencies import Dependencies
from annotation.service_layer.predictions import Written, answers_to, begin, undecidable
from annotation.service_layer.record_batch import Batch, RecordsUnusable, read_batch
from annotation.service_layer.record_store import store_records
from annotation.service_layer.tries import ConfigurationChanged

IN_FLIGHT = 8


@dataclass(frozen=True)
class HarvestText:
    """Harvest the texts on these lines that a target gets wrong, or answers with a lead under `margin_below`."""

    round_id: RoundId
    margin_below: float
    lines: Iterable[Line]


@dataclass(frozen=True)
class Harvested:
    """Counts of lines seen, stored and already known; stored ones also by reason."""

    seen: int
    stored: int
    repeated: int
    wrong: int
    unsure: int


def harvest_text(command: HarvestText, app: Dependencies) -> Harvested:
    """Ask the targets about new text and store the harvested records.

    Raises NotFound, RoundNotCollected, ImportFinished, RecordsUnusable, Undecidable, ConfigurationChanged.
    """
    with app.unit_of_work() as uow:
        round_, task = uow.rounds.get(command.round_id)
        round_.ensure_takes_in(Origin.HARVESTED)
        pseudonyms = uow.records.pseudonyms(task.task_id)
        reader = RecordReader(task.configuration, round_.targets, pseudonyms, app.clock.now())
    batch = read_batch(command.lines, reader.read_harvest)
    with app.unit_of_work() as uow:
        new = batch.without(uow.records.digests(command.round_id, batch.source_ids))
        new.ensure_images(task.configuration, uow.images)
    if new.records:
        round_.ensure_takes_records()
    asked = ask_about(new, round_.targets, task.configuration, command.margin_below, app)
    kept = {number: each for number, each in asked.items() if is_kept(each, command.margin_below)}
    stored = _store(command.round_id, Batch(kept, new.repeated), task.configuration_version, app)
    wrong = sum(record.verdict is Verdict.FOOLED for record in stored.records.values())
    count = len(stored.records)
    return Harvested(len(batch.records) + batch.repeated, count, stored.repeated, wrong, count - wrong)


def _store(round_id: RoundId, kept: Batch, configuration_version: int, app: Dependencies) -> Batch:
    """Store the records that no other transaction has stored meanwhile, and return them."""
    if not kept.records:
        return kept
    with app.unit_of_work() as uow:
        round_, task = uow.rounds.lock(round_id)
        round_.ensure_takes_records()
        if task.configuration_version != configuration_version:
            raise ConfigurationChanged
        new = kept.without(uow.records.digests(round_id, kept.source_ids))
        if new.records:
            store_records(list(new.records.values()), round_, task, uow, app)
            uow.commit()
    return new


def is_kept(record: ExampleRecord, margin_below: float) -> bool:
    """Return whether a target was wrong about a text, or not sure enough."""
    return record.verdict is Verdict.FOOLED or _is_unsure(record.answers, margin_below)


def _is_unsure(answers: Answers, margin_below: float) -> bool:
    least = smallest_margin(
        margin(answer.value, answer.probabilities, answer.confidence)
        for answer in answers
        if isinstance(answer, TargetAnswer)
    )
    return least is not None and least < margin_below


def ask_about(
    batch: Batch,
    targets: tuple[str, ...],
    configuration: TaskConfiguration,
    margin_below: float,
    app: Dependencies,
) -> dict[int, ExampleRecord]:
    """Return the records with the targets' answers. Raises RecordsUnusable, Undecidable."""
    findings, answered = Findings(RecordsUnusable), dict[int, ExampleRecord]()
    for window in _windows(batch):
        questions = {
            number: begin(targets, configuration, _written(record), app) for number, record in window.items()
        }
        for number, record in window.items():
            pauses: list[int] = []
            try:
                answers = answers_to(questions[number], configuration, _written(record), app, pauses)
            except TargetRefusesInput as refusal:
                reason = f"is refused by target {refusal.target}: {refusal.reason}"
                findings.add(number, InputRefused("input", reason, "Shorten or change the text."))
                continue
            answered[number] = _judged(record, answers, margin_below, configuration, pauses)
    findings.raise_any()
    return answered


def _windows(batch: Batch) -> Iterator[dict[int, ExampleRecord]]:
    """Yield the records, as many at a time as may be under way."""
    numbers = list(batch.records)
    for start in range(0, len(numbers), IN_FLIGHT):
        yield {number: batch.records[number] for number in numbers[start : start + IN_FLIGHT]}


def _written(record: ExampleRecord) -> Written:
    return Written(record.context, record.input, record.claimed)


def _judged(
    record: ExampleRecord,
    answers: Answers,
    margin_below: float,
    configuration: TaskConfiguration,
    pauses: list[int],
) -> ExampleRecord:
    """Return the record with its verdict. Raises Undecidable if missing answers could tell whether it is kept."""
    given = [answer for answer in answers if isinstance(answer, TargetAnswer)]
    verdict = Verdict.UNKNOWN if record.claimed is None else decide(configuration.ensemble, answers)
    is_open = verdict is Verdict.UNKNOWN and len(given) < len(answers)
    if verdict is None or (is_open and not _is_unsure(answers, margin_below)):
        raise undecidable(answers, pauses)
    milliseconds = max((answer.milliseconds for answer in given), default=0.0)
    return replace(record, answers=answers, verdict=verdict, milliseconds=milliseconds)
