"""People who work for a campaign."""

from typing import Any
from uuid import UUID

from crowd.domain.platforms import SubmissionState

from .conftest import Crowd


def own(crowd: Crowd, person: UUID) -> dict[str, Any]:
    """Return a person's newest assignment as they see it."""
    items = crowd.send("GET", "/me/assignments", by=person).get_json()["items"]
    assert items
    return dict(items[0])


def complete(crowd: Crowd, assignment_id: str, person: UUID, **body: Any) -> Any:
    return crowd.send("PUT", f"/assignments/{assignment_id}/completion", body, by=person)


def hand_in(crowd: Crowd, campaign_id: str, worker: str = "w1") -> tuple[str, UUID]:
    """Let a person enter, write two tries and hand them in."""
    assignment_id, person = crowd.entered(campaign_id, worker)
    crowd.take(crowd.try_of(person), crowd.try_of(person))
    assert complete(crowd, assignment_id, person).status_code == 200
    crowd.platform.says(f"s-{worker}", SubmissionState.SUBMITTED, worker)
    return assignment_id, person
