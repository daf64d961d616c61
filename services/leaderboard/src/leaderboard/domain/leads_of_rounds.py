"""State-of-the-art badge: models that were the best on a round's dataset when they arrived.

Readers' weights do not matter: models are compared by the task's primary metric alone, on one version of the dataset
and under one version of the metrics. Published models and the installation's own models take part. The round's targets
do not, since its examples were chosen against them.

A model leads if none of the models present has a higher value once it is both scored and published. At least one other
model must be present by then. A later, better model takes nothing away.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID


@dataclass(frozen=True, slots=True)
class Contender:
    """A model with its value, from the moment on at which it could be seen; None submits for the installation."""

    submitted_by: UUID | None
    value: float
    since: datetime


def led_since(contenders: Iterable[Contender], person_id: UUID) -> datetime | None:
    """Return when a model of a person first led, None if none ever did."""
    known = sorted(contenders, key=lambda each: each.since)
    led = (
        mine.since
        for mine in known
        if mine.submitted_by == person_id
        for others in [[each for each in known if each is not mine and each.since <= mine.since]]
        if others and all(each.value <= mine.value for each in others)
    )
    return next(led, None)
