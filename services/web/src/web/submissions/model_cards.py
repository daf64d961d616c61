"""Models of a task as cards: score, fool rate, and a button to try each."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from urllib.parse import urlencode

from dynabench_client import Dynabench
from dynabench_client.results.annotation import Task, TaskSummary
from dynabench_client.results.base import LARGEST_PAGE, every
from dynabench_client.results.leaderboard import ModelBoard, ModelRow, RoundFigures, TargetFigures
from dynabench_client.results.models import PublishedModel
from markupsafe import Markup

from web.kit import isolation
from web.kit.charts.score_bars import score_bars
from web.kit.dependencies import platform
from web.kit.language import _
from web.kit.numbers import RateView, decimal, rate
from web.kit.parallel import Part, page_reads
from web.kit.rounds import by_activity, started_rounds
from web.kit.service_words import service_words
from web.submissions.submission_view import card_view, model_name

TASKS, LEADING, MODELS = 5, 3, 20
"""Tasks on a page, the models of each there, and models on a page of one task."""
MOST_ROUNDS = 3
"""Rounds whose figures are read: a model's fool rate is that of the newest of them in which people played it."""
IN_PLAY = frozenset({"open", "paused"})
WHOLE = "tries"
NO_BAR = Markup()


@dataclass(frozen=True)
class FoolRate:
    """The fool rate of a model in a round; `note` tells if it is not of all tries."""

    rate: RateView
    note: str
    number: int
    address: str


@dataclass(frozen=True)
class ModelCard:
    """A model; `play` or `attempt` is the address of its button.

    `reason` says why it has no score, `no_fool_rate` why it has no fool rate; that is empty if its page may have one.
    """

    name: Markup | str
    address: str
    marks: list[str]
    facts: str
    score: str
    interval: str
    place: str
    reason: str
    bar: Markup = NO_BAR
    fool_rate: FoolRate | None = None
    no_fool_rate: str = ""
    play: str = ""
    attempt: str = ""


@dataclass(frozen=True)
class TaskModels:
    """The models of a task, the leading first.

    `number` counts also those without a card here; `has_scores` tells if the board was read.
    """

    slug: str
    title: str
    cards: Sequence[ModelCard]
    number: int
    has_scores: bool


@dataclass(frozen=True)
class Listing:
    """A page of models by task; `titles` are those of all tasks.

    `is_whole` tells if the published models and the tasks were read.
    """

    groups: Sequence[TaskModels]
    titles: Mapping[str, str]
    has_more: bool
    is_whole: bool


@dataclass(frozen=True)
class TaskReads:
    """Pending reads about the models of a task; `figures` are those of its newest rounds, newest first.

    `in_play` has the targets of rounds in progress, with the address for fooling each; it is empty during a pause.
    `older` are the targets of the rounds whose figures are not read; None if the rounds are unknown.
    """

    slug: str
    board: Part[ModelBoard]
    title: str = ""
    figures: Sequence[Part[RoundFigures]] = ()
    in_play: Mapping[str, str] = field(default_factory=dict)
    older: frozenset[str] | None = None

    def view(self, published: Iterable[PublishedModel], first: int, most: int) -> TaskModels:
        """Return at most `most` models from number `first` on, those with the highest scores first."""
        board = self.board.value()
        rows = {row.model: row for row in board.rows} if board else {}
        registered = {each.name: each for each in published if each.task == self.slug}
        read = [part.value() for part in self.figures]
        played = _fool_rates([found for found in read if found])
        names = list(dict.fromkeys([*rows, *registered, *self.in_play]))
        bars = dict(zip(rows, score_bars(list(rows.values())), strict=True))
        cards = [
            replace(
                _card(name, rows.get(name), registered.get(name)),
                bar=bars.get(name, NO_BAR),
                fool_rate=played.get(name),
                no_fool_rate=self._no_fool_rate(name, has_figures=None not in read),
                play=self.in_play.get(name, ""),
                attempt="" if name in self.in_play else _attempt(self.slug, name, rows.get(name)),
            )
            for name in names[first : first + most]
        ]
        return TaskModels(self.slug, self.title or self.slug, cards, len(names), board is not None)

    def _no_fool_rate(self, name: str, *, has_figures: bool) -> str:
        """Return why a model has no fool rate in the rounds that were read; empty if another round may have one."""
        if not has_figures:
            return _("not available just now")
        if self.older is None or name in self.older:
            return ""
        return _("nobody has tried to fool it in a round")


def models_of_task(slug: str, number: int) -> Listing:
    """Return page `number` of a task's models."""
    client, reads = platform(), page_reads()
    published = reads.read(_published, client, slug)
    tasks = reads.read(client.annotation.tasks, limit=LARGEST_PAGE)
    _begin(slug)
    known = {task.slug: task for task in found.items} if (found := tasks.value()) else {}
    first = (number - 1) * MODELS
    offered = published.value()
    group = _begin(slug, known.get(slug)).view(offered or (), first, MODELS)
    titles = {slug: slug, **{name: task.title or name for name, task in known.items()}}
    groups = [group] if group.cards else []
    return Listing(groups, titles, first + MODELS < group.number, None not in (offered, found))


