"""The board of a task's models."""

from dynabench_api import model_boards

BoardDimension = model_boards.DimensionAnswer
BoardDataset = model_boards.BoardDatasetAnswer
Lead = model_boards.LeadAnswer
ModelRow = model_boards.ModelRowAnswer
ModelBoard = model_boards.ModelBoardAnswer
MovingParts = model_boards.MovingPartsAnswer
ProposedTarget = model_boards.ProposedTargetAnswer
TargetProposals = model_boards.TargetProposalsAnswer
