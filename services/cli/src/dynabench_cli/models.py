"""`dynabench models`."""

import json
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Annotated

import typer
from dynabench_client.areas.gateway import GatewayClient
from dynabench_client.results.models import Prediction
from dynabench_tasks.strict_json import read_json

from dynabench_cli import archives, signatures, submissions
from dynabench_cli.line_files import STANDARD_INPUT, opened
from dynabench_cli.output import AsJson, Output, progress, shown
from dynabench_cli.session import InputError, client_of

BATCH = 16
WORKER_START_SECONDS = 30
Name = Annotated[str, typer.Argument(help="The model's name")]
ONE_INSTANCE = (
    'a text; for a model of several fields a JSON object, such as {"premise": "…", "hypothesis": "…"}'
)
Texts = Annotated[
    list[str] | None, typer.Argument(help=f"Each {ONE_INSTANCE}; none reads lines from standard input")
]

app = typer.Typer(no_args_is_help=True)
for part in (archives, signatures, submissions):
    app.add_typer(part.app)

COLUMNS = {
    "model": lambda model: model.name,
    "type": lambda model: model.task_type,
    "ready": lambda model: model.ready,
    "fields": lambda model: model.fields,
    "labels": lambda model: model.labels,
    "explanations": lambda model: model.explain and model.explain.state,
    "digest": lambda model: model.model_digest[:19],
}
PREDICTION_COLUMNS = {
    "answer": lambda prediction: prediction.answer,
    "probability": lambda prediction: prediction.confidence,
    "instance": lambda prediction: list(prediction.instance.values()),
}


class InstancePrediction(Prediction):
    """A prediction with its instance."""

    instance: dict[str, str]

    @property
    def answer(self) -> object:
        """The label, the labels, or the span with its place; or why there is none."""
        if self.error is not None:
            return f"no answer: {self.error.detail}"
        if self.start is not None:
            return shown({"start": self.start, "end": self.end, "text": self.text})
        return self.labels if self.labels is not None else self.label

    @property
    def confidence(self) -> float | None:
        """The probability of the answer, where it is one."""
        if self.probability is not None:
            return self.probability
        return self.probabilities.get(self.label or "")


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
    file: Annotated[
        Path | None, typer.Option(help="File with one text a line", exists=True, dir_okay=False)
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Predict an answer for each text."""
    lines = _texts(texts, file)
    area = client_of(context).gateway
    asked = _instances(area, name, lines)
    found: list[InstancePrediction] = []
    with progress("predictions", len(asked), quiet=as_json) as done:
        for part in _parts(asked):
            answers = area.predict(name, part, wait_seconds=WORKER_START_SECONDS).predictions
            pairs = zip(part, answers, strict=True)
            found += [InstancePrediction(instance=one, **answer.model_dump()) for one, answer in pairs]
            done(len(part))
    Output(as_json).rows(found, PREDICTION_COLUMNS, "No text.")


def _instances(area: GatewayClient, name: str, texts: Sequence[str]) -> list[dict[str, str]]:
    """Return an instance for each text. A model without stated fields takes a `text`. Raises InputError."""
    fields = area.model(name).fields or ("text",)
    if len(fields) == 1:
        return [{fields[0]: text} for text in texts]
    return [_instance(text, fields) for text in texts]


def _instance(text: str, fields: Sequence[str]) -> dict[str, str]:
    try:
        given = read_json(text)
    except ValueError:
        given = None
    if not isinstance(given, dict) or set(given) != set(fields):
        wanted = json.dumps(dict.fromkeys(fields, "…"), ensure_ascii=False)
        raise InputError(f"{text[:80]!r} is no instance of this model.", f"Write {wanted}.")
    return {field: str(given[field]) for field in fields}


def _texts(texts: list[str] | None, file: Path | None) -> Sequence[str]:
    if texts and file:
        raise InputError("Texts come from two places.", "Give texts or --file, not both.")
    if texts:
        return [text for text in texts if text.strip()]
    with opened(file or Path(STANDARD_INPUT), "text") as given:
        lines = (line.decode().rstrip("\r\n") for line in given.lines())
        return [line for line in lines if line.strip()]


def _parts(asked: Sequence[dict[str, str]]) -> Iterator[list[dict[str, str]]]:
    rest = iter(asked)
    while part := list(islice(rest, BATCH)):
        yield part
