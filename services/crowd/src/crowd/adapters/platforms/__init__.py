"""Crowd platforms, each behind the protocol `CrowdPlatform`, as the operator has connected them."""

import json
import logging
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

from dynabench_common.settings import SettingsError
from pydantic import Field, TypeAdapter, ValidationError

from crowd.adapters.platforms.mturk import Mturk, MturkConfiguration
from crowd.adapters.platforms.plain_link import LinkConfiguration, PlainLink
from crowd.adapters.platforms.prolific import Prolific, ProlificConfiguration
from crowd.domain.platforms import CrowdPlatform

SETTING = "CROWD_PLATFORMS"
REMEDY = "services/crowd/docs/platforms.md describes every field."
Configuration = Annotated[
    ProlificConfiguration | MturkConfiguration | LinkConfiguration, Field(discriminator="kind")
]
CONFIGURATIONS: TypeAdapter[list[Configuration]] = TypeAdapter(list[Configuration])


def build_platforms(setting: str) -> Mapping[str, CrowdPlatform]:
    """Return the connected platforms by name; `setting` is a JSON list, the path of a file with one, or empty.

    Raises SettingsError with the platform, the field, the reason and a remedy.
    """
    _log_no_calls()
    platforms = [_platform(each) for each in _configurations(setting.strip())]
    names = [each.name for each in platforms]
    doubled = sorted({name for name in names if names.count(name) > 1})
    if doubled:
        raise SettingsError(f"{SETTING}: name {doubled[0]} is given twice. Give each platform its own name.")
    return {each.name: each for each in platforms}


def _configurations(setting: str) -> list[Configuration]:
    if not setting:
        return []
    is_text = setting.startswith("[")
    try:
        text = setting if is_text else Path(setting).read_text()
    except (OSError, UnicodeDecodeError) as err:
        raise SettingsError(
            f"{SETTING}: the file {setting} can't be read: {err}. Give a JSON list, or the path of a file with one."
        ) from err
    try:
        listed = json.loads(text)
    except ValueError as err:
        raise SettingsError(f"{SETTING} is no JSON: {err}. {REMEDY}") from err
    folder = Path.cwd() if is_text else Path(setting).parent
    try:
        return CONFIGURATIONS.validate_python(listed, context={"folder": folder})
    except ValidationError as err:
        problems = "; ".join(_in_words(each, listed) for each in err.errors(include_input=False))
        raise SettingsError(f"{SETTING}: {problems}. {REMEDY}") from err


def _in_words(error: Any, listed: Any) -> str:
    """Return the platform, the field and the reason of one error."""
    number, *rest = error["loc"] or [None]
    reason = str(error["msg"]).removeprefix("Value error, ").rstrip(".")
    if number is None:
        return reason
    one = listed[number]
    name = one.get("name") if isinstance(one, dict) else None
    field = ".".join(map(str, rest[1:])) or "kind"
    return f"platform {number + 1} ({name or 'without name'}), {field}: {reason}"


def _platform(configuration: Configuration) -> CrowdPlatform:
    match configuration:
        case ProlificConfiguration():
            return Prolific(configuration)
        case MturkConfiguration():
            return Mturk(configuration)
        case LinkConfiguration():
            return PlainLink(configuration)


def _log_no_calls() -> None:
    """Keep the clients' debug lines out of the log: they contain worker ids and signatures."""
    for name in ("botocore", "boto3", "urllib3"):
        logging.getLogger(name).setLevel(logging.INFO)
