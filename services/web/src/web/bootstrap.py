"""Construction of the clients of other services, in one place."""

from dynabench_client import Dynabench, RetryPolicy
from dynabench_client.transport import POOL_SIZE, Transport
from dynabench_common.auth.authentication import remote_verifier
from dynabench_common.pools import new_pool
from dynabench_common.telemetry.spans import calling

from web.kit.assets import Assets
from web.kit.dependencies import Dependencies
from web.settings import WebSettings

RETRIES = RetryPolicy(attempts=2, longest_wait_seconds=0.3, first_wait_seconds=0.1)
"""People wait for pages, so a call is repeated at most once. If a service asks for a wait, the page shows it."""


def build_dependencies(settings: WebSettings) -> Dependencies:
    """Return them built for these settings."""
    return Dependencies(
        settings=settings,
        platform=connect(settings),
        verifier=remote_verifier(settings),
        assets=Assets(),
    )


def connect(settings: WebSettings) -> Dynabench:
    """Return an anonymous client of the platform; `acting_as` makes a person's client. Nothing is sent yet."""
    return Dynabench(
        urls={
            "accounts": settings.accounts_url,
            "annotation": settings.annotation_url,
            "validation": settings.validation_url,
            "leaderboard": settings.leaderboard_url,
            "scoring": settings.scoring_url,
            "gateway": settings.gateway_url,
            "registry": settings.registry_url,
            **({"crowd": settings.crowd_url} if settings.crowd_url else {}),
        },
        transport=Transport(
            new_pool(num_pools=16, maxsize=POOL_SIZE, block=False), retries=RETRIES, watch=calling
        ),
    )
