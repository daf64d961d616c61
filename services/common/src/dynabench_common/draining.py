"""How a service that is told to stop sees off who is with it, and turns away who comes.

gunicorn's own keeps listening while it finishes what is in hand, though it accepts nobody: who connects meanwhile waits
for an answer that never comes. Here they are refused at once, so that whoever balances asks another replica.
"""

import ctypes
import socket
import struct
from contextlib import suppress

from gunicorn.arbiter import Arbiter
from gunicorn.workers.gthread import ThreadWorker

SO_ATTACH_FILTER = 26  # Linux, asm-generic/socket.h: the socket module has no name for it
# Classic BPF over a TCP header, struct sock_filter[4] of linux/filter.h: drop what carries no ACK, which is who asks
# to connect, and pass the rest, so that connections half made are made.
DROP_WHO_ASKS = ctypes.create_string_buffer(
    b"".join(
        struct.pack("HBBI", *step)
        for step in (
            (0x30, 0, 0, 13),  # load the byte of flags
            (0x45, 0, 1, 0x10),  # is ACK set?
            (0x06, 0, 0, 0xFFFFFFFF),  # pass
            (0x06, 0, 0, 0),  # drop
        )
    )
)


class DrainingArbiter(Arbiter):  # type: ignore[misc]
    """Watches over the processes of a service, and lets nobody in once all of them are to stop.

    Who connected between a worker's last accept and the close of its listener would be cut off unanswered. So the
    kernel ignores who asks in that moment: they ask again after a second, and are refused or reach another replica.
    """

    def stop(self, graceful: bool = True) -> None:
        """Stop all workers."""
        for listener in self.LISTENERS:
            let_nobody_in(listener.sock)
        super().stop(graceful)


def let_nobody_in(listener: socket.socket) -> None:
    """Ignore from now on who asks to connect; who has connected waits to be accepted as before. On Linux only."""
    program = struct.pack("HP", 4, ctypes.addressof(DROP_WHO_ASKS))
    with suppress(OSError):
        listener.setsockopt(socket.SOL_SOCKET, SO_ATTACH_FILTER, program)


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