def models_of_tasks(number: int) -> Listing:
    """Return page `number` of the tasks with their leading models, those with most tries first."""
    client, reads = platform(), page_reads()
    published = reads.read(_published, client)
    tasks = reads.read(client.annotation.tasks, limit=LARGEST_PAGE)
    headlines = reads.read(client.leaderboard.tasks, limit=LARGEST_PAGE)
    offered, found, active = published.value(), tasks.value(), headlines.value()
    ordered = chain(*by_activity(found.items if found else (), active.items if active else ()))
    known = {task.slug: task for task in ordered}
    slugs = list(dict.fromkeys([*known, *(each.task for each in offered or ())]))
    first = (number - 1) * TASKS
    begun = [_begin(slug, known.get(slug)) for slug in slugs[first : first + TASKS]]
    groups = [each.view(offered or (), 0, LEADING) for each in begun]
    titles = {name: task.title or name for name, task in known.items()}
    shown = [group for group in groups if group.cards]
    return Listing(shown, titles, first + TASKS < len(slugs), None not in (offered, found))


def fool_rate_of(name: str, task: Task | None) -> FoolRate | None:
    """Return the fool rate of a model; None if nobody has tried to fool it, or it can't be read."""
    rounds = [found for found in started_rounds(task.rounds) if name in found.targets] if task else []
    read, reads = platform().leaderboard.round, page_reads()
    begun = [reads.read(read, found.round_id) for found in rounds[:MOST_ROUNDS]]
    return _fool_rates([found for part in begun if (found := part.value())]).get(name)


def _published(client: Dynabench, task: str | None = None) -> list[PublishedModel]:
    """Return all published models, or those of a task: their number is shown."""
    read = client.registry.published_models
    return list(every(lambda cursor: read(task=task, limit=LARGEST_PAGE, cursor=cursor)))


def _begin(slug: str, task: TaskSummary | None = None) -> TaskReads:
    """Start reading the board of a task, and the figures of its newest rounds if they are known."""
    client, reads = platform(), page_reads()
    board = reads.read(client.leaderboard.model_board, slug, scores=False)
    if task is None:
        return TaskReads(slug, board)
    rounds = [found for found in started_rounds(task.rounds) if found.targets]
    figures = [reads.read(client.leaderboard.round, found.round_id) for found in rounds[:MOST_ROUNDS]]
    in_play = {
        name: f"/rounds/{found.round_id}/create" if found.is_open else ""
        for found in reversed(rounds)
        if found.state in IN_PLAY
        for name in found.targets
    }
    older = frozenset(name for found in rounds[MOST_ROUNDS:] for name in found.targets)
    return TaskReads(slug, board, task.title, figures, in_play, older)


def _fool_rates(rounds: Sequence[RoundFigures]) -> Mapping[str, FoolRate]:
    """Return the fool rate of each model in the newest round in which it answered a try."""
    newest: dict[str, FoolRate] = {}
    for found in rounds:
        for figures in found.targets:
            if figures.decided:
                newest.setdefault(figures.target, _fool_rate(figures, found))
    return newest


def _fool_rate(figures: TargetFigures, found: RoundFigures) -> FoolRate:
    note = "" if figures.rates_of == WHOLE else _("of tries that fooled the models before it")
    return FoolRate(rate(figures.mer), note, found.number, f"/rounds/{found.round_id}")


def _card(name: str, row: ModelRow | None, registered: PublishedModel | None) -> ModelCard:
    return ModelCard(
        name=model_name(registered) if registered else isolation.name(name),
        address=f"/models/{name}" if row or registered else "",
        marks=_marks(row),
        facts=_facts(registered),
        score=decimal(row.score) if row and row.score is not None else "",
        interval=f"{decimal(row.interval[0])}–{decimal(row.interval[1])}" if row and row.interval else "",
        place=_place(row),
        reason=service_words(row.reason) if row else "",
    )


def _attempt(slug: str, name: str, row: ModelRow | None) -> str:
    """Return the address for trying a model; empty for one that does not run here."""
    if row is not None and (row.prediction_only or row.external):
        return ""
    return f"/tasks/{slug}/sandbox?{urlencode({'model': name})}"


def _place(row: ModelRow | None) -> str:
    if row is None or row.rank_set is None:
        return ""
    first, last = row.rank_set
    if first == last:
        return _("place %(place)s", place=first)
    return _("place %(first)s to %(last)s", first=first, last=last)


def _marks(row: ModelRow | None) -> list[str]:
    """Return what is special about a model, in words."""
    if row is None:
        return []
    marks = {
        _("comes with the installation"): row.submitted_by is None
        and not (row.is_anonymous or row.prediction_only or row.external),
        _("yours"): row.is_mine,
        _("not published"): not row.is_published,
        _("anonymous"): row.is_anonymous,
        _("predictions only"): row.prediction_only and not row.external,
        _("measured elsewhere"): row.external,
    }
    return [words for words, is_so in marks.items() if is_so]


def _facts(registered: PublishedModel | None) -> str:
    if registered is None:
        return ""
    card = card_view(registered.card)
    size = _("%(number)s parameters", number=card.parameters_in_words) if card.parameters else ""
    return Markup(" · ").join(part for part in (size, isolation.name(card.licence)) if part)
