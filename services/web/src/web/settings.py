"""Typed settings of the pages; the only module that reads the environment."""

from urllib.parse import urlsplit

from dynabench_common.settings import CallingSettings, ServiceSettings
from pydantic import Field


class WebSettings(ServiceSettings, CallingSettings):
    """Settings of the pages: the addresses of the services. Calls to them carry the person's own access token."""

    drain_seconds: int = Field(default=35, ge=1, description="Longer than the pages wait for a service")
    accounts_url: str = Field(description="Address of the accounts service")
    annotation_url: str = Field(description="Address of the annotation service")
    validation_url: str = Field(description="Address of the validation service")
    leaderboard_url: str = Field(description="Address of the leaderboard service")
    scoring_url: str = Field(description="Address of the scoring service")
    gateway_url: str = Field(description="Address of the gateway, which tells whether targets answer")
    registry_url: str = Field(description="Address of the registry")
    crowd_url: str | None = Field(
        default=None, description="Address of the crowd service; without it nobody works for pay"
    )
    s3_public_endpoint_url: str | None = Field(
        default=None, description="Address by which browsers reach S3, where archives are sent"
    )
    mail_folder: str | None = Field(
        default=None, description="Folder that mails are written to, named on pages; only of a local platform"
    )
    public_origins: str = Field(
        default="", description="Further origins by which browsers reach the pages, `,` between them"
    )
    site_about: str = Field(default="", description="Markdown in place of the page About")
    site_privacy: str = Field(default="", description="Markdown in place of the page Privacy")
    site_terms: str = Field(default="", description="Markdown in place of the page Terms")
    site_licence: str = Field(
        default="", description="Markdown in place of the page Licence of what you write"
    )
    site_docs: str = Field(default="", description="Markdown in place of the page Documents")
    site_contact: str = Field(default="", description="Markdown in place of the page Contact")
    figures_seconds: int = Field(default=5, ge=1, description="Pause between two looks at a round's figures")

    @property
    def origins(self) -> frozenset[str]:
        """Return all origins of the pages: that of PUBLIC_URL, and the further ones."""
        public = urlsplit(self.public_url)
        return frozenset(
            [f"{public.scheme}://{public.netloc}", *self.public_origins.replace(",", " ").split()]
        )

    @property
    def path_prefix(self) -> str:
        """Return the path of PUBLIC_URL, the prefix of all pages; empty for none."""
        return urlsplit(self.public_url).path.rstrip("/")

    @property
    def has_secure_origin(self) -> bool:
        """Return whether browsers use https, so that cookies can be restricted to it."""
        return self.public_url.startswith("https://")
