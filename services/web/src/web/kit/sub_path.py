"""Pages below a path of another site's address, as PUBLIC_URL names it: `https://lab.example.org/bench`.

Page packages write addresses from the root. The edge removes the path from requests. This module adds it to links, form
targets and redirects. Stored or forwarded addresses, such as `next`, stay without it.
"""

import re

from flask import Flask, Response

from web.kit.dependencies import dependencies

FOLLOWED = "href|src|action|formaction|hx-get|hx-post|data-board-parts|data-lease"
ATTRIBUTE = re.compile(rf'(\s(?:{FOLLOWED})=")(?=/(?!/))')
"""Texts of people hold no quotation marks as they are, so none looks like an attribute."""
HEADERS = ("Location", "HX-Redirect")


def install(app: Flask) -> None:
    """Put the path before the addresses of each answer."""
    app.after_request(_add_path)


def without_path(address: str) -> str:
    """Return an address of a browser without the sub-path, as routes write it."""
    prefix = dependencies().settings.path_prefix
    return address.removeprefix(prefix) if address.startswith(f"{prefix}/") else address


def _add_path(response: Response) -> Response:
    prefix = dependencies().settings.path_prefix
    if not prefix:
        return response
    for name in HEADERS:
        address = response.headers.get(name, "")
        if address.startswith("/") and not address.startswith("//"):
            response.headers[name] = prefix + without_path(address)
    if response.mimetype == "text/html" and not response.is_streamed:
        response.set_data(ATTRIBUTE.sub(rf"\1{prefix}", response.get_data(as_text=True)))
    return response
