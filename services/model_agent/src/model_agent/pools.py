"""Pools of the agent's model servers, by name, and the reconciler that may command them."""

import threading
from collections.abc import Mapping, Set
from typing import Protocol

from dynabench_archives.model_servers import Pool, Registration, Served

from model_agent.errors import PoolAbsent


class ModelServer(Protocol):
    """A pool's model server: TorchServe, or the sandboxes; raises ModelServerAway, ModelServerRefused."""

    def served(self) -> Mapping[str, Served]:
        """Return everything that is registered, by name."""

    def register(self, registration: Registration) -> None:
        """Begin to serve; workers start in the background."""

    def unregister(self, serving_name: str) -> None:
        """Stop serving."""

    def scale(self, serving_name: str, workers: int) -> None:
        """Begin to change the number of workers."""

    def probe(self, registration: Registration) -> tuple[str, str]:
        """Return the model and handler digests that a real answer carries."""


class Superseded(Exception):
    """Another reconciler has taken over since."""


class Pools:
    """Model servers by pool; where there is none, why."""

    def __init__(self, servers: Mapping[Pool, ModelServer | str]) -> None:
        self._servers = servers
        self._epoch = 0
        self._lock = threading.Lock()

    def find(self, pool: Pool) -> ModelServer:
        """Return the model server of a pool. Raises PoolAbsent."""
        server = self._servers.get(pool, "it is not set up on this machine")
        if isinstance(server, str):
            raise PoolAbsent(f"there is no pool {pool.value} here: {server}")
        return server

    def obey(self, epoch: int) -> None:
        """Remember which reconciler leads. Raises Superseded for one that led before."""
        with self._lock:
            if epoch < self._epoch:
                raise Superseded
            self._epoch = epoch

    def files_in_use(self) -> Set[str]:
        """Return the archives that are registered anywhere. Raises ModelServerAway."""
        return {
            held.file
            for server in self._servers.values()
            if not isinstance(server, str)
            for held in server.served().values()
        }
