"""Results about submitted models."""

from dynabench_api import submissions

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
HeldPart = submissions.UploadedPart
UploadState = submissions.UploadStateAnswer
LogLine = submissions.LogLine
SubmissionLog = submissions.LogAnswer
EntryText = submissions.EntryAnswer
PublishedModel = submissions.PublishedModel
PublishedModels = submissions.PublishedModelsAnswer

OURS = "ours"
