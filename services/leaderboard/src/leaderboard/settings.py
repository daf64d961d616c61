"""Settings of the leaderboard; the only module that reads its environment."""

from dynabench_common.settings import CallingSettings, DatabaseSettings, EventSettings, ServiceSettings
from pydantic import Field


class HttpSettings(ServiceSettings, CallingSettings, DatabaseSettings):
    """Settings of `leaderboard http`: it reads the database and nothing else."""


class WorkerSettings(DatabaseSettings, EventSettings):
    """Settings of `leaderboard worker`; `migrate` needs the database alone, `rebuild` the log too."""

    log_level: str = Field(default="INFO", description="Lowest level of log lines written")
