"""A round with its task, for pages whose address names the round alone."""

from dynabench_client.results.annotation import Round, Task

from web.kit.dependencies import dependencies, platform
from web.kit.parallel import page_reads

MOST_KNOWN = 10_000


def round_and_task(round_id: str) -> tuple[Round, Task]:
    """Return a round and its task.

    A round belongs to one task for ever, so a process that has met the round asks for both at once.
    """
    annotation, reads, known = platform().annotation, page_reads(), dependencies().task_of_round
    asked = reads.read(annotation.round, round_id)
    if round_id in known:
        reads.read(annotation.task, known[round_id])
    found = asked.needed()
    if len(known) >= MOST_KNOWN:
        known.clear()
    known[round_id] = found.task_slug
    return found, reads.read(annotation.task, found.task_slug).needed()
