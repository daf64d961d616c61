"""Pictures of link previews: what is drawn of a text in any script, and the limits of a drawing."""

import hashlib
import json
import sys
from collections.abc import Callable, Iterator
from io import BytesIO
from pathlib import Path
from threading import Barrier, Lock, Thread

import pytest
from dynabench_common.problems import Problem
from PIL import Image
from web.kit import pictures
from web.kit.drawing import draw
from web.kit.pictures import Bar, Picture

SIZE = (1200, 630)
WORDS = "مدرسة جميلة"
NOT_JOINED = "\u200c".join(WORDS)
BREAK = "\u200b"
EMOJI = "".join(map(chr, range(0x1F300, 0x1F64F)))


def drawn(picture: Picture) -> Image.Image:
    return Image.open(BytesIO(draw(json.dumps(picture.document())))).convert("RGB")


def of_text(text: str) -> Image.Image:
    return drawn(Picture("Sentiment", "An example", text))


def everywhere(text: str) -> Picture:
    return Picture(text, text, text, (text,) * 3)


def as_board(text: str) -> Picture:
    return Picture(text, text, bars=[Bar("1–12", text, "100.0", 0.0, 0.5, 1.0)] * 5)


def digest(image: Image.Image) -> str:
    return hashlib.sha256(image.tobytes()).hexdigest()


def ink(image: Image.Image) -> tuple[int, int, int, int]:
    """Return the box of the text's dark pixels: within the frame of the text, without its border."""
    box = (80, 190, 1120, 560)
    found = image.crop(box).convert("L").point(lambda light: 255 if light < 128 else 0).getbbox()
    assert found
    return found


@pytest.fixture(autouse=True)
def nothing_kept() -> Iterator[None]:
    pictures._drawn.cache_clear()
    yield
    pictures._drawn.cache_clear()


def test_arabic_letters_are_joined() -> None:
    joined, apart = of_text(WORDS), of_text(NOT_JOINED)
    assert digest(joined) != digest(apart)
    assert ink(joined)[2] - ink(joined)[0] < ink(apart)[2] - ink(apart)[0]


def test_a_text_begins_on_its_own_side() -> None:
    arabic, english = ink(of_text(WORDS)), ink(of_text("A school"))
    assert english[0] < 60
    assert arabic[2] > 980
    assert arabic[0] > 500


@pytest.mark.parametrize(
    ("script", "text", "other"),
    [
        ("kana", "ひらがな", "カタカナ"),
        ("Chinese", "付钱走人", "付款離開"),
        ("Korean", "계산하고", "나가는것"),
    ],
)
def test_east_asian_letters_are_drawn_each_as_itself(script: str, text: str, other: str) -> None:
    assert digest(of_text(text)) != digest(of_text(other)), f"{script} is drawn as boxes"


def test_an_emoji_is_drawn_in_its_colours() -> None:
    def yellow(image: Image.Image) -> int:
        red, green, blue = (band.tobytes() for band in image.split())
        return sum(r > 200 and g > 150 and b < 120 for r, g, b in zip(red, green, blue, strict=True))

    assert yellow(of_text("Great")) == 0
    assert yellow(of_text("Great 😀")) > 300


@pytest.mark.parametrize(
    "part",
    [lambda text: Picture("Sentiment", "An example", text), everywhere, as_board],
    ids=["text", "all parts", "board"],
)
@pytest.mark.parametrize(
    "text",
    [
        "word " * 1000,
        "LOUD WORDS " * 100,
        "w" * 300,
        "م" * 300,
        "قال hello 123 ثم 😀 goodbye",
        "最高の部分は支払いだった。" * 30,
        "e\u0301\u0302\u0303" * 400,
        "👩\u200d🚀" * 60,
        "a\x00b\x07c\u202ed\ud800",
        '#read("/etc/passwd") $x$ *bold* \\ ] }',
    ],
    ids=[
        "5000 characters",
        "capitals",
        "long word",
        "long Arabic word",
        "mixed",
        "long Japanese text",
        "marks",
        "joined emoji",
        "control",
        "markup",
    ],
)
def test_any_text_fits_the_picture(text: str, part: Callable[[str], Picture]) -> None:
    image = drawn(part(text))
    assert image.size == SIZE
    right_margin = image.crop((1140, 0, 1200, 630)).getcolors()
    bottom_margin = image.crop((0, 590, 1200, 630)).getcolors()
    assert right_margin is not None
    assert len(right_margin) == 1
    assert bottom_margin is not None
    assert len(bottom_margin) == 1


def test_long_parts_leave_room_for_the_text() -> None:
    long, text = "A long title of a task " * 7, "Nobody would call it dull. " * 11
    first, changed = (drawn(Picture(long, long, each, (long,) * 3)) for each in (text, f"{text[:-8]} drab."))
    assert digest(first) != digest(changed), "the last words are in the picture"


