"""Datasets that models are scored on, evaluations, and two models compared."""

from dynabench_api import evaluations

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
