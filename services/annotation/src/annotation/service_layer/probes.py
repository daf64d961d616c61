"""Probes: questions to targets outside of tries. They are counted, but their texts are not stored."""

from collections.abc import Mapping
from dataclasses import dataclass

from annotation.domain.identifiers import ContextId, PersonId, ProbeId, RoundId
from annotation.domain.round import ProbesNotAllowed
from annotation.domain.verdict import Answers, TargetAnswer
from annotation.service_layer.assignments import assigned_context
from annotation.service_layer.dependencies import Dependencies
from annotation.service_layer.predictions import Written, ask


@dataclass(frozen=True)
class ProbeTargets:
    """Ask a round's targets about a person's text on a context of theirs."""

    round_id: RoundId
    context_id: ContextId
    person_id: PersonId
    input: Mapping[str, object]


@dataclass(frozen=True)
class CountProbes:
    """A person saw a model's answers on some texts; the texts themselves are not stored."""

    target: str
    person_id: PersonId
    texts: int
    also_in_the_loop: bool = True


@dataclass(eq=False)
class TargetInTheLoop(Exception):
    """People try to fool this model in rounds of tasks that the person does not own."""

    target: str


def probe_targets(command: ProbeTargets, app: Dependencies) -> Answers:
    """Return the targets' answers, none in an arm without targets.

    A probe that no target answers shows nothing, so it isn't counted. Raises NotFound, RoundNotOpen,
    ProbesNotAllowed, InputRefused, ContextNotAssigned, TargetRefusesInput.
    """
    with app.unit_of_work() as uow:
        round_, task = uow.rounds.get(command.round_id)
        round_.ensure_in_progress()
        configuration = task.configuration
        if configuration.probes == "none":
            raise ProbesNotAllowed
        context, assignment = assigned_context(command.round_id, command.context_id, command.person_id, uow)
        written = configuration.check_written(command.input, context.fields)
    if not configuration.condition(assignment.condition).has_targets:
        return ()
    answers = ask(round_.targets, configuration, Written(context.fields, written, None), app, [])
    targets = [answer.target for answer in answers if isinstance(answer, TargetAnswer)]
    if targets:
        with app.unit_of_work() as uow:
            uow.probes.add_probes(
                [ProbeId(app.make_id())], command.round_id, command.person_id, targets, app.clock.now()
            )
            uow.commit()
    return answers


def count_probes(command: CountProbes, app: Dependencies) -> int:
    """Count each text as a probe in every open or paused round that has the model as a target.

    Returns the number of these rounds. Raises TargetInTheLoop where there are some and the person may not ask then.
    """
    with app.unit_of_work() as uow:
        live = [round_ for round_ in uow.rounds.live() if command.target in round_.targets]
        if live and not command.also_in_the_loop:
            raise TargetInTheLoop(command.target)
        for round_ in live:
            probe_ids = [ProbeId(app.make_id()) for _ in range(command.texts)]
            uow.probes.add_probes(
                probe_ids, round_.round_id, command.person_id, [command.target], app.clock.now()
            )
        uow.commit()
    return len(live)
