"""Whether a round's targets answer, and what events the services could not take in."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from dynabench_client.results.dead_letters import DeadLetters
from dynabench_client.results.gateway import Model

from web.kit.numbers import TimeView, count, moment
from web.kit.words import Word

READY = Word("Ready", "●", "open")
WAITING = Word("Starts when it is asked", "○", "draft")
NOT_SERVED = Word("Not served", "✕", "flagged")
STATES = {"ready": READY, "stopped": WAITING}


@dataclass(frozen=True)
class TargetRow:
    """A target and whether it answers."""

    name: str
    state: Word
    note: str


@dataclass(frozen=True)
class DeadLetterRow:
    """Events of a topic that a consumer set aside."""

    service: str
    topic: str
    number: str
    newest: TimeView | None
    reason: str


@dataclass(frozen=True)
class DeadLettersView:
    """What could not be taken in; `silent` are the services that did not say."""

    rows: list[DeadLetterRow]
    silent: list[str]


def target_rows(targets: Sequence[str], models: Sequence[Model]) -> list[TargetRow]:
    """Return how each target of a round does."""
    served = {model.name: model for model in models}
    return [_target(name, served.get(name)) for name in targets]


def dead_letters_view(found: Mapping[str, Sequence[DeadLetters] | None]) -> DeadLettersView:
    """Return what the services set aside, by service; None stands for one that did not answer."""
    rows = [
        DeadLetterRow(service, each.topic, count(each.count), moment(each.newest_at), each.newest_reason)
        for service, letters in found.items()
        for each in letters or ()
        if each.count
    ]
    return DeadLettersView(rows, [service for service, letters in found.items() if letters is None])


def _target(name: str, model: Model | None) -> TargetRow:
    if model is None:
        return TargetRow(name, NOT_SERVED, "Put another target in its place, or serve it again.")
    if model.ready:
        return TargetRow(name, READY, "")
    state = STATES.get(model.state) or Word(
        model.state.replace("_", " ").capitalize() or "Unknown", "‖", "paused"
    )
    return TargetRow(name, state, model.reason or "")
