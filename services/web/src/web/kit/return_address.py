"""Return address after sign-in, which can never lead off the platform."""

from urllib.parse import urlsplit

LONGEST = 2000
HOME = "/"
NEVER = ("/sign-in", "/sign-up", "/sign-out", "/resume", "/new-password", "/confirm-email")


def safe_return(given: str | None) -> str:
    """Return `given` if it is an address on this origin that may be shown after signing in, else the home page.

    Browsers read a backslash as a slash and drop tabs and line breaks, so any of those makes an address unsafe.
    """
    if not given or len(given) > LONGEST or not given.startswith("/") or given.startswith("//"):
        return HOME
    if "\\" in given or any(ord(character) <= 0x20 or ord(character) == 0x7F for character in given):
        return HOME
    try:
        parts = urlsplit(given)
    except ValueError:
        return HOME
    if parts.scheme or parts.netloc or parts.path.startswith(NEVER):
        return HOME
    return given
