"""How a dataset is loaded: lines to copy, with addresses that work from anywhere."""

import json
import shlex

from dynabench_client.results.datasets import Dataset

from web.datasets.view import address_of
from web.kit.language import _

PARQUET = ".parquet"
CHECKSUMS = "SHA256SUMS"


def load_lines(found: Dataset, base: str) -> str:
    """Return Python that loads the splits with the library `datasets`; empty where there is no Parquet file."""
    files = [
        file for file in found.files if file.path.endswith(PARQUET) and file.split and file.examples != 0
    ]
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


def terminal_lines(found: Dataset, base: str) -> str:
    """Return commands that fetch the files of the dataset and check them: our own, and those of any system."""
    wanted = [file.path for file in found.files if file.path.endswith(PARQUET)]
    wanted += [file.path for file in found.files if file.path == CHECKSUMS]
    fetch = [
        f"curl -fL --create-dirs -o {shlex.quote(path)} {shlex.quote(address_of(base, path))}"
        for path in wanted
    ]
    check = [f"sha256sum --ignore-missing --check {CHECKSUMS}"] if CHECKSUMS in wanted else []
    own = f"dynabench datasets download {found.dataset_id}"
    return "\n".join([own, "", "# " + _("or without an account"), *fetch, *check])
