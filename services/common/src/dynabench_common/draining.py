"""The gunicorn worker of services with threads: it closes its door as soon as it is told to stop.

gunicorn's own keeps listening while it finishes what is in hand, though it accepts nobody: who connects meanwhile waits
for an answer that never comes. Here they are refused at once, so that whoever balances asks another replica.
"""

from gunicorn.workers.gthread import ThreadWorker


class DrainingThreads(ThreadWorker):  # type: ignore[misc]
    """Serves until told to stop, then takes in who has connected already, and nobody else."""

    def set_accept_enabled(self, enabled: bool) -> None:
        """Accept connections or don't; once the worker stops, for good."""
        super().set_accept_enabled(enabled)
        if not self.alive:
            for listener in self.sockets:
                self._take_in(listener)
                listener.close()

    def _take_in(self, listener: object) -> None:
        """Accept whoever waits at the door."""
        before = -1
        while before != self.nr_conns:
            before = self.nr_conns
            self.accept(listener)
