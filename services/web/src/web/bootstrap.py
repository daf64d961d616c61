"""The only place that builds what the pages reach out to."""

from dataclasses import dataclass, field

from dynabench_client import Dynabench
from dynabench_common.authentication import Verifier, fetch_jwks
from dynabench_common.clock import Clock, SystemClock

from web.adapters.assets import Assets
from web.adapters.platform import connect
from web.settings import WebSettings


@dataclass(frozen=True)
class Dependencies:
    """What the routes need."""

    settings: WebSettings
    platform: Dynabench
    verifier: Verifier
    assets: Assets
    clock: Clock = field(default_factory=SystemClock)

    def check_ready(self) -> None:
        """Raise unless pages can be made: all they need in this process is the installed files."""
        self.assets.address("vendor/htmx.min.js")


def build_dependencies(settings: WebSettings) -> Dependencies:
    """Return them built for these settings."""
    return Dependencies(
        settings=settings,
        platform=connect(settings),
        verifier=Verifier(fetch_jwks(settings.jwks_url), settings.service_token),
        assets=Assets(),
    )
