"""Pages elsewhere: previews of links to a page, and the code that puts a part of a page into another website."""

from dataclasses import dataclass

from markupsafe import escape

from web.kit.dependencies import dependencies

FRAME_WIDTH = 480
PICTURE = "picture.png"


@dataclass(frozen=True)
class LinkPreview:
    """A page in a link preview; `address` is its own one, below which its picture is."""

    address: str
    title: str
    words: str

    @property
    def picture(self) -> str:
        """Address of the page's picture."""
        return f"{self.address}/{PICTURE}"


def own_address(path: str) -> str:
    """Return the address of a page for readers elsewhere."""
    return f"{dependencies().settings.public_url.rstrip('/')}{path}"


def frame_code(path: str, title: str, height: int) -> str:
    """Return the HTML of a frame with that page, for other websites."""
    return (
        f'<iframe src="{escape(own_address(path))}" title="{escape(title)}" '
        f'width="{FRAME_WIDTH}" height="{height}" style="max-width: 100%" loading="lazy"></iframe>'
    )
