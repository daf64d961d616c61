"""A scripted person that counts keys, clicks, words read and page loads, and their estimated seconds.

The seconds are stated, not measured, so that a busy machine changes nothing: those of the keystroke-level model (Card,
Moran and Newell 1980) for a person who types 55 words a minute, and one second for a page load. A person who does not
see what comes next hesitates and scrolls: that counts as one click more.
"""

from playwright.sync_api import Locator, Page

KEY_SECONDS = 0.2
POINT_SECONDS = 1.1 + 0.2
"""Seconds to move hand and pointer to a target, and to press."""
DECIDE_SECONDS = 1.35
"""Seconds of mental preparation before each click and each text."""
READ_WORDS_PER_SECOND = 4
LOAD_SECONDS = 1.0
IS_IN_VIEW = """element => {
  const box = element.getBoundingClientRect();
  return box.bottom > 0 && box.top + Math.min(box.height, 24) <= innerHeight;
}"""


class Person:
    """A person at a page, with counted actions."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.clicks = 0
        self.hesitations = 0
        self.keys = 0
        self.loads = 0
        self.words = 0
        self.decisions = 0
        page.on("domcontentloaded", lambda _: self._loaded())

    def _loaded(self) -> None:
        self.loads += 1

    def click(self, selector: str) -> None:
        """Decide, point at the first match, and press."""
        self.decisions += 1
        self.clicks += 1
        self._found(selector).click()

    def _found(self, selector: str) -> Locator:
        """Return the first match; one out of view is a hesitation."""
        first = self.page.locator(selector).first
        first.wait_for()
        if not first.evaluate(IS_IN_VIEW):
            self.hesitations += 1
            self.clicks += 1
            self.decisions += 1
            first.scroll_into_view_if_needed()
        return first

    def choose(self, selector: str, value: str) -> None:
        """Open a list, and choose one of its lines by the keyboard."""
        self.decisions += 1
        self.clicks += 1
        self.keys += 2
        self._found(selector).select_option(value)

    def type(self, selector: str, text: str) -> None:
        """Click into a field and write letter by letter."""
        self.click(selector)
        self.keys += len(text)
        self.page.keyboard.type(text)

    def replace(self, selector: str, text: str) -> None:
        """Click into a field, select all of it by one stroke, and write letter by letter."""
        self.click(selector)
        self.press("Control+a")
        self.keys += len(text)
        self.page.keyboard.type(text)

    def paste(self, selector: str, text: str) -> None:
        """Click into a field and paste, by two keys."""
        self.click(selector)
        self.keys += 2
        self.page.locator(selector).first.fill(text)

    def press(self, key: str) -> None:
        """Press a key, without moving to the keyboard."""
        self.keys += 1
        self.page.keyboard.press(key)

    def read(self, selector: str) -> str:
        """Read the text of the first match, and return it."""
        text = self._found(selector).inner_text()
        self.words += len(text.split())
        return text

    @property
    def seconds(self) -> float:
        """Seconds that a person needs for all this."""
        return (
            KEY_SECONDS * self.keys
            + POINT_SECONDS * self.clicks
            + DECIDE_SECONDS * self.decisions
            + self.words / READ_WORDS_PER_SECOND
            + LOAD_SECONDS * self.loads
        )

    def __str__(self) -> str:
        return (
            f"{self.clicks} clicks ({self.hesitations} hesitations), {self.keys} keys, {self.words} words, "
            f"{self.loads} page loads: {self.seconds:.0f} s"
        )
