"""A person's own work: the tries in each round, and their outcome."""

from collections.abc import Iterable
from dataclasses import dataclass

from dynabench_client.results.leaderboard import MyRound

from web.kit import isolation, words
from web.kit.language import _, ngettext
from web.kit.numbers import count
from web.kit.words import Word


@dataclass(frozen=True)
class OwnRoundView:
    """A round with tries of the person."""

    round_id: str
    name: str
    state: Word
    tries: str
    fooled: str
    confirmed: str
    waiting: str
    is_open: bool


def own_rounds(rounds: Iterable[MyRound]) -> list[OwnRoundView]:
    """Return the view of the rounds."""
    return [
        OwnRoundView(
            round_id=found.round_id,
            name=_(
                "%(task)s, round %(number)s",
                task=isolation.name(found.task_title or found.task_slug),
                number=found.number,
            ),
            state=words.round_state(found.state),
            tries=count(found.tries),
            fooled=_("%(fooled)s of %(decided)s", fooled=count(found.fooled), decided=count(found.decided)),
            confirmed=count(found.validated_errors),
            waiting=count(found.pending),
            is_open=found.state == "open",
        )
        for found in rounds
    ]


def totals(rounds: Iterable[MyRound]) -> str:
    """Return a sentence on all of the person's tries; empty without tries."""
    counted = list(rounds)
    tries = sum(found.tries for found in counted)
    if not tries:
        return ""
    return ngettext(
        "%(tries)s\u00a0try so far: %(fooled)s fooled a model, %(confirmed)s confirmed, %(waiting)s being checked.",
        "%(tries)s\u00a0tries so far: %(fooled)s fooled a model, %(confirmed)s confirmed, %(waiting)s being checked.",
        tries,
        tries=count(tries),
        fooled=count(sum(found.fooled for found in counted)),
        confirmed=count(sum(found.validated_errors for found in counted)),
        waiting=count(sum(found.pending for found in counted)),
    )
