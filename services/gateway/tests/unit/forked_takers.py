"""Four processes that take from one person's quota at once, as those of a gateway do; prints the tokens of each."""

import os
import sys

from gateway.adapters.shared_balances import share_balances, shared_balances
from gateway.domain.errors import QuotaUsed
from gateway.domain.quota import TokenQuota

PROCESSES = 4


def take_all(per_minute: int) -> int:
    """Take a token at a time until none is left; return the number."""
    tokens, given = TokenQuota(per_minute, lambda: 1000.0, shared_balances()), 0
    while True:
        try:
            tokens.take("ada", 1)
        except QuotaUsed:
            return given
        given += 1


if __name__ == "__main__":
    share_balances()
    for _ in range(PROCESSES):
        if os.fork() == 0:
            os.write(1, f"{take_all(int(sys.argv[1]))}\n".encode())
            os._exit(0)
    for _ in range(PROCESSES):
        os.wait()
