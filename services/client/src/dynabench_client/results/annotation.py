"""Results of the annotation service: tasks and their configurations, rounds, contexts, tries.

Validation answers onboarding too.
"""

from dataclasses import dataclass

from dynabench_api import annotation, configurations, onboarding, rounds, work_orders
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

WorkOrder = work_orders.WorkOrderAnswer

ConfigurationCheck = configurations.CheckAnswer
Change = configurations.ChangeAnswer
ConfigurationChange = configurations.RehearsalAnswer
TaskVersion = configurations.VersionSummary
VersionedConfiguration = configurations.VersionAnswer
TaskModel = annotation.ModelAnswer
ImageStart = configurations.StartedImageAnswer
Image = configurations.ImageAnswer

Collection = rounds.CollectionAnswer
LostTarget = rounds.LostTargetAnswer
LostTargets = rounds.LostTargetsAnswer
Consequence = rounds.ConsequenceAnswer
Blocker = rounds.BlockerAnswer
StatePreview = rounds.PreviewAnswer
Import = rounds.ImportAnswer
RecordsStored = rounds.TakenAnswer
Harvested = rounds.HarvestAnswer

Onboarding = onboarding.OnboardingAnswer
QuizAttempt = onboarding.QuizAttemptAnswer
QuizQuestion = onboarding.QuizQuestionAnswer
QuestionsFigures = onboarding.QuestionsFigures
QuestionFigures = onboarding.QuestionFigures
Trainee = onboarding.TraineeAnswer


class Example(annotation.ExampleAnswer):
    """A stored try; `replayed` if a repeated request found it stored already."""

    replayed: bool = Field(default=False, exclude=True)


@dataclass(frozen=True)
class ImageContent:
    """The bytes of an image."""

    content: bytes
    media_type: str
