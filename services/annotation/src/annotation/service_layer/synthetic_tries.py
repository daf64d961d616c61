"""Synthetic tries, one a minute: they show whether people would get a verdict now, even if no one tries.

A synthetic try takes a person's way up to the verdict: the task's worked example, the round's targets, one deadline. It
stores nothing: no example, no event, no count of attempts or probes. Its outcome is counted separately from people's.
"""

import contextlib

from dynabench_tasks.rounds import RoundState

from annotation.domain.errors import TargetRefusesInput
from annotation.service_layer.dependencies import Dependencies
from annotation.service_layer.predictions import Undecidable, Written, judge
from annotation.service_layer.try_metrics import Origin, timed_try


def make_synthetic_try(app: Dependencies) -> None:
    """Ask the targets of one open round, drawn at random, about its task's first worked example.

    If no open round has targets and a task with a worked example, nothing is asked. Failures of targets are measured
    and are no error here.
    """
    with app.unit_of_work() as uow:
        found = [uow.rounds.get(live.round_id) for live in uow.rounds.live()]
    usable = [
        (round_, task)
        for round_, task in found
        if round_.state is RoundState.OPEN and task.configuration.worked_examples
    ]
    if not usable:
        return
    round_, task = usable[int(app.draw() * len(usable))]
    configuration = task.configuration
    example = configuration.worked_examples[0]
    written, claimed = configuration.check_input(example.input, example.context)
    asked = Written(example.context, written, claimed)
    with (
        contextlib.suppress(Undecidable, TargetRefusesInput),
        timed_try(task.slug, Origin.SYNTHETIC) as outcome,
    ):
        outcome.result = judge(round_.targets, configuration, asked, app).verdict.value
