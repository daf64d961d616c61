"""People of campaigns, as the accounts service admits them."""

from dataclasses import dataclass
from typing import Any
from uuid import UUID

from dynabench_common.http.client import JsonClient, UpstreamError

from crowd.domain.errors import EntryInvalid, PeopleUnavailable

NOT_ALLOWED = 403
PREFIX = "/api/accounts/v1/crowd-people"


@dataclass(frozen=True)
class Session:
    """Tokens of a person."""

    access_token: str
    refresh_token: str
    expires_in: int


class HttpPeople:
    """Asks accounts to admit people without mail address and password."""

    def __init__(self, client: JsonClient) -> None:
        self._client = client

    def admit(self, person_id: UUID, minutes: int, task_slug: str) -> Session:
        """Make the person if needed and a member of the task, and return a session that ends after so many minutes.

        Raises PeopleUnavailable, and EntryInvalid for a person whose access the operator has ended.
        """
        try:
            body = {"minutes": minutes, "task_slug": task_slug}
            answer: Any = self._client.call("POST", f"{PREFIX}/{person_id}/sessions", body)
            return Session(
                str(answer["access_token"]), str(answer["refresh_token"]), int(answer["expires_in"])
            )
        except UpstreamError as err:
            if err.status == NOT_ALLOWED:
                raise EntryInvalid("the operator has ended your access") from err
            raise PeopleUnavailable from err
        except (LookupError, TypeError, ValueError) as err:
            raise PeopleUnavailable from err
