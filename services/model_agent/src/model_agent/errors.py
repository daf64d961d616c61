"""Refusals of model servers as plain exceptions; the HTTP interface turns them into problem documents."""


class ModelServerAway(Exception):
    """A model server does not answer, or not with our key."""


class ModelServerRefused(Exception):
    """A model server answered that it can't do it; `status` is None where it did not answer in time."""

    def __init__(self, message: str, status: int | None = None) -> None:
        super().__init__(message)
        self.status = status


class ArchiveOnItsWay(ModelServerRefused):
    """The archive, or what it is to be served in, is on its way; ask again. The message says how far it is."""


class PoolAbsent(ModelServerRefused):
    """There is no such pool on this machine; the message says why."""
