"""Results of the annotation service."""

from dynabench_api import annotation
from pydantic import Field

Round = annotation.RoundAnswer
TaskSummary = annotation.TaskSummary
Task = annotation.TaskAnswer
Context = annotation.ContextAnswer
OwnersContext = annotation.OwnersContextAnswer
ContextsAdded = annotation.AddedContextsAnswer
ContextsUploaded = annotation.UploadedContextsAnswer
Assignment = annotation.AssignmentAnswer
Answers = annotation.AnswersAnswer
FrontModel = annotation.FrontModelAnswer
FrontAnswer = annotation.FrontAnswerAnswer
RoundCounts = annotation.CountsAnswer
MyTries = annotation.CountsAnswer
Flag = annotation.FlagAnswer
Token = annotation.TokenAnswer
Inspection = annotation.ExplanationAnswer
Similar = annotation.SimilarAnswer

TargetAnswer = annotation.TargetAnswer | annotation.MissingTargetAnswer | annotation.UnaskedTargetAnswer
"""A target's answer, or in `missing` the reason that there is none; one that is `not_asked` has neither."""


class Example(annotation.ExampleAnswer):
    """A stored try; `replayed` if a repeated request found it stored already."""

    replayed: bool = Field(default=False, exclude=True)
