"""Results of the annotation service."""

from datetime import datetime
from typing import Any

from dynabench_tasks.values import Value
from pydantic import Field

from dynabench_client.results.base import Result


class Round(Result):
    """A collection phase of a task; `segments` and `contexts` are counts.

    `origin` is empty where people write, else imported or harvested; then `source` names the collection.
    """

    round_id: str
    task_slug: str
    number: int
    title: str
    state: str
    origin: str
    source: str
    targets: tuple[str, ...]
    segments: int
    contexts: int
    created_at: datetime

    @property
    def is_open(self) -> bool:
        """Tell whether tries are accepted."""
        return self.state == "open"


class Task(Result):
    """A problem that models solve and people probe; a list of tasks leaves their configurations out."""

    slug: str
    task_id: str
    title: str
    description: str
    languages: tuple[str, ...]
    configuration_version: int
    configuration: dict[str, Any] = Field(default_factory=dict)
    rounds: tuple[Round, ...]
    created_at: datetime


class Context(Result):
    """What an annotator starts from; only owners are told how often it was used and reported."""

    context_id: str
    fields: dict[str, Any]
    tags: tuple[str, ...]
    use_count: int = 0
    flags: int = 0
    is_withdrawn: bool = False


class ContextsAdded(Result):
    """The ids of added contexts, in the order of the request."""

    context_ids: tuple[str, ...]


class ContextsUploaded(Result):
    """How many contexts a file brought."""

    added: int


class Assignment(Result):
    """The context a person works on now, and what its condition asks of them.

    `assigned_label` is the label to write for, where the task draws one; without `context_shown` the person
    writes freely; without `has_targets` nobody answers (a control arm).
    """

    assignment_id: str
    context: Context
    condition: str
    assigned_label: str | None
    context_shown: bool
    has_targets: bool
    assigned_at: datetime
    attempts: int


class TargetAnswer(Result):
    """A target's answer, or in `missing` the reason that there is none, and then nothing else.

    With `not_asked` it was not asked, since a target of an earlier tier was right.

    `confidence` is the probability of the given answer; `wrong` is None while the annotator has not decided.
    """

    target: str
    value: Value | None = None
    confidence: float | None = None
    probabilities: dict[str, float] = Field(default_factory=dict)
    wrong: bool | None = None
    missing: str | None = None
    not_asked: bool = False
    model_digest: str = ""
    handler_digest: str = ""
    milliseconds: float | None = None


class Answers(Result):
    """What targets or models answer to something that is not stored."""

    answers: tuple[TargetAnswer, ...]


class FrontModel(Result):
    """The model that anyone may ask without signing in; `model` is None while there is none."""

    model: str | None
    labels: tuple[str, ...]
    longest_text: int


class FrontAnswer(Result):
    """What that model answered to a text, and whether it differs from what was claimed; nothing of it is stored."""

    model: str
    label: str
    probabilities: dict[str, float]
    fooled: bool


class Explanations(Result):
    """Why the label is right, and why the model was, or might have been, fooled; empty where nothing is said."""

    label: str
    model: str


class Example(Result):
    """A stored try with its verdict; of an imported one `source_id` is its id in the collection it comes from.

    `duplicate_of` is an earlier example of the round that fooled with the same claim and an equal text: then this one
    counts as a try that did not fool, unless an owner has overruled it. `replayed` says that a repeated request found
    it stored already.
    """

    example_id: str
    round_id: str
    task_slug: str
    segment_id: str | None
    configuration_version: int
    context_id: str
    context: dict[str, Any]
    input: dict[str, Any]
    metadata: dict[str, Any]
    claimed: Value | None
    assigned_label: str | None
    perturbation_of: str | None
    duplicate_of: str | None
    duplicate_overruled_at: datetime | None
    answers: tuple[TargetAnswer, ...]
    verdict: str
    attempt: int
    seconds_since_context: float
    probes_before: int
    inspections_before: int
    hint_shown: bool
    condition: str
    cohort: str
    author_id: str | None
    source_id: str | None
    created_at: datetime
    milliseconds: float
    retracted_at: datetime | None
    explanations: Explanations
    replayed: bool = Field(default=False, exclude=True)

    @property
    def fooled(self) -> bool:
        """Tell whether the verdict is `fooled`."""
        return self.verdict == "fooled"

    @property
    def is_duplicate(self) -> bool:
        """Tell whether its fooling counts as that of an earlier example alone."""
        return self.duplicate_of is not None and self.duplicate_overruled_at is None

    @property
    def undecided(self) -> bool:
        """Tell whether the annotator has yet to say which targets are wrong."""
        return self.verdict == "undecided"


class RoundCounts(Result):
    """Tries of a round, everybody's or one's own, as annotation counts them; retracted ones stay tries."""

    tries: int
    fooled: int
    not_fooled: int
    retracted: int


class MyTries(RoundCounts):
    """One's own tries in a round."""


class Flag(Result):
    """What became of a reported context."""

    context_id: str
    is_withdrawn: bool


class Token(Result):
    """A piece of a field, `[start, end)` in its code points, and how much it spoke for the label."""

    field: str
    text: str
    start: int
    end: int
    weight: float


class Inspection(Result):
    """The gateway's explanation of an answer: attributions over the fields, and how exact they are.

    For an answer span `label` is `start` or `end`. `convergence_delta` is what the weights miss of the
    `difference` they should add up to.
    """

    target: str
    label: str
    probability: float
    tokens: tuple[Token, ...]
    convergence_delta: float
    difference: float
    n_steps: int
    method: str
    baseline: str
    model_digest: str
    handler_digest: str


class NearDuplicate(Result):
    """An example of one's own that reads almost the same; `similarity` is from 0 to 1."""

    example_id: str
    text: str
    similarity: float


class Similar(Result):
    """Near duplicates of a text in its round: one's own, and how many of other people."""

    own: tuple[NearDuplicate, ...]
    others: int
