"""Cluster interface of sandboxes in pods."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from model_agent.sandbox.backend import Obstacle


class PodsRefused(Obstacle):
    """The cluster refuses a call or does not answer; the message gives the reason."""


@dataclass(frozen=True)
class Seen:
    """State of a pod, as reported by the cluster.

    `ended` describes the end of its container, with an exit `status`, or the reason why it `was_taken_away` from its
    node. `waits` is the reason for a wait.
    """

    address: str | None = None
    is_running: bool = False
    ended: str | None = None
    was_taken_away: bool = False
    status: int | None = None
    waits: str = ""


class Pods(Protocol):
    """Pods by name. Every call raises PodsRefused."""

    def create(self, manifest: Mapping[str, Any]) -> None:
        """Have a pod made."""

    def see(self, name: str) -> Seen | None:
        """Return a pod; None if there is none."""

    def printed(self, name: str, last_bytes: int) -> str:
        """Return the last that its container printed; empty if that can't be read."""

    def names(self, labels: Mapping[str, str]) -> Sequence[str]:
        """Return the names of the pods that carry the labels."""

    def delete(self, name: str) -> None:
        """Have a pod ended and removed; one that is not there is no matter."""
