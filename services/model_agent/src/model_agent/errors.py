"""Refusals of model servers as plain exceptions; the HTTP interface turns them into problem documents."""


class ModelServerAway(Exception):
    """A model server does not answer, or not with our key."""


class ModelServerRefused(Exception):
    """A model server answered that it can't do it; `status` is None where it did not answer in time."""

    def __init__(self, message: str, status: int | None = None) -> None:
        super().__init__(message)
        self.status = status


class ArchiveOnItsWay(ModelServerRefused):
    """The archive or its runtime is not ready yet; retry. The message gives the progress."""


class PoolAbsent(ModelServerRefused):
    """No such pool exists on this machine; the message gives the reason."""
