"""Refusals of the fake platform."""

from typing import Any, NoReturn


class Refused(Exception):
    """A problem to answer with."""

    def __init__(self, status: int, body: dict[str, Any]) -> None:
        super().__init__(body.get("detail"))
        self.status = status
        self.body = body


def refuse(
    status: int, slug: str, field: str, detail: str, remedy: str, title: str = "Unusable input"
) -> NoReturn:
    """Refuse with a problem."""
    words = {"title": title, "detail": detail, "remedy": remedy}
    raise Refused(status, {"type": f"/problems/{slug}", "field": field, **words})
