"""States of a campaign."""

from enum import StrEnum


class CampaignState(StrEnum):
    """A campaign recruits while it runs; people who have accepted go on in every state."""

    DRAFT = "draft"
    RUNNING = "running"
    PAUSED = "paused"
    ENDED = "ended"
