"""Adapters, connected to the test server of the crowd platforms."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from crowd.adapters.platforms import build_platforms
from crowd.domain.platforms import CodeAction, CrowdPlatform, Payment, Study

from tests.crowd_platforms.server import CrowdPlatforms
from tests.crowd_platforms.state import AWS_ACCESS_KEY_ID, PROLIFIC_TOKEN

WEBHOOK_SECRET = "a-webhook-secret-that-only-tests-know"
CODES = {"DONE1234": CodeAction.REVIEW, "OUT12345": CodeAction.SCREEN_OUT, "BACK1234": CodeAction.RETURN}


@dataclass
class Connection:
    """One adapter, and the server that plays its platform."""

    adapter: CrowdPlatform
    server: CrowdPlatforms
    kind: str

    def study(self, campaign_id: str = "campaign-1", **changes: Any) -> Study:
        values: dict[str, Any] = {
            "campaign_id": campaign_id,
            "title": "Fool a model 🙂",
            "description": "Write sentences that a model gets wrong.",
            "entry_url": "https://dynabench.test/c/campaign-1",
            "reward_minor": 150,
            "screen_out_minor": 0 if self.kind == "mturk" else 20,
            "currency": self.adapter.currencies[0],
            "places": 12,
            "minutes": 60,
            "typical_minutes": 10,
            "languages": (),
            "qualifications": (),
            "codes": CODES,
        }
        return Study(**{**values, **changes})

    def published(self, **changes: Any) -> str:
        study_id = self.adapter.create_study(self.study(**changes))
        self.adapter.publish(study_id)
        return study_id

    def arrival(self, study_id: str, **who: str) -> dict[str, Any]:
        arrived: dict[str, Any] = self.server.control("POST", f"studies/{study_id}/arrivals", **who)
        return {**arrived, "parameters": dict(parse_qsl(urlsplit(arrived["entry_url"]).query))}

    def is_open(self, study_id: str) -> bool:
        """Return whether a new worker gets in."""
        try:
            self.arrival(study_id)
        except AssertionError as refused:
            assert "409" in str(refused)
            return False
        return True

    def handed_in(self, study_id: str, number: int = 1) -> list[str]:
        """Let people arrive and hand in, and return their submissions."""
        ids = [self.arrival(study_id)["submission_id"] for _ in range(number)]
        for each in ids:
            self.server.control("POST", f"submissions/{each}/completion", code="DONE1234")
        return ids

    def payments(self, study_id: str, *bonuses: tuple[str, int], run: int = 0) -> list[Payment]:
        """Return bonuses to pay, from submissions and amounts."""
        workers = {
            each["submission_id"]: each["worker_id"] for each in self.server.control("GET", "submissions")
        }
        currency = self.adapter.currencies[0]
        return [
            Payment(f"{run}-{n}-{each}", study_id, each, workers[each], amount, currency, "Errors confirmed.")
            for n, (each, amount) in enumerate(bonuses)
        ]

    def paid(self, kind: str = "bonus") -> list[tuple[str, int]]:
        """Return the submission and amount of all that the platform paid, or will pay."""
        found = self.server.control("GET", "payments")
        return [(each["submission_id"], each["amount_minor"]) for each in found if each["kind"] == kind]

    def settle(self) -> None:
        self.server.control("POST", "settlements")


def connect(server: CrowdPlatforms, folder: Path, kind: str, **changes: Any) -> Connection:
    """Return a new adapter, as a service that has just started would have it."""
    for name, secret in (("token", PROLIFIC_TOKEN), ("hook", WEBHOOK_SECRET), ("key", "any")):
        (folder / name).write_text(secret)
    prolific = {
        "kind": "prolific",
        "currency": "GBP",
        "token_file": str(folder / "token"),
        "webhook_secret_file": str(folder / "hook"),
        "api_url": server.url,
        "app_url": server.url,
    }
    configurations: dict[str, dict[str, Any]] = {
        "prolific": prolific,
        "prolific-signed": {**prolific, "signed_links": True},
        "mturk": {
            "kind": "mturk",
            "sandbox": True,
            "access_key_id": AWS_ACCESS_KEY_ID,
            "secret_file": str(folder / "key"),
            "endpoint_url": server.url,
        },
        "link": {
            "kind": "link",
            "currencies": ["USD", "EUR"],
            "parameters": {"worker": "participantId", "session": "assignmentId"},
            "return_address": f"{server.url}/back?code={{code}}",
        },
    }
    configurations["pool"] = {
        "kind": "link",
        "currencies": ["EUR"],
        "parameters": {"worker": "person", "study": "campaign", "expires": "until", "signature": "signature"},
        "secret_file": str(folder / "hook"),
    }
    one = {"name": kind, "title": kind.title(), **configurations[kind], **changes}
    return Connection(build_platforms(json.dumps([one]))[kind], server, kind)
