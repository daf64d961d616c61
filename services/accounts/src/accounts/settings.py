"""Settings of accounts; the only module that reads its environment."""

from pathlib import Path

from dynabench_common.settings import DatabaseSettings, EventSettings, ServiceSettings
from pydantic import Field


class AccountsSettings(ServiceSettings, DatabaseSettings, EventSettings):
    """What `accounts http` and `accounts worker` need; `migrate` and `ensure-person` need the database alone."""

    sign_ups_per_hour: int = Field(default=20, ge=1, description="Most sign-ups of one address")
    signing_key_file: Path = Field(
        description="Ed25519 JWK that signs access tokens; made with mode 0600 at first start"
    )
