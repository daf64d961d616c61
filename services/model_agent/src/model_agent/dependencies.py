"""Collaborators of the agent's HTTP interface."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from model_agent.building.builds import Builds
from model_agent.pools import Pools
from model_agent.store import ArchiveStore


@dataclass(frozen=True)
class Dependencies:
    """Collaborators of the agent."""

    pools: Pools
    store: ArchiveStore
    builds: Builds
    last_lines: Callable[[str], Sequence[str]]
    forget_said: Callable[[str], None] = lambda _name: None
