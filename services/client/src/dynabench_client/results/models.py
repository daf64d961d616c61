"""Results about models: submitted, served, and evaluated on datasets. The gateway's follow KServe V1."""

from dynabench_api import evaluations, gateway, submissions

from dynabench_client.results.base import Result

SubmissionStep = submissions.StepAnswer
ModelCard = submissions.CardAnswer
Tombstone = submissions.TombstoneAnswer
Submission = submissions.SubmissionAnswer
LoopRound = submissions.LoopRoundAnswer
WholeSubmission = submissions.WholeSubmission
Submissions = submissions.SubmissionsAnswer
CreatedSubmission = submissions.CreatedSubmission
SignedPart = submissions.SignedPart
SignedParts = submissions.PartsAnswer
UploadedPart = submissions.UploadedPart
UploadState = submissions.UploadStateAnswer
LogLine = submissions.LogLine
SubmissionLog = submissions.LogAnswer
EntryText = submissions.EntryAnswer
PublishedModel = submissions.PublishedModel
PublishedModels = submissions.PublishedModelsAnswer

Leak = evaluations.LeakAnswer
Leaks = evaluations.LeaksAnswer
ScoredDataset = evaluations.ScoredDatasetAnswer
MetricOnDataset = evaluations.ValueAnswer
MetricOnSlice = evaluations.SliceAnswer
SuiteTest = evaluations.SuiteTestAnswer
Evaluation = evaluations.EvaluationAnswer
EvaluationLine = evaluations.LineAnswer
DifferingItem = evaluations.ItemAnswer
ComparedTag = evaluations.TagAnswer
MetricDifference = evaluations.DifferenceAnswer
ModelComparison = evaluations.ComparisonAnswer
ComparedItem = evaluations.ComparedItemAnswer
ComparedItems = evaluations.ComparedItemsAnswer
ShownItem = evaluations.ShownItem
ItemVariant = evaluations.VariantAnswer
ItemSample = evaluations.SampleAnswer
ItemSamples = evaluations.SamplesAnswer
AnswerToItem = evaluations.AnswerToItem
AnsweredItem = evaluations.AnsweredItemAnswer
SuspectItem = evaluations.SuspectAnswer
Suspects = evaluations.SuspectsAnswer
Metrics = evaluations.MetricsAnswer

Model = gateway.ModelStatus
ModelNames = gateway.ModelList
ModelStatuses = gateway.ModelStatusList
Prediction = gateway.Prediction
Predictions = gateway.PredictionList


class ModelName(Result):
    """The name of a served model."""

    name: str
