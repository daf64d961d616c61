"""`dynabench.json`: what an archive says about itself, written by the packaging tool and read by the worker."""

import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

DESCRIPTION_FILE = "dynabench.json"
WEIGHTS_FILE = "model.safetensors"
ONNX_FILE = "model.onnx"
TOKENIZER_FILE = "tokenizer.json"
TOKENIZER_CONFIG_FILE = "tokenizer_config.json"
CONFIG_FILE = "config.json"
# In `config.json`: the model was trained on names of emoji. In `tokenizer_config.json`: see transformers.
EMOJI, NAMES = "emoji", "names"
SPLIT_SPECIAL_TOKENS = "split_special_tokens"
# A tokenizer reads one text or a pair; n-grams are cut from any number of fields.
MOST_TOKENIZED_FIELDS = 2


@dataclass(frozen=True)
class Description:
    """Digests are `sha256:<hex>`; `fields` are the texts that an instance must have, in the order the model reads them.

    `max_tokens` counts the special tokens in, and is a window's size where passages are read in windows.
    """

    name: str
    version: str
    task_type: str
    fields: tuple[str, ...]
    labels: tuple[str, ...]
    max_tokens: int
    model_digest: str
    handler_digest: str

    def digests(self) -> dict[str, str]:
        """What every answer carries, so that a verdict can name the exact target."""
        return {"model_digest": self.model_digest, "handler_digest": self.handler_digest}

    def to_json(self) -> str:
        """Stable text: equal descriptions are equal bytes."""
        return json.dumps(asdict(self), indent=2, sort_keys=True) + "\n"


def json_of(path: Path) -> dict[str, Any]:
    """The JSON object in a file; an empty one where there is no file."""
    content: dict[str, Any] = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
    return content


def read_description(folder: Path) -> Description:
    """The description of the unpacked archive in `folder`."""
    fields = json.loads((folder / DESCRIPTION_FILE).read_text(encoding="utf-8"))
    return Description(**fields | {name: tuple(fields[name]) for name in ("fields", "labels")})
