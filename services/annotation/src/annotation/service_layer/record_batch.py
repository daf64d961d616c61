"""A batch of records as it is read: each once, with its line number; all its problems reported together."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from dynabench_tasks.configuration.task_configuration import TaskConfiguration
from dynabench_tasks.fields import InputRefused
from dynabench_tasks.json_lines import Findings, Line, LinesUnusable

from annotation.adapters.image_repository import SqlImages
from annotation.domain.record import ExampleRecord
from annotation.service_layer.images import find_missing_images, missing_image

OWN_ID = "Give each record an id of its own, or send what was sent before."


@dataclass(eq=False)
class RecordsUnusable(LinesUnusable):
    """Records that can't be taken."""


@dataclass(frozen=True)
class Batch:
    """Different records by the numbers of their lines, and how many lines repeat a record that is known."""

    records: Mapping[int, ExampleRecord]
    repeated: int

    @property
    def source_ids(self) -> tuple[str, ...]:
        """Return the ids of the records in the collection."""
        return tuple(record.provenance.source_id for record in self.records.values())

    @property
    def votes(self) -> int:
        """Return how many votes came with the records."""
        return sum(len(record.votes) for record in self.records.values())

    def without(self, stored: Mapping[str, bytes]) -> "Batch":
        """Return the records that are not stored yet; `stored` has digests by id. Raises RecordsUnusable."""
        findings, new = Findings(RecordsUnusable), dict[int, ExampleRecord]()
        for number, record in self.records.items():
            digest = stored.get(record.provenance.source_id)
            if digest is None:
                new[number] = record
            elif digest != record.provenance.digest:
                findings.add(number, InputRefused("id", "is stored with other content", OWN_ID))
        findings.raise_any()
        return Batch(new, self.repeated + len(self.records) - len(new))

    def ensure_images(self, configuration: TaskConfiguration, images: SqlImages) -> None:
        """Raise RecordsUnusable if a record names an image that was not uploaded and checked."""
        findings, numbers = Findings(RecordsUnusable), list(self.records)
        fields = configuration.fields
        for name, of_type, values in (
            ("context", fields.context, [record.context for record in self.records.values()]),
            ("input", fields.written, [record.input for record in self.records.values()]),
        ):
            for position, field in find_missing_images(of_type, values, images):
                findings.add(numbers[position], missing_image(f"{name}.{field}"))
        findings.raise_any()


def read_batch(lines: Iterable[Line], read: Callable[[object], ExampleRecord]) -> Batch:
    """Return the records on these lines. Raises RecordsUnusable."""
    findings, repeated = Findings(RecordsUnusable), 0
    numbers, records = dict[str, int](), dict[int, ExampleRecord]()
    number = 0
    for line in lines:
        number = line.number
        try:
            if line.flaw is not None:
                raise line.flaw
            record = read(line.document)
            first = numbers.setdefault(record.provenance.source_id, number)
            if first == number:
                records[number] = record
            elif records[first].provenance == record.provenance:
                repeated += 1
            else:
                raise InputRefused("id", f"is that of line {first}, which has other content", OWN_ID)
        except InputRefused as refusal:
            findings.add(number, refusal)
    if number == 0:
        findings.add(1, InputRefused("file", "holds no records", "Write one record on each line."))
    findings.raise_any()
    return Batch(records, repeated)
