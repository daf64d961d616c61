"""Workers of the test server's crowd platforms, who enter as the pages let them in."""

from dataclasses import dataclass, field
from urllib.parse import parse_qsl, urlsplit

from dynabench_client import Dynabench
from dynabench_client.results.crowd import Entry
from dynabench_common.testing import wait_until

from tests.crowd_platforms.server import CrowdPlatforms


@dataclass
class Workers:
    """Sends workers to the pages of a platform at `url`; `token` is the pages' own, by which they let people in."""

    url: str
    token: str
    practice: CrowdPlatforms
    worker_ids: list[str] = field(default_factory=list)

    def arrive(self, study_id: str, name: str) -> dict[str, str]:
        """Send a worker; `start_url` is where their browser begins, `entry_url` where the platform leads it."""
        worker_id = f"worker-id-of-{name}"
        self.worker_ids.append(worker_id)
        arrival: dict[str, str] = self.practice.control(
            "POST", f"studies/{study_id}/arrivals", worker_id=worker_id
        )
        return arrival

    def enter(self, study_id: str, campaign_id: str, name: str) -> tuple[Entry, dict[str, str], Dynabench]:
        """Let a worker in; return the entry, the platform's parameters, and the worker's client."""
        parameters = dict(parse_qsl(urlsplit(self.arrive(study_id, name)["entry_url"]).query))
        entry = Dynabench(self.url, access_token=self.token).crowd.enter(campaign_id, parameters)
        return entry, parameters, Dynabench(self.url, access_token=entry.session.access_token)

    def hand_in(self, entry: Entry, parameters: dict[str, str], person: Dynabench, **more: bool) -> None:
        """Hand complete work in, and go back to the platform with the code."""
        if not more:
            wait_until(lambda: person.crowd.my_work()[0].can_finish, what="the work to be counted")
        self.complete(parameters, str(person.crowd.complete(entry.work.assignment_id, **more).code))

    def complete(self, parameters: dict[str, str], code: str) -> None:
        """Take a worker back to the platform with a code."""
        self.practice.control("POST", f"submissions/{parameters['SESSION_ID']}/completion", code=code)
