"""Tasks, contexts, tries and models' answers, from the annotation service."""

from collections.abc import Mapping
from datetime import datetime
from typing import Annotated, Any, ClassVar, Literal

from pydantic import ConfigDict, Field

from dynabench_api.base import FieldValue, Id, Page, Record, words


class TargetAnswer(Record):
    """A target's answer. `wrong` is null until the author decides, if the task leaves that to the author."""

    target: str
    value: FieldValue
    confidence: float | None
    probabilities: dict[str, float]
    wrong: bool | None
    model_digest: str
    handler_digest: str
    milliseconds: float
    missing: ClassVar[None] = None
    not_asked: ClassVar[bool] = False


class NoAnswer(Record):
    """A target without an answer: only its name is known."""

    target: str
    value: ClassVar[None] = None
    confidence: ClassVar[None] = None
    probabilities: ClassVar[Mapping[str, float]] = {}
    wrong: ClassVar[None] = None
    model_digest: ClassVar[str] = ""
    handler_digest: ClassVar[str] = ""
    milliseconds: ClassVar[None] = None


class MissingTargetAnswer(NoAnswer):
    """A target without an answer in time, with the reason."""

    missing: str
    not_asked: ClassVar[bool] = False


class UnaskedTargetAnswer(NoAnswer):
    """A target that was not asked, because a target of an earlier tier was right."""

    missing: ClassVar[None] = None
    not_asked: Literal[True]


class RoundAnswer(Record):
    """A round. `segments` and `contexts` are counts; withdrawn contexts are left out.

    `has_assigned_work` is true while anybody has work in it that an owner assigned.

    `origin` is empty if people write the examples here, and demonstration if a script does. Otherwise it is imported or
    harvested, and `source` names the collection.
    """

    round_id: Id
    task_slug: str
    number: int
    title: str
    targets: tuple[str, ...]
    state: str
    segments: int
    contexts: int
    has_assigned_work: bool
    created_at: datetime
    origin: Annotated[str, words("", "imported", "harvested", "demonstration")]
    source: str

    @property
    def is_open(self) -> bool:
        """Return whether tries are accepted."""
        return self.state == "open"

    @property
    def is_collected_elsewhere(self) -> bool:
        """Return whether the examples were imported or harvested."""
        return self.origin in ("imported", "harvested")

    @property
    def is_demonstration(self) -> bool:
        """Return whether a script wrote the examples."""
        return self.origin == "demonstration"


class TaskSummary(Record):
    """A task in a list."""

    task_id: Id
    slug: str
    title: str
    description: str
    languages: tuple[str, ...]
    configuration_version: int
    created_at: datetime
    rounds: tuple[RoundAnswer, ...]


class TaskAnswer(TaskSummary):
    """A task with its current configuration."""

    configuration: dict[str, Any]


class TasksAnswer(Page[TaskSummary]):
    """A page of tasks."""


class RoundsAnswer(Page[RoundAnswer]):
    """A page of rounds, newest first."""


class ContextAnswer(Record):
    """A context as an annotator sees it."""

    context_id: Id
    fields: dict[str, FieldValue]
    tags: tuple[str, ...]


class OwnersContextAnswer(ContextAnswer):
    """A context as an owner sees it."""

    use_count: int
    flags: int
    is_withdrawn: bool


class ContextsAnswer(Page[OwnersContextAnswer]):
    """A page of contexts."""


class AddedContextsAnswer(Record):
    """The ids of added contexts, in the order of the request."""

    context_ids: tuple[Id, ...]


class UploadedContextsAnswer(Record):
    """The number of contexts that a file has added."""

    added: int


class AssignmentAnswer(Record):
    """A person's current context. `attempts` is the number of the person's tries on it.

    If `context_shown` is false, the person writes without seeing the context. If `has_targets` is false, no model is
    asked.
    """

    assignment_id: Id
    context: ContextAnswer
    condition: str
    context_shown: bool
    has_targets: bool
    assigned_label: str | None
    assigned_at: datetime
    attempts: int


class FlagAnswer(Record):
    """The result of a report on a context."""

    context_id: Id
    is_withdrawn: bool


