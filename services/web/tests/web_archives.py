"""Archives that tests choose in the form that sends them."""

from playwright.sync_api import FilePayload, Page

PART = 1000
NAME = "mini.mar"


def archive(parts: int, name: str = NAME, fill: bytes = b"weights ") -> FilePayload:
    """Return a file of that many parts, the last one not whole."""
    size = parts * PART - 100 if parts else 0
    content = (fill * (size // len(fill) + 1))[:size]
    return {"name": name, "mimeType": "application/octet-stream", "buffer": content}


def send(page: Page, file: FilePayload, model: str = "mini") -> None:
    """Fill the form in and send a file."""
    page.fill("[name=model]", model)
    page.set_input_files("[name=file]", [file])
    page.click("[data-archive-send]")
