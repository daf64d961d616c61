"""Code to load a dataset, to copy, with absolute addresses."""

import json
import shlex
from collections.abc import Sequence

from dynabench_client.results.datasets import Dataset, DatasetFile

from web.datasets.view import address_of
from web.kit.language import _

PARQUET = ".parquet"
LINES_CARD = "jsonl/README.md"
CROISSANT = "croissant.json"
CHECKSUMS = "SHA256SUMS"
PICTURES = "pictures.zip"


def load_lines(found: Dataset, base: str) -> str:
    """Return Python that loads the splits with the library `datasets`; empty without Parquet files."""
    files = _loaded(found)
    if not files:
        return ""
    given = "\n".join(
        f"    {json.dumps(file.split)}: {json.dumps(address_of(base, file.path))}," for file in files
    )
    return (
        "from datasets import load_dataset\n\n"
        f"data_files = {{\n{given}\n}}\n"
        'data = load_dataset("parquet", data_files=data_files)'
    )


def folder_lines(found: Dataset) -> str:
    """Return Python that loads the downloaded files from their folder; empty without Parquet files."""
    files = _loaded(found)
    if not files:
        return ""
    paths = {file.path for file in found.files}
    first = files[0]
    lines = ["from pathlib import Path", "folder = Path.cwd()"]
    if LINES_CARD in paths:
        # Cards of older releases may name splits without examples, on which `datasets` fails.
        lines += ["", "from datasets import load_dataset", "data = load_dataset(str(folder))"]
        lines.append('lines = load_dataset(str(folder / "jsonl"))')
    lines += ["", "import pandas", f"frame = pandas.read_parquet(folder / {json.dumps(first.path)})"]
    lines += ["", "import duckdb", f"table = duckdb.read_parquet(str(folder / {json.dumps(first.path)}))"]
    if CROISSANT in paths:
        lines += ["", "from mlcroissant import Dataset"]
        lines.append(f'records = Dataset(str(folder / "{CROISSANT}")).records({json.dumps(first.split)})')
    if PICTURES in paths:
        lines += ["", "from zipfile import ZipFile", f'pictures = ZipFile(folder / "{PICTURES}")']
        lines.append("names = {Path(name).stem: name for name in pictures.namelist()}")
        lines.append(
            "# " + _("the bytes of a row's picture: %(code)s", code="pictures.read(names[image_id])")
        )
    return "\n".join(lines)


def export_lines(path: str) -> str:
    """Return Python that loads a Parquet export of a round from its folder."""
    return "\n".join(
        (
            "from datasets import load_dataset",
            f'data = load_dataset("parquet", data_files={json.dumps(path)})',
            "",
            "import pandas",
            f"frame = pandas.read_parquet({json.dumps(path)})",
            "",
            "import duckdb",
            f"table = duckdb.read_parquet({json.dumps(path)})",
        )
    )


def _loaded(found: Dataset) -> Sequence[DatasetFile]:
    """Return the Parquet files of splits with examples, because loaders fail on others."""
    return [file for file in found.files if file.path.endswith(PARQUET) and file.split and file.examples != 0]


def terminal_lines(found: Dataset, base: str) -> str:
    """Return commands that download and check the dataset's files: with `dynabench`, and with common tools."""
    wanted = [file.path for file in found.files]
    fetch = [
        f"curl -fL --create-dirs -o {shlex.quote(path)} {shlex.quote(address_of(base, path))}"
        for path in wanted
    ]
    check = [f"sha256sum --ignore-missing --check {CHECKSUMS}"] if CHECKSUMS in wanted else []
    own = f"dynabench datasets download {found.dataset_id}"
    return "\n".join([own, "", "# " + _("or without an account"), *fetch, *check])
