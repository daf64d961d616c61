"""Results about campaigns that recruit and pay people. Amounts are in minor units of their currency."""

from dynabench_api import crowd

Platform = crowd.PlatformAnswer
PayEstimate = crowd.PayEstimate
Campaign = crowd.CampaignAnswer
CampaignOffer = crowd.CampaignOffer
CampaignAssignment = crowd.AssignmentAnswer
Evidence = crowd.EvidenceAnswer
Comparison = crowd.ComparisonAnswer
Finding = crowd.FindingAnswer
PersonEvidence = crowd.PersonEvidence
FairPlay = crowd.FairPlayAnswer
Approved = crowd.ApprovedAnswer
Posting = crowd.PostingAnswer
Payment = crowd.PaymentAnswer
Owed = crowd.OwedAnswer
ErrorCost = crowd.ErrorCost
Work = crowd.WorkAnswer
Entry = crowd.EntryAnswer
