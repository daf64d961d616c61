"""One process's share of a limit that holds for all gateways together."""


def share_of(limit: int, among: int) -> int:
    """Return a process's share of a limit: all shares together keep it, unless it is less than one for each."""
    return max(limit // among, 1)


def share_of_workers(workers: int, among: int) -> int:
    """Return for how many workers a process may make calls at once: together for all of them, so that none is idle."""
    return max(-(-workers // among), 1)
