"""The command that counts probes of a model made outside of tries, wherever a person asked it."""

from dataclasses import dataclass

from annotation.domain.identifiers import PersonId, ProbeId
from annotation.service_layer.dependencies import Dependencies


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


def count_probes(command: CountProbes, app: Dependencies) -> int:
    """Count each text as a probe in every open or paused round that has the model as a target.

    Returns the number of these rounds. Raises TargetInTheLoop where there are some and the person may not ask then.
    """
    with app.unit_of_work() as uow:
        loops = [loop for loop in uow.rounds.loops() if command.target in loop.targets]
        if loops and not command.also_in_the_loop:
            raise TargetInTheLoop(command.target)
        for loop in loops:
            probe_ids = [ProbeId(app.make_id()) for _ in range(command.texts)]
            uow.probes.add_probes(
                probe_ids, loop.round_id, command.person_id, [command.target], app.clock.now()
            )
        uow.commit()
    return len(loops)
