"""Pictures of link previews: their words, their limits, and the answer that sends one (0001-drawn-link-previews.md).

A picture is named by the digest of everything drawn. So a browser's copy is checked, and a kept picture found, without
drawing.
"""

import hashlib
import json
import subprocess
import sys
import threading
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import regex
from dynabench_common.problems import Problem
from dynabench_common.telemetry.logging import get_logger
from flask import Response, request

from web.kit import isolation
from web.kit.language import _
from web.kit.public_examples import shortened

log = get_logger(__name__)
LAYOUT = Path(__file__).with_name("picture.typ").read_bytes()
COMMAND = (sys.executable, "-I", "-m", "web.kit.drawing")
ENVIRONMENT = {"RAYON_NUM_THREADS": "1"}
PNG = "image/png"
AT_ONCE, WAIT_SECONDS, DRAWING_SECONDS, RETRY_SECONDS = 2, 5, 10, 10
MOST_KEPT = 64
LONGEST_TEXT, LONGEST_LINE, LONGEST_NAME = 300, 140, 24
LONGEST_WORD, LONGEST_PART = 32, 24
"""Most characters of a word that is not broken, and of the parts of a longer word."""
EAST_ASIAN = ("Han", "Hiragana", "Katakana", "Hangul", "Bopomofo")
DRAWN = ("Latin", "Greek", "Cyrillic", "Devanagari", "Arabic", *EAST_ASIAN, "Common", "Inherited")
"""Scripts of the installed fonts. A text with others is left out: its picture would have boxes for letters."""
UNDRAWN = regex.compile("[^{}]".format("".join(rf"\p{{{script}}}" for script in DRAWN)))
UNSEEN = regex.compile("[\\p{Cc}\\p{Co}\\p{Cs}\u202a-\u202e]")
"""Control and private characters, halves of characters, and what turns the direction of all that follows."""
LONG_WORD = regex.compile(rf"\S{{{LONGEST_WORD + 1},}}")
BREAK = "\u200b"
OPENED, CLOSED = "\u2066\u2067\u2068", "\u2069"
slots = threading.BoundedSemaphore(AT_ONCE)


@dataclass(frozen=True)
class Bar:
    """A row of a board: the score and its interval as parts of the scale."""

    place: str
    name: str
    score: str
    low: float
    at: float
    high: float


@dataclass(frozen=True)
class Picture:
    """Words of a picture, from top to bottom. `text` is as large as fits; `bars` take its place."""

    above: str
    heading: str
    text: str = ""
    below: Sequence[str] = ()
    bars: Sequence[Bar] = ()

    def document(self) -> dict[str, Any]:
        """Return what the layout reads."""
        return {
            "above": _part(self.above),
            "heading": _part(self.heading),
            "text": _part(self.text, LONGEST_TEXT),
            "below": [_part(each) for each in self.below if each],
            "bars": [
                {
                    "place": _part(each.place),
                    "name": _part(each.name, LONGEST_NAME),
                    "score": _part(each.score),
                    "low": each.low,
                    "at": each.at,
                    "high": each.high,
                }
                for each in self.bars
            ],
        }


def picture_answer(picture: Picture) -> Response:
    """Return the answer with a picture; 304 if the browser has it."""
    shown = json.dumps(picture.document())
    response = Response(content_type=PNG)
    response.set_etag(hashlib.sha256(LAYOUT + shown.encode()).hexdigest()[:32])
    response.make_conditional(request)
    if response.status_code == 200:
        response.set_data(_drawn_once(shown))
    return response


def _drawn_once(shown: str) -> bytes:
    """Return the picture; while one request draws it, the others that ask for it wait."""
    turn = _turn(shown)
    if not turn.acquire(timeout=WAIT_SECONDS + DRAWING_SECONDS):
        raise _not_drawn()
    try:
        return _drawn(shown)
    finally:
        turn.release()


@lru_cache(maxsize=MOST_KEPT)
def _turn(_shown: str) -> threading.Lock:
    return threading.Lock()


@lru_cache(maxsize=MOST_KEPT)
def _drawn(shown: str) -> bytes:
    if not slots.acquire(timeout=WAIT_SECONDS):
        raise _not_drawn()
    try:
        done = subprocess.run(
            COMMAND,
            input=shown.encode(),
            capture_output=True,
            timeout=DRAWING_SECONDS,
            env=ENVIRONMENT,
            check=False,
        )
    except subprocess.TimeoutExpired as err:
        log.warning("picture_late")
        raise _not_drawn() from err
    finally:
        slots.release()
    if done.returncode:
        log.warning(
            "picture_failed", status=done.returncode, said=done.stderr[-500:].decode(errors="replace")
        )
        raise _not_drawn()
    return done.stdout


def _not_drawn() -> Problem:
    return Problem(
        503,
        "picture-not-drawn",
        _("The picture is not drawn"),
        _("Too many pictures are being drawn just now, or this one took too long."),
        remedy=_("Ask again in a few seconds."),
        headers={"Retry-After": str(RETRY_SECONDS)},
    )


def _part(words: str, longest: int = LONGEST_LINE) -> dict[str, Any]:
    """Return words as they are set: in one line, without what can't be drawn, with breaks in very long words."""
    plain = " ".join(isolation.plain(words).unescape().split())
    text = UNSEEN.sub("", shortened(plain, longest))
    if UNDRAWN.search(text):
        text = ""
    return {"words": LONG_WORD.sub(_with_breaks, text), "right_to_left": _is_right_to_left(text)}


def _with_breaks(found: regex.Match[str]) -> str:
    characters = regex.findall(r"\X", found.group())
    parts = (characters[at : at + LONGEST_PART] for at in range(0, len(characters), LONGEST_PART))
    return BREAK.join("".join(part) for part in parts)


def _is_right_to_left(text: str) -> bool:
    """Return the direction of a paragraph, by its first strong character outside of isolates (UAX 9, P2)."""
    depth = 0
    for character in text:
        if character in OPENED:
            depth += 1
        elif character == CLOSED:
            depth = max(0, depth - 1)
        elif not depth and (kind := unicodedata.bidirectional(character)) in {"L", "R", "AL"}:
            return kind != "L"
    return False
