"""Results about agreement among validators."""

from dynabench_api import agreement

AgreementFigures = agreement.AgreementFigures
Agreement = agreement.AgreementAnswer
HumanEstimate = agreement.HumanEstimateAnswer
ValidatorPair = agreement.PairAnswer
OneAuthorValidator = agreement.OneAuthorAnswer
ValidatorPairs = agreement.PairsAnswer
VotesAdvice = agreement.VotesAdviceAnswer
