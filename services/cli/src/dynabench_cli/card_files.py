"""Files of model cards: Markdown, with fields in front matter, also under the names of Hugging Face's cards."""

from pathlib import Path

import yaml

from dynabench_cli.files import read_text
from dynabench_cli.session import InputError

NAMES_OF_THE_HUB = {"license": "licence", "language": "languages", "datasets": "trained_on"}


def front_matter(file: Path) -> tuple[dict[str, object], str]:
    """Return the fields and the Markdown of a card. Raises InputError."""
    content = read_text(file)
    if not content.startswith("---\n"):
        return {}, content
    head, _, text = content[4:].partition("\n---\n")
    try:
        fields = yaml.safe_load(head) or {}
    except yaml.YAMLError as err:
        raise InputError(
            f"{file}: its front matter is no YAML.", "Write name: value lines between --- lines."
        ) from err
    if not isinstance(fields, dict):
        raise InputError(
            f"{file}: its front matter is no mapping.", "Write name: value lines between --- lines."
        )
    own = {str(name): value for name, value in fields.items()}
    if own.get("license") == "other" and own.get("license_name"):
        own["license"] = own["license_name"]
    theirs = {ours: own[name] for name, ours in NAMES_OF_THE_HUB.items() if own.get(name)}
    return {**theirs, **own}, text.lstrip("\n")


def listed(fields: dict[str, object], name: str) -> list[str]:
    """Return a field that is a list, or a text with commas. Raises InputError."""
    value = fields.get(name) or []
    if isinstance(value, str):
        return [part.strip() for part in value.split(",") if part.strip()]
    if not isinstance(value, list):
        raise InputError(f"{name} is no list.", f"Write {name}: [one, another].")
    return [str(each) for each in value]


def whole_number(fields: dict[str, object], name: str) -> int | None:
    """Return a field that is a whole number, None where it is missing. Raises InputError."""
    value = fields.get(name)
    if value is not None and type(value) is not int:
        raise InputError(f"{name} is no whole number.", f"Write {name}: 22713216.")
    return value
