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
    task_slug: str = ""
    number: int = 0
    title: str = ""
    state: str = ""
    origin: str = ""
    source: str = ""
    targets: tuple[str, ...] = ()
    segments: int = 0
    contexts: int = 0
    created_at: datetime | None = None

    @property
    def is_open(self) -> bool:
        """Tell whether tries are accepted."""
        return self.state == "open"


class Task(Result):
    """A problem that models solve and people probe, with its configuration."""

    slug: str
    task_id: str = ""
    title: str = ""
    description: str = ""
    languages: tuple[str, ...] = ()
    configuration_version: int = 1
    configuration: dict[str, Any] = Field(default_factory=dict)
    rounds: tuple[Round, ...] = ()
    created_at: datetime | None = None


class Context(Result):
    """What an annotator starts from; owners also see how often it was used and reported."""

    context_id: str
    fields: dict[str, Any] = Field(default_factory=dict)
    tags: tuple[str, ...] = ()
    use_count: int = 0
    flags: int = 0
    is_withdrawn: bool = False


class ContextsAdded(Result):
    """The ids of added contexts, in the order of the request."""

    context_ids: tuple[str, ...] = ()


class ContextsUploaded(Result):
    """How many contexts a file brought."""

    added: int = 0


class Assignment(Result):
    """The context a person works on now, and what its condition asks of them.

    `assigned_label` is the label to write for, where the task draws one; without `context_shown` the person
    writes freely; without `has_targets` nobody answers (a control arm).
    """

    assignment_id: str = ""
    context: Context
    condition: str = ""
    assigned_label: str | None = None
    context_shown: bool = True
    has_targets: bool = True
    assigned_at: datetime | None = None
    attempts: int = 0


class Answer(Result):
    """A target's answer, or the reason that it is missing.

    `confidence` is the probability of the given answer; `wrong` is None while the annotator has not decided.
    """

    target: str
    value: Value | None = None
    confidence: float | None = None
    probabilities: dict[str, float] = Field(default_factory=dict)
    wrong: bool | None = None
    missing: str | None = None
    model_digest: str = ""
    handler_digest: str = ""
    milliseconds: float | None = None


class Answers(Result):
    """What targets or models answer to something that is not stored."""

    answers: tuple[Answer, ...] = ()


class Explanations(Result):
    """Why the label is right, and why the model was, or might have been, fooled."""

    label: str | None = None
    model: str | None = None


class Example(Result):
    """A stored try with its verdict; of an imported one `source_id` is its id in the collection it comes from.

    `replayed` says that a repeated request found it stored already.
    """

    example_id: str
    round_id: str
    task_slug: str = ""
    segment_id: str = ""
    context_id: str = ""
    context: dict[str, Any] = Field(default_factory=dict)
    input: dict[str, Any] = Field(default_factory=dict)
    metadata: dict[str, Any] = Field(default_factory=dict)
    claimed: Value | None = None
    assigned_label: str | None = None
    perturbation_of: str | None = None
    answers: tuple[Answer, ...] = ()
    verdict: str = ""
    attempt: int = 0
    seconds_since_context: float | None = None
    probes_before: int = 0
    inspections_before: int = 0
    hint_shown: bool = False
    condition: str = ""
    cohort: str = ""
    author_id: str = ""
    source_id: str | None = None
    created_at: datetime | None = None
    milliseconds: float | None = None
    retracted_at: datetime | None = None
    explanations: Explanations = Explanations()
    replayed: bool = Field(default=False, exclude=True)

    @property
    def fooled(self) -> bool:
        """Tell whether the verdict is `fooled`."""
        return self.verdict == "fooled"

    @property
    def undecided(self) -> bool:
        """Tell whether the annotator has yet to say which targets are wrong."""
        return self.verdict == "undecided"


class RoundCounts(Result):
    """Tries of a round as annotation counts them."""

    tries: int = 0
    fooled: int = 0
    not_fooled: int = 0
    retracted: int = 0


class MyTries(Result):
    """One's own tries in a round."""

    tries: int = 0
    fooled: int = 0


class Flag(Result):
    """What became of a reported context."""

    context_id: str = ""
    is_withdrawn: bool = False


class Token(Result):
    """A piece of a field, `[start, end)` in its code points, and how much it spoke for the label."""

    field: str = ""
    text: str = ""
    start: int = 0
    end: int = 0
    weight: float = 0.0


class Inspection(Result):
    """The gateway's explanation of an answer: attributions over the fields, and how exact they are.

    For an answer span `label` is `start` or `end`. `convergence_delta` is what the weights miss of the
    `difference` they should add up to.
    """

    target: str = ""
    label: str = ""
    probability: float | None = None
    tokens: tuple[Token, ...] = ()
    convergence_delta: float | None = None
    difference: float | None = None
    n_steps: int | None = None
    method: str = ""
    model_digest: str = ""
    handler_digest: str = ""


class NearDuplicate(Result):
    """An example of one's own that reads almost the same; `similarity` is from 0 to 1."""

    example_id: str = ""
    text: str = ""
    similarity: float = 0.0


class Similar(Result):
    """Near duplicates of a text in its round: one's own, and how many of other people."""

    own: tuple[NearDuplicate, ...] = ()
    others: int = 0
