"""Finding the round that an owner's page is about, by its task and number."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from dynabench_client.results.annotation import Round, Task
from dynabench_common.auth.permissions import Permission, ensure
from dynabench_common.problems import not_found

from web.kit.configuration import TaskRules, task_rules
from web.kit.dependencies import platform
from web.kit.round_actions import round_address
from web.kit.rounds import round_view


@dataclass(frozen=True)
class OwnedRound:
    """A round with its task, for the one who looks after it."""

    task: Task
    round: Round

    @property
    def round_id(self) -> str:
        """The id of the round."""
        return self.round.round_id

    @property
    def is_draft(self) -> bool:
        """Return whether people have yet to write in it; what is imported is a draft until it is closed."""
        return self.round.state == "draft" and not self.round.is_collected_elsewhere

    @cached_property
    def rules(self) -> TaskRules:
        """The part of the task's configuration that pages need."""
        return task_rules(self.task)

    def address(self, *parts: str) -> str:
        """Return where a page about the round is."""
        return round_address(self.round, *parts)

    def views(self) -> dict[str, Any]:
        """Return what the frame of every page about the round needs."""
        return {"task": self.rules, "round": round_view(self.round), "base": self.address()}


def owned_round(permission: Permission, slug: str, number: int) -> OwnedRound:
    """Return the round. Raises Problem 401 and 403 for those who don't look after the task, 404 without a round."""
    ensure(permission, task=slug)
    task = platform().annotation.task(slug)
    found = next((each for each in task.rounds if each.number == number), None)
    if found is None:
        raise not_found("round", "number")
    return OwnedRound(task, found)
