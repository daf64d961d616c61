"""The only place that builds what the pages reach out to."""

from dynabench_common.authentication import remote_verifier

from web.kit.assets import Assets
from web.kit.dependencies import Dependencies
from web.kit.platform import connect
from web.settings import WebSettings


def build_dependencies(settings: WebSettings) -> Dependencies:
    """Return them built for these settings."""
    return Dependencies(
        settings=settings,
        platform=connect(settings),
        verifier=remote_verifier(settings),
        assets=Assets(),
    )
