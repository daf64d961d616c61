"""What moving, re-targeting or releasing a round would do, before it is confirmed."""

from collections.abc import Sequence
from dataclasses import dataclass

from dynabench_client.results.annotation import Round
from dynabench_client.results.configuration import TaskModel
from dynabench_client.results.owner_work import WorkCounts
from dynabench_client.results.rounds import StatePreview

from web.kit.blockers import BlockerView, blocker_views
from web.kit.numbers import count

VERBS = {"open": "Open", "paused": "Pause", "closed": "Close"}


@dataclass(frozen=True)
class MoveView:
    """What moving a round to a state would do; `is_told` is false where nobody could say."""

    state: str
    verb: str
    consequences: list[str]
    blockers: list[BlockerView]
    needs_reason: bool
    is_told: bool

    @property
    def is_allowed(self) -> bool:
        """Tell whether the round can be moved, as far as is known."""
        return not self.blockers


@dataclass(frozen=True)
class TargetChoice:
    """A model to choose, or a present target that is not served any more."""

    name: str
    note: str
    is_chosen: bool


def move_view(found: Round, state: str, preview: StatePreview | None, waiting: WorkCounts | None) -> MoveView:
    """Return what moving a round would do: what annotation knows of tries, and validation of votes."""
    said = [] if preview is None else [_sentence(each.text, each.count) for each in preview.consequences]
    if state != "open" and waiting is not None:
        said += _votes_left(waiting)
    return MoveView(
        state=state,
        verb=verb(found.state, state),
        consequences=said,
        blockers=blocker_views(preview.blockers) if preview else [],
        needs_reason=state == "closed" or found.state == "closed",
        is_told=preview is not None,
    )


def verb(before: str, state: str) -> str:
    """Return what moving a round is called; a closed one is opened again."""
    return "Reopen" if before == "closed" and state == "open" else VERBS[state]


def target_choices(
    targets: Sequence[str], models: Sequence[TaskModel], chosen: Sequence[str]
) -> list[TargetChoice]:
    """Return the models that fit, then the present targets that are not among them."""
    served = [
        TargetChoice(model.name, "ready" if model.ready else "starts when it is asked", model.name in chosen)
        for model in sorted(models, key=lambda model: model.name)
    ]
    names = {model.name for model in models}
    gone = [
        TargetChoice(name, "not served any more", name in chosen) for name in targets if name not in names
    ]
    return served + gone


def _votes_left(waiting: WorkCounts) -> list[str]:
    said = [_sentence("Examples that wait for votes; people can go on voting.", waiting.pending)]
    if waiting.leases_out:
        said.append(
            _sentence(
                "People who have an example in hand to vote on; their votes still count.", waiting.leases_out
            )
        )
    return said


def _sentence(text: str, number: int | None) -> str:
    return text if number is None else f"{count(number)} · {text[:1].lower()}{text[1:]}"
