"""Settings of accounts; the only module that reads its environment."""

from enum import StrEnum
from pathlib import Path

from dynabench_common.settings import DatabaseSettings, EventSettings, ServiceSettings
from pydantic import Field, ValidationInfo, field_validator


class Tls(StrEnum):
    """The encryption of mails on their way to the server."""

    STARTTLS = "starttls"
    IMPLICIT = "implicit"
    NONE = "none"


class AccountsSettings(ServiceSettings, DatabaseSettings, EventSettings):
    """Settings of `accounts http` and `accounts worker`; `migrate` and `ensure-person` need the database alone."""

    sign_ups_per_hour: int = Field(default=20, ge=1, description="Most sign-ups of one address")
    second_factor_required: bool = Field(
        default=False, description="Roles of administrators and owners count only with a second factor"
    )
    sign_in_issuers: str = Field(
        default="",
        description="Issuers of sign-ins (OpenID Connect): a JSON list, or the path of a file with one",
    )
    signing_key_file: Path = Field(
        description="Ed25519 JWK, or set of them, that signs access tokens; made with mode 0600 at first start"
    )
    mail_sender: str = Field(
        default="Dynabench <no-reply@localhost>", description="Whom mails say they are from"
    )
    mail_folder: Path | None = Field(
        default=None, description="Folder that mails are written to instead of being sent"
    )
    smtp_host: str | None = Field(default=None, description="Server that takes mails; without it they wait")
    smtp_port: int = Field(default=587, ge=1, le=65535, description="Its port")
    smtp_user: str = Field(default="", description="Who signs in there; empty: nobody")
    smtp_password: str = Field(default="", description="The password for it")
    smtp_tls: Tls = Field(default=Tls.STARTTLS, description="starttls, implicit (usually port 465), or none")

    leaderboard_url: str | None = Field(
        default=None, description="Who knows whether rounds reached their goal; without it nobody is notified"
    )
    digest_wait_seconds: float = Field(
        default=3600.0, ge=0, description="How long the first news waits for others before a mail tells of it"
    )

    @field_validator("smtp_host")
    @classmethod
    def _one_way(cls, host: str | None, others: ValidationInfo) -> str | None:
        if host and others.data.get("mail_folder"):
            raise ValueError("excludes MAIL_FOLDER: unset one of the two")
        return host

    @field_validator("smtp_tls")
    @classmethod
    def _no_password_in_the_clear(cls, tls: Tls, others: ValidationInfo) -> Tls:
        if tls is Tls.NONE and others.data.get("smtp_user"):
            raise ValueError("SMTP_PASSWORD would be sent in the clear: use starttls or implicit")
        return tls
