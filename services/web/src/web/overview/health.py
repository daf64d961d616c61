"""Health of a round: state of its targets, and events that services could not process."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from dynabench_client import Dynabench
from dynabench_client.results.base import DeadLetters
from dynabench_client.results.models import Model

from web.kit.language import N_, _
from web.kit.numbers import TimeView, count, moment
from web.kit.operations import model_state, service_name
from web.kit.owned_round import OwnedRound
from web.kit.parallel import page_reads
from web.kit.service_words import service_words
from web.kit.words import Word

NOT_SERVED = Word(N_("Not served"), "✕", "flagged")


@dataclass(frozen=True)
class TargetRow:
    """A target with its state."""

    name: str
    state: Word
    note: str


@dataclass(frozen=True)
class DeadLetterRow:
    """A consumer's dead letters of a topic."""

    service: str
    topic: str
    number: str
    newest: TimeView | None
    reason: str


@dataclass(frozen=True)
class DeadLettersView:
    """Events that could not be processed; `silent` are the services that did not report."""

    rows: list[DeadLetterRow]
    silent: list[str]


def read(client: Dynabench, owned: OwnedRound, _by: str) -> dict[str, Any]:
    """Return the page's values: the state of targets, and the dead letters that affect the round's figures."""
    targets = owned.round.targets
    reads = page_reads()
    served = reads.read(client.gateway.model_statuses) if targets else None
    # Events of accounts and of the registry do not concern rounds.
    areas = [area for area in client.event_services if area not in (client.accounts, client.registry)]
    letters = {area.service: reads.read(area.dead_letters) for area in areas}
    models = served.value() if served else ()
    found = {service: each.value() for service, each in letters.items()}
    return {
        "targets": None if models is None else target_rows(targets, models),
        "dead_letters": dead_letters_view(found),
    }


def target_rows(targets: Sequence[str], models: Sequence[Model]) -> list[TargetRow]:
    """Return the state of each target of a round."""
    served = {model.name: model for model in models}
    return [_target(name, served.get(name)) for name in targets]


def dead_letters_view(found: Mapping[str, Sequence[DeadLetters] | None]) -> DeadLettersView:
    """Return the dead letters by service; None for a service that did not answer."""
    rows = [
        DeadLetterRow(
            service_name(service), each.topic, count(each.count), moment(each.newest_at), each.newest_reason
        )
        for service, letters in found.items()
        for each in letters or ()
        if each.count
    ]
    return DeadLettersView(
        rows, [service_name(service) for service, letters in found.items() if letters is None]
    )


def _target(name: str, model: Model | None) -> TargetRow:
    if model is None:
        return TargetRow(name, _said(NOT_SERVED), _("Replace it with another model, or serve it again."))
    note = "" if model.ready else service_words(model.reason or "")
    return TargetRow(name, model_state(model), note)


def _said(word: Word) -> Word:
    return replace(word, text=_(word.text))
