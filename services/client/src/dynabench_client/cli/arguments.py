"""Arguments and options that several groups of verbs share."""

from typing import Annotated

import typer

RoundId = Annotated[str, typer.Argument(help="The round's id")]
ExampleId = Annotated[str, typer.Argument(help="The example's id")]
DatasetId = Annotated[str, typer.Argument(help="The dataset's id")]
TaskSlug = Annotated[str, typer.Argument(help="The task's slug")]
Reason = Annotated[str, typer.Option(help="Why; people who are concerned and the audit log see it")]
Yes = Annotated[bool, typer.Option("--yes", help="Don't ask")]
By = Annotated[str | None, typer.Option(help="Split by segment, target, condition, cohort, tag or week")]
Most = Annotated[int | None, typer.Option("--limit", min=1, help="Show at most so many")]
