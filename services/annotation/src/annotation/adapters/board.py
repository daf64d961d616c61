"""Client of the leaderboard's HTTP interface for proposals of targets."""

from urllib.parse import quote

from dynabench_common.http.client import JsonClient, UpstreamError

from annotation.domain.errors import BoardUnavailable
from annotation.domain.target import Proposal

BOARD_SECONDS = 10.0


class HttpBoard:
    """The boards of models; without an address no board can be read."""

    def __init__(self, client: JsonClient | None) -> None:
        self._client = client

    def propose(self, slug: str, targets: int) -> Proposal:
        """Return the board's proposals for a task. Raises BoardUnavailable."""
        if self._client is None:
            raise BoardUnavailable
        path = f"/api/leaderboard/v1/tasks/{quote(slug, safe='')}/target-proposals?targets={targets}"
        try:
            answer = self._client.call("GET", path)
            return Proposal(
                tuple(str(each["model"]) for each in answer["proposed"]),
                frozenset(int(number) for number in answer["scored_rounds"]),
                is_complete=not answer["waiting"],
            )
        except (UpstreamError, LookupError, TypeError, ValueError) as err:
            raise BoardUnavailable from err
