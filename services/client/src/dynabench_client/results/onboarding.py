"""Results of onboarding, from annotation and validation."""

from dynabench_api import onboarding

Onboarding = onboarding.OnboardingAnswer
QuizAttempt = onboarding.QuizAttemptAnswer
QuizQuestion = onboarding.QuizQuestionAnswer
QuestionsFigures = onboarding.QuestionsFigures
QuestionFigures = onboarding.QuestionFigures
Trainee = onboarding.TraineeAnswer
