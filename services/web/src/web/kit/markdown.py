"""Instructions of a task: Markdown by its owner, shown to everybody, so nothing in it may act.

Raw HTML is shown as text. Images are left out, since they would call foreign hosts. The parser refuses `javascript:`
and `data:` addresses. Links neither send a referrer nor lend their page's standing. Headings are moved below the page's
own.
"""

from collections.abc import MutableMapping, Sequence
from functools import lru_cache
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from markupsafe import Markup

from web.kit.isolation import ISOLATED

LOWEST_HEADING = 6
SINK = 1
MOST_KEPT = 256


@lru_cache(maxsize=MOST_KEPT)
def render_markdown(text: str) -> Markup:
    """Return the text as HTML that is safe to put into a page."""
    html = Markup(_PARSER.render(text))  # noqa: S704
    return Markup("<div {}>{}</div>").format(ISOLATED, html) if html else html


def _open_link(
    renderer: RendererHTML,
    tokens: Sequence[Token],
    index: int,
    options: Any,
    environment: MutableMapping[str, Any],
) -> str:
    tokens[index].attrSet("rel", "noopener noreferrer nofollow")
    return renderer.renderToken(tokens, index, options, environment)


def _sunk_heading(
    renderer: RendererHTML,
    tokens: Sequence[Token],
    index: int,
    options: Any,
    environment: MutableMapping[str, Any],
) -> str:
    token = tokens[index]
    token.tag = f"h{min(LOWEST_HEADING, int(token.tag[1:]) + SINK)}"
    return renderer.renderToken(tokens, index, options, environment)


def _parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"html": False}).enable("table").disable("image")
    parser.add_render_rule("link_open", _open_link)
    parser.add_render_rule("heading_open", _sunk_heading)
    parser.add_render_rule("heading_close", _sunk_heading)
    return parser


_PARSER = _parser()
