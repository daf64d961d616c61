"""Answers of a platform about its data, as the JSON of its public interface, and differences of two sets of them."""

from collections.abc import Iterator, Mapping
from typing import Any

import urllib3

READS = {
    "accounts": ("/me", "/people/counts", "/tokens"),
    "annotation": ("/tasks?limit=200",),
    "leaderboard": ("/tasks",),
    "scoring": ("/datasets?limit=200", "/evaluation-datasets?limit=200"),
}
READS_OF_TASK = {
    "annotation": ("", "/rounds?limit=200", "/versions", "/owners"),
    "validation": ("/validators", "/gold"),
}
READS_OF_ROUND = {
    "annotation": ("", "/counts", "/collection", "/contexts?limit=200", "/examples?author=all&limit=200"),
    "validation": ("/counts", "/agreement", "/human-estimate", "/examples?limit=200"),
    "leaderboard": ("", "/matrix", "/history", "/effort", "/breakdown?by=target", "/breakdown?by=tag"),
}
"""Without advice on votes: it is recomputed periodically and changes by itself."""
REFUSED = frozenset({400, 404, 422})
"""Statuses of a version that lacks an address."""
Answers = dict[str, Any]


class Reader:
    """Reads one platform as one person; `directly` has services that are not called through the edge."""

    def __init__(self, url: str, token: str, directly: Mapping[str, str] | None = None) -> None:
        self._url = url
        self._directly = directly or {}
        self._headers = {"Authorization": f"Bearer {token}"}
        self._pool = urllib3.PoolManager(timeout=urllib3.Timeout(total=30), retries=False)

    def read(self, service: str, path: str) -> Any:
        """Return an answer's JSON, None where the version does not know the address."""
        url = f"{self._directly.get(service, self._url)}/api/{service}/v1{path}"
        answer = self._pool.request("GET", url, headers=self._headers)
        if answer.status in REFUSED:
            return None
        assert answer.status == 200, f"{url}: {answer.status} {answer.data[:300]!r}"
        return answer.json()

    def read_all(self, paths: Mapping[str, list[str]]) -> Answers:
        """Return all that these addresses answer, by service and address."""
        answers = {
            f"{service} {path}": self.read(service, path) for service, each in paths.items() for path in each
        }
        return {name: answer for name, answer in answers.items() if answer is not None}


def addresses(tasks: list[str], rounds: list[str]) -> dict[str, list[str]]:
    """Return the addresses about tasks and rounds, by service."""
    found: dict[str, list[str]] = {}
    for service, paths in READS.items():
        found.setdefault(service, []).extend(paths)
    for service, paths in READS_OF_TASK.items():
        found.setdefault(service, []).extend(f"/tasks/{task}{path}" for task in tasks for path in paths)
    for service, paths in READS_OF_ROUND.items():
        found.setdefault(service, []).extend(f"/rounds/{each}{path}" for each in rounds for path in paths)
    return found


def differences(before: Any, after: Any, where: str = "") -> Iterator[str]:
    """Yield the places where an earlier answer is missing or changed; additional answers are no difference."""
    if isinstance(before, dict) and isinstance(after, dict):
        for key, value in before.items():
            if key in after:
                yield from differences(value, after[key], f"{where}/{key}")
            else:
                yield f"{where}/{key} is missing"
    elif isinstance(before, list) and isinstance(after, list) and len(before) == len(after):
        for number, (one, other) in enumerate(zip(before, after, strict=True)):
            yield from differences(one, other, f"{where}/{number}")
    elif before != after:
        yield f"{where} was {str(before)[:120]}, is {str(after)[:120]}"
