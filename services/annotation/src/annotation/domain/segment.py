"""A segment: a stretch of a round with the same target digests and configuration version."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from dynabench_events.task import Target

from annotation.domain.identifiers import RoundId, SegmentId
from annotation.domain.verdict import Answers, TargetAnswer


@dataclass(frozen=True)
class Segment:
    """One stretch; `targets` stand in the round's order."""

    segment_id: SegmentId
    round_id: RoundId
    number: int
    configuration_version: int
    targets: tuple[Target, ...]
    started_at: datetime

    def holds(self, answers: Answers, configuration_version: int) -> bool:
        """Tell whether a try with these answers belongs to this stretch; missing answers tell nothing."""
        return (
            self.configuration_version == configuration_version
            and self.has_targets_of(answers)
            and self.targets == versions_after(self.targets, answers)
        )

    def has_targets_of(self, answers: Answers) -> bool:
        """Tell whether these are answers, or missing answers, of the targets of this stretch."""
        return {target.name for target in self.targets} == {answer.target for answer in answers}


def versions_after(targets: Sequence[Target], answers: Answers) -> tuple[Target, ...]:
    """Return the targets with the digests of those that answered."""
    answered = {answer.target: answer for answer in answers if isinstance(answer, TargetAnswer)}
    return tuple(
        Target(target.name, answered[target.name].model_digest, answered[target.name].handler_digest)
        if target.name in answered
        else target
        for target in targets
    )
