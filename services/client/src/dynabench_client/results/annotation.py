"""Results of the annotation service."""

from datetime import datetime
from typing import Any

from pydantic import Field

from dynabench_client.results.base import Result


class Round(Result):
    """A collection phase of a task; `segments` and `contexts` are counts."""

    round_id: str
    task_slug: str = ""
    number: int = 0
    title: str = ""
    state: str = ""
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


class Assignment(Result):
    """The context a person works on now."""

    assignment_id: str = ""
    context: Context
    condition: str = ""
    assigned_at: datetime | None = None
    attempts: int = 0


class Answer(Result):
    """A target's answer to a try, or the reason that it is missing."""

    target: str
    label: str | None = None
    probabilities: dict[str, float] = Field(default_factory=dict)
    wrong: bool | None = None
    missing: str | None = None
    model_digest: str = ""
    handler_digest: str = ""
    milliseconds: float | None = None


class Explanations(Result):
    """Why the label is right, and why the model was, or might have been, fooled."""

    label: str | None = None
    model: str | None = None


class Example(Result):
    """A stored try with its verdict. `replayed` says that a repeated request found it stored already."""

    example_id: str
    round_id: str
    task_slug: str = ""
    segment_id: str = ""
    context_id: str = ""
    context: dict[str, Any] = Field(default_factory=dict)
    input: dict[str, Any] = Field(default_factory=dict)
    claimed_label: str | None = None
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
    created_at: datetime | None = None
    milliseconds: float | None = None
    retracted_at: datetime | None = None
    explanations: Explanations = Explanations()
    replayed: bool = Field(default=False, exclude=True)

    @property
    def fooled(self) -> bool:
        """Tell whether the verdict is `fooled`."""
        return self.verdict == "fooled"


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


class Inspection(Result):
    """The gateway's explanation of a target's answer: attributions with code-point offsets, among others."""

    target: str = ""
    model_digest: str = ""
    handler_digest: str = ""
