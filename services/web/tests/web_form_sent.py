"""Fields that a browser sends for the forms of a page if nobody changes anything in them."""

from html.parser import HTMLParser


class _Sent(HTMLParser):
    """The fields of a form as a browser would send them."""

    def __init__(self) -> None:
        super().__init__()
        self.controls: dict[str, list[str]] = {}
        self._select = ""
        self._area = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        is_sent = given.get("type") != "checkbox" or "checked" in given
        if tag == "input" and is_sent and "name" in given:
            self._add(given["name"], given["value"])
        elif tag == "select":
            self._select = given.get("name", "")
        elif tag == "option" and "selected" in given and self._select:
            self._add(self._select, given["value"])
        elif tag == "textarea":
            self._area = given.get("name", "")
            self.controls[self._area] = [""]

    def handle_data(self, data: str) -> None:
        if self._area:
            # The first line end in a textarea is the markup's.
            self.controls[self._area][0] += data

    def handle_endtag(self, tag: str) -> None:
        if tag == "textarea" and self._area:
            self.controls[self._area][0] = self.controls[self._area][0].removeprefix("\n")
            self._area = ""

    def _add(self, name: str, value: str) -> None:
        self.controls.setdefault(name, []).append(value)


def sent_of(page: str) -> dict[str, list[str]]:
    """Return the values of all controls of a page, by name."""
    reader = _Sent()
    reader.feed(page)
    return reader.controls
