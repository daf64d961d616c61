"""Settings of crowd; the only module that reads its environment."""

from dynabench_common.settings import CallingSettings, DatabaseSettings, EventSettings, ServiceSettings
from pydantic import Field, field_validator

from crowd.domain.money import read_rates


class CrowdSettings(ServiceSettings, CallingSettings, DatabaseSettings, EventSettings):
    """Settings of `crowd http` and `worker`; `migrate` needs the database alone."""

    accounts_url: str = Field(description="Address of the accounts service, which admits people of campaigns")
    crowd_platforms: str = Field(
        default="", description="Connected crowd platforms: a JSON list, or the path of a file with one"
    )
    crowd_floor_hourly_minor: str = Field(
        default="EUR=1000,GBP=900,USD=1200",
        description="Lowest permitted hourly pay in minor units: CURRENCY=AMOUNT, `,` between",
    )
    crowd_recommended_hourly_minor: str = Field(
        default="EUR=1400,GBP=1200,USD=1500", description="Recommended hourly pay, written alike"
    )

    @field_validator("crowd_floor_hourly_minor", "crowd_recommended_hourly_minor")
    @classmethod
    def _can_be_read(cls, text: str) -> str:
        read_rates(text)
        return text
