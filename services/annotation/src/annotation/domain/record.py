"""A record: one entry of a collection made elsewhere, checked against the task and ready to become an example.

The first unusable value in it is refused, by field, reason and remedy.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from dynabench_events.example import ImportedVote
from dynabench_tasks.configuration.task_configuration import TaskConfiguration
from dynabench_tasks.fields import InputRefused, check_values
from dynabench_tasks.values import Value
from dynabench_tasks.verdict import Verdict

from annotation.domain.context import read_tags
from annotation.domain.example import LONGEST_EXPLANATION, Explanations
from annotation.domain.identifiers import NOBODY, PersonId
from annotation.domain.imported_answers import read_answers
from annotation.domain.imported_votes import LONGEST_NAME, VoteReader
from annotation.domain.provenance import Provenance, Pseudonyms
from annotation.domain.record_values import read_mapping, read_object, read_text
from annotation.domain.verdict import Answers, decide

KEYS = (
    "id",
    "context",
    "input",
    "label",
    "author",
    "cohort",
    "condition",
    "tags",
    "targets",
    "votes",
    "explanations",
)
HARVEST_KEYS = ("id", "context", "input", "label", "tags")
COHORTS = ("volunteer", "crowd", "expert", "imported")
IMPORTED = "imported"
DEFAULT_CONDITION = "default"
LONGEST_ID = 200
LONGEST_CONDITION = 40


@dataclass(frozen=True)
class ExampleRecord:
    """The parts of an example; `author_id` is NOBODY and `claimed` None where the collection names none.

    `milliseconds` is the response time of targets that were asked here.
    """

    provenance: Provenance
    context: Mapping[str, Value]
    input: Mapping[str, Value]
    claimed: Value | None
    tags: tuple[str, ...]
    author_id: PersonId = NOBODY
    cohort: str = IMPORTED
    condition: str = DEFAULT_CONDITION
    explanations: Explanations = field(default_factory=Explanations)
    votes: tuple[ImportedVote, ...] = ()
    answers: Answers = ()
    verdict: Verdict = Verdict.UNKNOWN
    milliseconds: float = 0.0


class RecordReader:
    """Reads the records of one task; `targets` are those of the round, in its order.

    No vote may be later than `now`.
    """

    def __init__(
        self,
        configuration: TaskConfiguration,
        targets: tuple[str, ...],
        pseudonyms: Pseudonyms,
        now: datetime,
    ) -> None:
        self._configuration = configuration
        self._targets = targets
        self._pseudonyms = pseudonyms
        self._votes = VoteReader(configuration, pseudonyms, now)

    def read(self, document: object) -> ExampleRecord:
        """Return the record of a line of a collection. Raises InputRefused."""
        given = read_object(document, "", KEYS)
        return self._read(document, given, read_mapping(given.get("context"), "context"))

    def read_harvest(self, document: object) -> ExampleRecord:
        """Return the record of a line of text to harvest, without answers. Raises InputRefused."""
        given = read_object(document, "", HARVEST_KEYS)
        return self._read(document, given, read_mapping(given.get("context", {}), "context"))

    def _read(
        self, document: object, given: Mapping[str, object], context_given: Mapping[str, object]
    ) -> ExampleRecord:
        configuration = self._configuration
        source_id = read_text(given.get("id"), "id", LONGEST_ID)
        context = configuration.check_context(context_given, "context")
        written = self._read_input(read_mapping(given.get("input"), "input"), context)
        texts = configuration.texts(context, written)
        claimed = None
        if "label" in given:
            claimed = configuration.claimed_field.check(given["label"], texts, "label")
        answers = read_answers(configuration, self._targets, claimed, given.get("targets", {}), texts)
        author = read_text(given["author"], "author", LONGEST_NAME) if "author" in given else None
        return ExampleRecord(
            context=context,
            input=written,
            claimed=claimed,
            tags=read_tags(given.get("tags", []), "tags"),
            author_id=NOBODY if author is None else self._pseudonyms.person(author),
            cohort=_read_cohort(given.get("cohort", IMPORTED)),
            condition=read_text(given.get("condition", DEFAULT_CONDITION), "condition", LONGEST_CONDITION),
            explanations=_read_explanations(given.get("explanations", {})),
            votes=self._votes.read(given.get("votes", []), author, texts),
            answers=answers,
            verdict=_verdict(configuration, claimed, answers),
            # Last: by now the document holds nothing that can't be written as JSON.
            provenance=Provenance(source_id, self._pseudonyms.digest(document)),
        )

    def _read_input(self, values: Mapping[str, object], context: Mapping[str, Value]) -> dict[str, Value]:
        claimed = self._configuration.claimed_field.name
        if claimed in values:
            raise InputRefused(f"input.{claimed}", "is what the author claims", "Move it to `label`.")
        return check_values(
            self._configuration.fields.written, values, "input", self._configuration.texts(context, {})
        )


def _verdict(configuration: TaskConfiguration, claimed: Value | None, answers: Answers) -> Verdict:
    """Return the verdict on answers from elsewhere; undecided if missing answers could change it."""
    if claimed is None:
        return Verdict.UNKNOWN
    return decide(configuration.ensemble, answers) or Verdict.UNDECIDED


def _read_cohort(given: object) -> str:
    if given not in COHORTS:
        raise InputRefused("cohort", "is not known", f"Choose one of: {', '.join(COHORTS)}.")
    return str(given)


def _read_explanations(given: object) -> Explanations:
    texts = read_object(given, "explanations", ("label", "model"))
    read = {
        name: read_text(text, f"explanations.{name}", LONGEST_EXPLANATION, may_be_blank=True)
        for name, text in texts.items()
    }
    return Explanations(**read)
