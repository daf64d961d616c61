"""A round as people read it."""

from dynabench_client.cli.output import Output
from dynabench_client.results.annotation import Round


def described(one: Round) -> dict[str, object]:
    """Return what a round is, without its figures."""
    return {
        "round": one.round_id,
        "task": one.task_slug,
        "number": one.number,
        "title": one.title,
        "state": one.state,
        **({one.origin: one.source} if one.origin else {}),
        "targets": one.targets,
    }


def show_round(one: Round, as_json: bool) -> None:
    """Write a round."""
    Output(as_json).record(one.document(), described(one))
