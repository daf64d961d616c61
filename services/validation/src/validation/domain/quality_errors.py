"""Refusals about validators' standing and about known items."""

from validation.domain.identifiers import GoldId, PersonId


class ValidationPaused(Exception):
    """The person failed too many known items, or the owner paused them."""

    def __init__(self, *, can_appeal: bool) -> None:
        super().__init__("validation is paused")
        self.can_appeal = can_appeal


class NotPaused(Exception):
    """There is no pause to appeal against."""

    def __init__(self, person_id: PersonId) -> None:
        super().__init__(f"person {person_id} is not paused")
        self.person_id = person_id


class AlreadyAppealedPause(Exception):
    """The person appealed against this pause before."""

    def __init__(self, person_id: PersonId) -> None:
        super().__init__(f"person {person_id} appealed before")
        self.person_id = person_id


class TaskUnknown(Exception):
    """No event has named the task."""

    def __init__(self, slug: str) -> None:
        super().__init__(f"task {slug} is unknown")
        self.slug = slug


class ValidatorUnknown(Exception):
    """The person has answered on nothing in the task."""

    def __init__(self, person_id: PersonId) -> None:
        super().__init__(f"person {person_id} is no validator of the task")
        self.person_id = person_id


class GoldUnknown(Exception):
    """There is no such item."""

    def __init__(self, gold_id: GoldId) -> None:
        super().__init__(f"gold item {gold_id} is unknown")
        self.gold_id = gold_id