class Explanations(Record):
    """The author's two texts."""

    label: str
    model: str


class ExampleAnswer(Record):
    """An example with its verdict."""

    example_id: Id
    round_id: Id
    task_slug: str
    segment_id: Id | None
    configuration_version: int
    context_id: Id
    context: dict[str, FieldValue]
    input: dict[str, FieldValue]
    claimed: FieldValue | None
    assigned_label: str | None
    perturbation_of: Id | None
    duplicate_of: Id | None = Field(
        description="An earlier fooling example of the round with the same claim and text. This try then counts "
        "as not fooling, unless the owner overrules it"
    )
    duplicate_overruled_at: datetime | None
    metadata: dict[str, FieldValue]
    answers: tuple[TargetAnswer | MissingTargetAnswer | UnaskedTargetAnswer, ...]
    verdict: Annotated[str, words("fooled", "not_fooled", "undecided", "unknown")]
    attempt: int
    seconds_since_context: float
    probes_before: int
    inspections_before: int
    hint_shown: bool
    condition: str
    cohort: str
    author_id: Id | None
    source_id: str | None
    created_at: datetime
    milliseconds: float
    retracted_at: datetime | None
    explanations: Explanations

    @property
    def fooled(self) -> bool:
        """Return whether the verdict is `fooled`."""
        return self.verdict == "fooled"

    @property
    def is_duplicate(self) -> bool:
        """Return whether the example repeats an earlier fooling one, and so does not count as fooling."""
        return self.duplicate_of is not None and self.duplicate_overruled_at is None

    @property
    def undecided(self) -> bool:
        """Return whether the annotator still has to decide which targets are wrong."""
        return self.verdict == "undecided"


class ExamplesAnswer(Page[ExampleAnswer]):
    """A page of examples, newest first."""


class CountsAnswer(Record):
    """Counts of a round's tries. Retracted ones count as tries but not as fooled."""

    tries: int
    fooled: int
    not_fooled: int
    retracted: int


class TokenAnswer(Record):
    """A token of a field, from `start` to before `end` in code points, with its weight for the label."""

    field: str
    text: str
    start: int
    end: int
    weight: float


class ExplanationAnswer(Record):
    """Token attributions from the gateway, with the target and the digests of its model and handler."""

    model_config = ConfigDict(extra="allow")

    target: str
    label: str = Field(description="The explained label; for spans, `start` or `end`")
    probability: float
    tokens: tuple[TokenAnswer, ...]
    convergence_delta: float = Field(description="Difference minus the sum of the weights")
    difference: float = Field(description="Expected sum of the weights")
    n_steps: int
    method: str
    baseline: str
    model_digest: str
    handler_digest: str


class CountedProbesAnswer(Record):
    """The number of rounds that count the probes: open or paused rounds with the model as a target."""

    rounds: int


class AnswersAnswer(Record):
    """Models' answers to a text that is not stored. There is no claim and no verdict."""

    answers: tuple[TargetAnswer | MissingTargetAnswer, ...]


class NearDuplicateAnswer(Record):
    """A near duplicate among the caller's own examples. `similarity` is from 0.8 to 1."""

    example_id: Id
    text: str
    similarity: float


class SimilarAnswer(Record):
    """Near duplicates in the round: the caller's own, and the number of other people's."""

    own: tuple[NearDuplicateAnswer, ...]
    others: int


class ModelAnswer(Record):
    """A served model that fits a task. `in_the_loop` is true while a round has it as a target.

    Only a `published` model can become a target.
    """

    name: str
    task_type: str
    labels: tuple[str, ...]
    ready: bool
    in_the_loop: bool
    published: bool


class ModelsAnswer(Record):
    """The models that fit a task, by name."""

    items: tuple[ModelAnswer, ...]


class FrontModelAnswer(Record):
    """The model that anyone may ask without signing in. If there is none, `model` is null and `labels` empty."""

    model: str | None
    labels: tuple[str, ...]
    longest_text: int


class FrontAnswerAnswer(Record):
    """The model's answer; `fooled` if it differs from the claim. Nothing is stored."""

    model: str
    label: str
    probabilities: dict[str, float]
    fooled: bool
