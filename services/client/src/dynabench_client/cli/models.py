"""`dynabench models`."""

import sys
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Annotated

import typer

from dynabench_client.cli.output import AsJson, Output, progress, waiting
from dynabench_client.cli.session import InputError, client_of
from dynabench_client.results.gateway import Prediction

BATCH = 16
WORKER_START_SECONDS = 30
Name = Annotated[str, typer.Argument(help="The model's name")]
Texts = Annotated[list[str] | None, typer.Argument(help="Texts; none reads lines from standard input")]

app = typer.Typer(no_args_is_help=True)

COLUMNS = {
    "model": lambda model: model.name,
    "ready": lambda model: model.ready,
    "labels": lambda model: model.labels,
    "explanations": lambda model: model.explain and model.explain.state,
    "digest": lambda model: model.model_digest[:19],
}
PREDICTION_COLUMNS = {
    "label": lambda prediction: (
        prediction.label or f"no answer: {prediction.error and prediction.error.detail}"
    ),
    "probability": lambda prediction: prediction.probabilities.get(prediction.label or ""),
    "text": lambda prediction: prediction.text,
}


class TextPrediction(Prediction):
    """A prediction beside the text it is about."""

    text: str


@app.command("list")
def list_models(context: typer.Context, as_json: AsJson = False) -> None:
    """List served models."""
    area = client_of(context).gateway
    found = [area.model(one.name) for one in area.models()]
    Output(as_json).rows(found, COLUMNS, "No model is served.")


@app.command()
def show(context: typer.Context, name: Name, as_json: AsJson = False) -> None:
    """Show a model: readiness, labels and digests."""
    document = client_of(context).gateway.model(name).document()
    Output(as_json).record(document, document)


@app.command()
def predict(
    context: typer.Context,
    name: Name,
    texts: Texts = None,
    file: Annotated[Path | None, typer.Option(help="One text a line", exists=True, dir_okay=False)] = None,
    as_json: AsJson = False,
) -> None:
    """Predict the label of each text."""
    asked = _texts(texts, file)
    area = client_of(context).gateway
    found: list[TextPrediction] = []
    with progress("predictions", len(asked), quiet=as_json) as done:
        for part in _parts(asked):
            answers = area.predict(name, [{"text": text} for text in part]).predictions
            pairs = zip(part, answers, strict=True)
            found += [TextPrediction(text=text, **answer.model_dump()) for text, answer in pairs]
            done(len(part))
    Output(as_json).rows(found, PREDICTION_COLUMNS, "No text.")


@app.command()
def explain(
    context: typer.Context,
    name: Name,
    text: Annotated[str, typer.Argument(help="The text")],
    label: Annotated[str | None, typer.Option(help="Explain this label instead of the answer")] = None,
    steps: Annotated[int | None, typer.Option(min=1, help="Integration steps")] = None,
    as_json: AsJson = False,
) -> None:
    """Show which parts of a text moved a model's answer."""
    parameters = {key: value for key, value in (("label", label), ("n_steps", steps)) if value is not None}
    area = client_of(context).gateway
    with waiting("waiting for the explanation; its workers may have to start", quiet=as_json):
        explained = area.explain(
            name, [{"text": text}], parameters or None, wait_seconds=WORKER_START_SECONDS
        )
    lines = explained.explanations[0] if explained.explanations else {}
    Output(as_json).record(explained.document(), lines)


def _texts(texts: list[str] | None, file: Path | None) -> Sequence[str]:
    if texts and file:
        raise InputError("Texts come from two places.", "Give texts or --file, not both.")
    try:
        lines: Iterable[str] = texts or (file.read_text("utf-8").splitlines() if file else sys.stdin)
        asked = [line.rstrip("\r\n") for line in lines]
    except UnicodeDecodeError as err:
        raise InputError("The texts are not UTF-8.", "Save them as UTF-8 and try again.") from err
    return [text for text in asked if text.strip()]


def _parts(texts: Sequence[str]) -> Iterator[list[str]]:
    rest = iter(texts)
    while part := list(islice(rest, BATCH)):
        yield part
