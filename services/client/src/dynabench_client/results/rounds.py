"""Results about a round: its collection, its import, and the consequences of a step."""

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
