"""Short HTTP questions to parts of the stack."""

import urllib3

_pool = urllib3.PoolManager(timeout=urllib3.Timeout(total=2), retries=False)


def answers(url: str, status: int = 200, token: str | None = None) -> bool:
    """Tell whether `url` answers with `status` now."""
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    try:
        return _pool.request("GET", url, headers=headers).status == status
    except urllib3.exceptions.HTTPError:
        return False