def test_a_board_is_drawn_with_its_scores() -> None:
    bars = [Bar("1–2", "roberta", "79.0", 0.2, 0.5, 1.0), Bar("3", "n-gram", "60.1", 0.0, 0.0, 0.0)]
    with_rows, without = (drawn(Picture("Task", "Models ranked", bars=each)) for each in (bars, ()))
    assert digest(with_rows) != digest(without)


@pytest.mark.parametrize(
    ("rule", "text", "words", "right_to_left"),
    [
        ("words stay", "Such a day", "Such a day", False),
        ("white space is one space", " a\n\tb ", "a b", False),
        ("controls are left out", "a\x00b\u202ec\ue000", "abc", False),
        ("the first letter sets the direction", "123 مرحبا hello", "123 مرحبا hello", True),
        ("an isolate sets none", "\u2068مرحبا\u2069 hello", "\u2068مرحبا\u2069 hello", False),
        ("a script without a font is left out", "hello สวัสดี", "", False),
        (
            "a long word is broken between characters",
            "e\u0301" * 40,
            "e\u0301" * 24 + BREAK + "e\u0301" * 16,
            False,
        ),
        ("a long text is cut at a word", "word " * 100, "word " * 59 + "word…", False),
    ],
)
def test_texts_are_prepared_for_drawing(rule: str, text: str, words: str, right_to_left: bool) -> None:
    found = Picture("", "", text).document()["text"]
    assert found == {"words": words, "right_to_left": right_to_left}, rule


def refusal(shown: str) -> Problem:
    with pytest.raises(Problem) as refused:
        pictures._drawn(shown)
    assert refused.value.status == 503
    assert "Retry-After" in refused.value.headers
    return refused.value


def run(monkeypatch: pytest.MonkeyPatch, program: str) -> None:
    monkeypatch.setattr(pictures, "COMMAND", (sys.executable, "-c", program))


def test_a_drawing_that_fails_or_takes_long_is_refused_and_not_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    run(monkeypatch, "raise SystemExit(3)")
    refusal("{}")
    monkeypatch.setattr(pictures, "DRAWING_SECONDS", 0.2)
    run(monkeypatch, "import time; time.sleep(60)")
    refusal("{}")
    monkeypatch.setattr(pictures, "DRAWING_SECONDS", 30)
    run(monkeypatch, "print('drawn', end='')")
    assert pictures._drawn("{}") == b"drawn"
    run(monkeypatch, "raise SystemExit(3)")
    assert pictures._drawn("{}") == b"drawn"


def test_drawings_beyond_the_limit_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pictures, "WAIT_SECONDS", 0)
    for _each in range(pictures.AT_ONCE):
        assert pictures.slots.acquire(blocking=False)
    try:
        refusal("{}")
    finally:
        pictures.slots.release(pictures.AT_ONCE)


def test_the_drawing_process_gets_no_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SERVICE_TOKEN", "secret")
    run(monkeypatch, "from os import environ; print(*environ)")
    assert b"SERVICE_TOKEN" not in pictures._drawn("{}")


def test_the_program_draws_what_it_reads() -> None:
    document = json.dumps(Picture("Task", "An example", "A text").document())
    assert Image.open(BytesIO(pictures._drawn(document))).size == SIZE


def test_a_picture_full_of_emoji_and_chinese_is_drawn_within_the_memory_of_a_drawing() -> None:
    signs = "".join(map(chr, range(0x4E00, 0x4F80)))
    full = Picture(EMOJI[:140], signs[:140], EMOJI[280:580], [signs[140:280], EMOJI[700:]])
    found = Image.open(BytesIO(pictures._drawn(json.dumps(full.document())))).convert("RGB")
    assert digest(found) == digest(drawn(full))


def test_requests_at_the_same_time_share_one_drawing(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Both requests have come before one draws: a turn begins only when the other waits for it too."""
    both, lock, log = Barrier(2, timeout=30), Lock(), tmp_path / "drawings"
    found: list[bytes] = []

    class Turn:
        release = staticmethod(lock.release)

        def acquire(self, timeout: float) -> bool:
            both.wait()
            return lock.acquire(timeout=timeout)

    turn = Turn()
    monkeypatch.setattr(pictures, "_turn", lambda _shown: turn)
    run(monkeypatch, f"open({str(log)!r}, 'a').write('drawn '); print('picture', end='')")
    asking = [Thread(target=lambda: found.append(pictures._drawn_once("{}"))) for _each in range(2)]
    for each in asking:
        each.start()
    for each in asking:
        each.join()
    assert found == [b"picture"] * 2
    assert log.read_text() == "drawn "


def test_a_request_does_not_wait_for_ever_for_another_one_s_drawing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pictures, "WAIT_SECONDS", 0)
    monkeypatch.setattr(pictures, "DRAWING_SECONDS", 0)
    with pictures._turn("{}"), pytest.raises(Problem) as refused:
        pictures._drawn_once("{}")
    assert refused.value.status == 503
