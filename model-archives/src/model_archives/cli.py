"""`build` what the platform serves, `package` a checkpoint, `train` a baseline, `retrain` it with released rounds."""

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from model_archives.errors import BuildError

BASELINES = Path(__file__).parents[2] / "baselines"
app = typer.Typer(no_args_is_help=True, add_completion=False, pretty_exceptions_enable=False, help=__doc__)
console = Console(highlight=False, soft_wrap=True)
StoreOption = Annotated[Path, typer.Option(help="Folder for the archives, made if absent.")]
BaselinesOption = Annotated[Path, typer.Option(help="Folder that holds the baselines.")]


@app.command()
def build(
    store: StoreOption, models: Annotated[Path, typer.Option(help="The models.yaml to build.")]
) -> None:
    """Build every archive of a models.yaml that is missing or older than its inputs."""
    from model_archives.building import build_all

    build_all(models, BASELINES, store, console.print)


@app.command()
def package(
    checkpoint: Annotated[Path, typer.Argument(help="Hugging Face checkpoint folder with safetensors.")],
    name: Annotated[str, typer.Option(help="Model name in TorchServe.")],
    version: Annotated[str, typer.Option(help="Model version in TorchServe.")],
    store: StoreOption,
    task_type: Annotated[str, typer.Option(help="Decides the handler.")] = "text-classification",
    field: Annotated[
        list[str] | None,
        typer.Option(
            help="A text field of an instance; give it once for each, in order. Default: by task type."
        ),
    ] = None,
    max_tokens: Annotated[
        int | None, typer.Option(help="Longer texts are cut; default: the model's own limit.")
    ] = None,
) -> None:
    """Package a checkpoint folder as NAME.mar."""
    from model_archives.packaging import package as package_checkpoint

    note = package_checkpoint(
        checkpoint,
        store / f"{name}.mar",
        name,
        version,
        console.print,
        task_type,
        tuple(field or ()),
        max_tokens,
    )
    console.print(f"{note.sha256}  {store / name}.mar")


@app.command()
def train(
    name: Annotated[str, typer.Argument(help="A folder under baselines/.")],
    baselines: BaselinesOption = BASELINES,
) -> None:
    """Train a baseline by its recipe, evaluate it and write its model card."""
    from model_archives.training.evaluate import evaluate_baseline
    from model_archives.training.run import train_baseline

    train_baseline(baselines / name, console)
    evaluate_baseline(baselines / name, console)


@app.command()
def retrain(
    base: Annotated[
        str, typer.Argument(help="A folder under baselines/, or the folder of a model retrained before.")
    ],
    released: Annotated[list[Path], typer.Argument(help="data/train.jsonl.gz of released rounds.")],
    name: Annotated[str, typer.Option(help="What the new model is called.")],
    out: Annotated[Path, typer.Option(help="Folder for weights, NAME.mar and card.md, made if absent.")],
    trained_on: Annotated[
        list[str], typer.Option(help='For the card, as "sentiment-r1, version 1: train"; repeat for several.')
    ],
    held_out: Annotated[
        list[Path] | None, typer.Option(help="data/dev.jsonl.gz to measure it on; repeat for several.")
    ] = None,
    also: Annotated[
        list[str] | None, typer.Option(help="A training set to mix in; repeat for several.")
    ] = None,
    epochs: Annotated[int, typer.Option(min=1)] = 3,
    learning_rate: Annotated[float, typer.Option(min=0)] = 5e-4,
    licence: Annotated[str, typer.Option(help="For the card.")] = "CC-BY-4.0",
    contact: Annotated[str, typer.Option(help="For the card.")] = "not stated",
    baselines: BaselinesOption = BASELINES,
) -> None:
    """Go on training a baseline with text of released rounds, and package it for `dynabench models submit`."""
    from model_archives.training.retraining import Retraining, retrain

    folder = Path(base) if Path(base, "config.json").is_file() else baselines / base
    wanted = Retraining(
        folder,
        name,
        released,
        held_out or (),
        also or (),
        epochs,
        learning_rate,
        trained_on,
        licence,
        contact,
    )
    console.print(str(retrain(wanted, out, console)))


@app.command()
def evaluate(
    name: Annotated[str, typer.Argument(help="A folder under baselines/.")],
    baselines: BaselinesOption = BASELINES,
) -> None:
    """Evaluate a trained baseline again and write evaluation.json and card.md."""
    from model_archives.training.evaluate import evaluate_baseline

    evaluate_baseline(baselines / name, console)


def main() -> None:
    """Run the command line; a BuildError is one line on standard error and exit code 1."""
    try:
        app()
    except BuildError as error:
        Console(stderr=True, highlight=False, soft_wrap=True).print(f"error: {error}", markup=False)
        raise SystemExit(1) from error
