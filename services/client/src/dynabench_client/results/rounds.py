"""Results about the life of a round: how it was collected, brought in, and what a step would do to it."""

from dynabench_api import rounds

Collection = rounds.CollectionAnswer
LostTarget = rounds.LostTargetAnswer
LostTargets = rounds.LostTargetsAnswer
Consequence = rounds.ConsequenceAnswer
Blocker = rounds.BlockerAnswer
StatePreview = rounds.PreviewAnswer
Import = rounds.ImportAnswer
RecordsStored = rounds.TakenAnswer
Harvested = rounds.HarvestAnswer
