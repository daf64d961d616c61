"""Cluster interface of sandboxes in pods."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from model_agent.sandbox.backend import Obstacle


class PodsRefused(Obstacle):
    """The cluster does not do what is asked, or does not answer; the message says why."""


@dataclass(frozen=True)
class Seen:
    """A pod as the cluster tells of it.

    `ended` says how its container ended, with an exit `status`, or why it `was_taken_away` from its node; `waits` what
    it waits for.
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
