"""The registrations that a declared model needs, and the end of a sandbox as its last line tells it."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from dynabench_archives.model_servers import SANDBOX_ENDED, Archive, Registration

from registry.domain.declarations import Declared, Start


def sandbox_end(printed: Sequence[str]) -> str | None:
    """Return the line on how a sandbox ended, if it is the last that was printed."""
    return printed[-1] if printed and printed[-1].startswith(SANDBOX_ENDED) else None


def registrations(
    declared: Declared,
    archive: Archive | None,
    is_used: Callable[[str, Start], bool],
    scorers: Sequence[str] = (),
) -> list[Registration]:
    """Return what a declared model needs in TorchServe: predictions, and explanations under their own name.

    In one queue TorchServe would answer an explanation as a prediction, and a slow explanation would hold up
    the predictions behind it. `is_used` tells, by serving name, whether what starts on demand is asked for.
    `scorers` are serving names of sandboxes that answer one evaluation each, and nobody else.
    """

    def workers(serving_name: str, number: int, start: Start) -> int:
        return number if not start.on_demand or is_used(serving_name, start) else 0

    wanted = [
        Registration(
            serving_name=declared.serving_name,
            archive=archive,
            fields=declared.fields,
            workers=workers(declared.serving_name, declared.workers, declared.start),
            on_demand=declared.start.on_demand,
            batch_size=declared.batch_size,
            max_batch_delay_milliseconds=declared.max_batch_delay_milliseconds,
            response_timeout_seconds=declared.response_timeout_seconds,
            explains=False,
        )
    ]
    wanted += [replace(wanted[0], serving_name=name, workers=1, on_demand=True) for name in scorers]
    explain = declared.explain
    if explain is not None:
        wanted.append(
            Registration(
                serving_name=declared.explain_name,
                archive=archive,
                fields=declared.fields,
                workers=workers(declared.explain_name, explain.workers, explain.start),
                on_demand=explain.start.on_demand,
                batch_size=1,
                max_batch_delay_milliseconds=1,
                response_timeout_seconds=explain.response_timeout_seconds,
                explains=True,
            )
        )
    return wanted
