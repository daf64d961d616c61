"""Security headers of pages: those of `web`, and every page that another service shows."""

from collections.abc import Mapping

from werkzeug.datastructures import Headers

POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self'",
        "font-src 'self'",
        "connect-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
    )
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
}
FRAMES_ALLOWED = "frame-ancestors *"


def missing_headers(given: Headers) -> Mapping[str, str]:
    """Return the headers that an answer still lacks; a page that others may frame gets no header against frames."""
    is_framed = FRAMES_ALLOWED in given.get("Content-Security-Policy", "")
    return {
        name: value
        for name, value in HEADERS.items()
        if name not in given and not (is_framed and name == "X-Frame-Options")
    }
