"""Settings of validation; the only module that reads its environment."""

from dynabench_common.settings import CallingSettings, DatabaseSettings, EventSettings, ServiceSettings


class ValidationSettings(ServiceSettings, CallingSettings, DatabaseSettings, EventSettings):
    """Settings of `validation http`, `worker` and `rebuild`; `migrate` needs the database alone."""
