"""Arguments and options that several groups of verbs share."""

from typing import Annotated

import typer

RoundId = Annotated[str, typer.Argument(help="The round's id")]
DatasetId = Annotated[str, typer.Argument(help="The dataset's id")]
Yes = Annotated[bool, typer.Option("--yes", help="Don't ask")]
