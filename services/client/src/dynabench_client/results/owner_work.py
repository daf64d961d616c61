"""Results about what waits for an owner's decision."""

from dynabench_api import validation

WorkItem = validation.WorkItem
RoundExample = validation.RoundExample
ExamplesWaiting = validation.ExamplesWaiting
WorkCounts = validation.WorkCountsAnswer
RoundWorkCounts = validation.RoundWorkCounts
Requeued = validation.RequeueAnswer
