"""Settings of validation; the only module that reads its environment."""

from dynabench_common.settings import CallingSettings, DatabaseSettings, EventSettings, ServiceSettings
from pydantic import Field


class ValidationSettings(ServiceSettings, CallingSettings, DatabaseSettings, EventSettings):
    """What `validation http`, `worker` and `rebuild` need; `migrate` needs the database alone."""

    imported_votes_in_one_event: bool = Field(
        default=True,
        description="Tell of an imported record's votes in one event; false while a reader is of an older version",
    )
