"""The platform as the pages call it: the public SDK, configured with the address of each service.

People wait for pages, so a call is repeated once at most. If a service asks for a wait, the page shows it to the
person, who keeps the text. The page does not wait by itself.
"""

from dynabench_client import Dynabench, RetryPolicy
from dynabench_client.transport import POOL_SIZE, Transport
from dynabench_common.pools import new_pool
from dynabench_common.spans import calling

from web.settings import WebSettings

RETRIES = RetryPolicy(attempts=2, longest_wait_seconds=0.3, first_wait_seconds=0.1)


def connect(settings: WebSettings) -> Dynabench:
    """Return the platform as nobody sees it; `acting_as` gives it to a person. Nothing is sent yet."""
    return Dynabench(
        urls={
            "accounts": settings.accounts_url,
            "annotation": settings.annotation_url,
            "validation": settings.validation_url,
            "leaderboard": settings.leaderboard_url,
            "scoring": settings.scoring_url,
            "gateway": settings.gateway_url,
            "registry": settings.registry_url,
        },
        transport=Transport(
            new_pool(num_pools=16, maxsize=POOL_SIZE, block=False), retries=RETRIES, watch=calling
        ),
    )
