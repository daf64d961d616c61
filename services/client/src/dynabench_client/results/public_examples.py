"""Results about validated errors that anybody may read, and about reports of them."""

from dynabench_api import public_examples

PublicTargetAnswer = public_examples.PublicTargetAnswer
PublicExample = public_examples.PublicExampleAnswer
ExampleReport = public_examples.ExampleReportAnswer
ReportedExample = public_examples.ReportedExampleAnswer
OwnerHiddenExample = public_examples.OwnerHiddenExampleAnswer
HiddenExample = public_examples.HiddenExampleAnswer
