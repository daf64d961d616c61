"""The command that counts what a person found out about a model beside their tries, wherever they asked it."""

from dataclasses import dataclass

from annotation.domain.identifiers import PersonId, ProbeId
from annotation.service_layer.dependencies import Dependencies


@dataclass(frozen=True)
class CountProbes:
    """A person was told what a model answers on some texts; which texts, nobody keeps."""

    target: str
    person_id: PersonId
    texts: int


def count_probes(command: CountProbes, app: Dependencies) -> int:
    """Count each text as a probe in every open or paused round that has the model as a target.

    Returns the number of these rounds.
    """
    with app.unit_of_work() as uow:
        loops = [loop for loop in uow.rounds.loops() if command.target in loop.targets]
        for loop in loops:
            probe_ids = [ProbeId(app.make_id()) for _ in range(command.texts)]
            uow.probes.add_probes(
                probe_ids, loop.round_id, command.person_id, [command.target], app.clock.now()
            )
        uow.commit()
    return len(loops)
