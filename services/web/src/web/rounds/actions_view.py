"""Preview of a round's state change, change of targets or release, before the owner confirms it."""

from collections.abc import Sequence
from dataclasses import dataclass

from dynabench_client.results.annotation import Round, StatePreview, TaskModel
from dynabench_client.results.validation import ValidationCounts

from web.kit.language import N_, _, ngettext, running
from web.kit.numbers import count
from web.kit.round_actions import BlockerView, blocker_views, waiting_votes
from web.kit.service_words import service_words

REOPEN = "reopened"
NAMES = {
    "open": N_("Open %(round)s"),
    "paused": N_("Pause %(round)s"),
    "closed": N_("Close %(round)s"),
    REOPEN: N_("Reopen %(round)s"),
}
QUESTIONS = {
    "open": N_("Open %(round)s?"),
    "paused": N_("Pause %(round)s?"),
    "closed": N_("Close %(round)s?"),
    REOPEN: N_("Reopen %(round)s?"),
}


@dataclass(frozen=True)
class MoveView:
    """Effect of a round's state change; `is_known` is false if no service could report it."""

    state: str
    name: str
    question: str
    consequences: list[str]
    blockers: list[BlockerView]
    needs_reason: bool
    is_known: bool

    @property
    def is_allowed(self) -> bool:
        """Return whether the state change is possible, as far as known."""
        return not self.blockers


@dataclass(frozen=True)
class TargetChoice:
    """A model to choose, or a present target that is no longer served."""

    name: str
    note: str
    is_chosen: bool


def move_view(
    found: Round, state: str, preview: StatePreview | None, waiting: ValidationCounts | None
) -> MoveView:
    """Return the consequences of a state change: annotation's on tries, validation's on votes."""
    said = [] if preview is None else [_sentence(each.text, each.count) for each in preview.consequences]
    if state != "open" and waiting is not None:
        said += _votes_left(waiting)
    move, round_name = _move(found.state, state), _("Round %(number)s", number=found.number)
    return MoveView(
        state=state,
        name=_(NAMES[move], round=round_name),
        question=_(QUESTIONS[move], round=round_name),
        consequences=said,
        blockers=blocker_views(preview.blockers) if preview else [],
        needs_reason=state == "closed" or found.state == "closed",
        is_known=preview is not None,
    )


def _move(before: str, state: str) -> str:
    """Return the name of the state change; opening a closed round is a reopening."""
    return REOPEN if before == "closed" and state == "open" else state


def target_choices(
    targets: Sequence[str], models: Sequence[TaskModel], chosen: Sequence[str]
) -> list[TargetChoice]:
    """Return the published models that fit, then the present targets that are not among them."""
    served = [
        TargetChoice(
            model.name, _("ready") if model.ready else _("starts on the first request"), model.name in chosen
        )
        for model in sorted(models, key=lambda model: model.name)
        if model.published or model.name in targets
    ]
    names = {model.name for model in models}
    gone = [
        TargetChoice(name, _("no longer served"), name in chosen) for name in targets if name not in names
    ]
    return served + gone


def _votes_left(waiting: ValidationCounts) -> list[str]:
    said = [" ".join([waiting_votes(waiting), _("People can continue to check examples.")])]
    if waiting.leases_out:
        said.append(
            ngettext(
                "%(shown)s\u00a0person is checking an example now. The vote still counts.",
                "%(shown)s\u00a0people are checking examples now. Their votes still count.",
                waiting.leases_out,
                shown=count(waiting.leases_out),
            )
        )
    return said


def _sentence(text: str, number: int | None) -> str:
    """Return annotation's consequences, each after its number of affected things."""
    said = service_words(text)
    if number is None:
        return said
    return _("%(number)s · %(consequence)s", number=count(number), consequence=running(said))
