"""The parts of a platform's configuration that all kinds share."""

from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, SecretStr, ValidationInfo

Currency = Annotated[str, Field(pattern=r"^[A-Z]{3}$")]


def _content(path: Any, info: ValidationInfo) -> str:
    """Return the content of a file, whose path may be relative to the folder of the list of platforms."""
    if not isinstance(path, str) or not path:
        raise ValueError("is no path. Give the path of a file that holds the secret alone")
    file = Path((info.context or {}).get("folder", ""), path)
    try:
        content = file.read_text().strip()
    except (OSError, UnicodeDecodeError) as err:
        reason = err.strerror if isinstance(err, OSError) else "it is no text"
        raise ValueError(f"can't be read from {file}: {reason}. Write the secret into that file") from err
    if not content:
        raise ValueError(f"is empty: {file}. Write the secret into that file")
    return content


SecretFile = Annotated[SecretStr, BeforeValidator(_content)]
"""A secret; the configuration names the file that holds it."""


class PlatformConfiguration(BaseModel):
    """Settings of any platform. Campaigns and the addresses of webhooks contain `name`."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: str = Field(pattern=r"^[a-z][a-z0-9-]{0,39}$")
    title: str = Field(min_length=1, max_length=100)
