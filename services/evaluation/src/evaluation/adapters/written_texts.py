"""Texts of people and targets in events, and the search for canaries (made-up words) in them."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from dynabench_events import EventRecord
from dynabench_events.example import ExampleCreated, ExampleExplained, MetadataGiven
from dynabench_events.model import ModelCardChanged
from dynabench_events.validation import VoteCast, VoteJudged

from evaluation.domain.canaries import Place, Sighting, shaped_words

Texts = Iterable[str]


def _created(event: ExampleCreated) -> Texts:
    """Return the texts of a try, and the targets' answers."""
    yield from event.input.values()
    yield from event.context.values()
    yield from event.metadata.values()
    yield event.claimed
    for answer in event.answers:
        yield answer.value


def _metadata(event: MetadataGiven) -> Texts:
    return event.metadata.values()


def _explained(event: ExampleExplained) -> Texts:
    return event.label_explanation, event.model_explanation


def _cast(event: VoteCast) -> Texts:
    return event.option, event.reason, *event.metadata.values()


def _judged(event: VoteJudged) -> Texts:
    return event.corrected, event.explanation


WRITTEN: Mapping[type[EventRecord], Callable[[Any], Texts]] = {
    ExampleCreated: _created,
    MetadataGiven: _metadata,
    ExampleExplained: _explained,
    VoteCast: _cast,
    VoteJudged: _judged,
}


def sightings(records: Iterable[EventRecord]) -> Iterator[Sighting]:
    """Yield the words in records that are shaped like canaries; events of cards have only the long words."""
    for record in records:
        if isinstance(record, ModelCardChanged):
            words = shaped_words(record.long_words)
            if words:
                yield Sighting(Place.CARD, record.submission_id, record.serving_name, words)
        elif (read := WRITTEN.get(type(record))) is not None:
            words = shaped_words(read(record))
            if words:
                yield Sighting(Place.EXAMPLE, record.aggregate_id, "", words)
