"""A dataset's card: Markdown with front matter for dataset hubs."""

import re
from dataclasses import dataclass

from markupsafe import Markup

from web.kit.markdown import render_markdown

FENCE = "---\n"
HEADING = re.compile(r"^## +(\S.*)$", re.MULTILINE)
LIMITS = {"limits", "limitations", "known limits"}


@dataclass(frozen=True)
class CardView:
    """View of the card; `limits` is its section on limitations, if it has one."""

    body: Markup
    limits: Markup | None


def card_view(text: str) -> CardView:
    """Return the view of a card."""
    body = _without_head(text.replace("\r\n", "\n"))
    limits = next((section for name, section in _sections(body) if name.lower() in LIMITS), None)
    return CardView(render_markdown(body), None if limits is None else render_markdown(limits))


def _without_head(text: str) -> str:
    if not text.startswith(FENCE):
        return text
    _, closing, rest = text.removeprefix(FENCE).partition(f"\n{FENCE}")
    return rest if closing else text


def _sections(body: str) -> list[tuple[str, str]]:
    parts = HEADING.split(body)
    return list(zip(map(str.rstrip, parts[1::2]), parts[2::2], strict=True))
