"""Migrations that this version knows, oldest first."""

from functools import cache
from itertools import takewhile
from pathlib import Path

from alembic.config import Config
from alembic.script import ScriptDirectory
from dynabench_local.layout import checkout


@cache
def known_revisions(service: str, folder: Path | None = None) -> tuple[str, ...]:
    """Return the revisions of a service's migrations, the oldest first; `folder` stands in for the checkout."""
    config = Config()
    location = (folder or checkout()) / "services" / service / "migrations"
    config.set_main_option("script_location", str(location).replace("%", "%%"))
    found = ScriptDirectory.from_config(config).walk_revisions()
    return tuple(reversed([script.revision for script in found]))


def number_of(revision: str) -> int:
    """Return the number that a migration's name begins with; -1 if it has none."""
    digits = "".join(takewhile(str.isdigit, revision))
    return int(digits) if digits else -1
