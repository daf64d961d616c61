"""Names of browsers and systems, for the list of a person's sessions."""

from flask import request

BROWSERS = {"Edg": "Edge", "OPR/": "Opera", "Firefox/": "Firefox", "FxiOS/": "Firefox"} | {
    "CriOS/": "Chrome",
    "Chrome/": "Chrome",
    "Safari/": "Safari",
}
SYSTEMS = {
    **{"Android": "Android", "iPhone": "iOS", "iPad": "iPadOS", "Windows": "Windows"},
    **{"Mac OS X": "macOS", "CrOS": "ChromeOS", "Linux": "Linux"},
}
"""Part of a User-Agent header, and the name of its browser or system. If several fit, the first counts."""


def device() -> str:
    """Return the browser and the system that this request names, such as `Firefox, Linux`; empty for unknown ones."""
    header = request.headers.get("User-Agent", "")
    found = (next((names[each] for each in names if each in header), "") for names in (BROWSERS, SYSTEMS))
    return ", ".join(filter(None, found))
