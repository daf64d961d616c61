"""A model's place as a small picture for other websites."""

from datetime import datetime

from dynabench_client.results.leaderboard import ModelRow
from markupsafe import Markup

from web.kit.charts.svg import element
from web.kit.language import _
from web.kit.numbers import decimal

HEIGHT, PADDING, LETTER = 28, 10, 6.7
LONGEST = 48
DARK, LIGHT, ACCENT = "#22252b", "#ffffff", "#7a3b00"


def badge(slug: str, row: ModelRow, as_of: datetime) -> str:
    """Return the picture: the model, its possible places, its score, and the day.

    Colours are in attributes, because the page around it has its own styles.
    """
    name = row.model if len(row.model) <= LONGEST else f"{row.model[: LONGEST - 1]}…"
    day = as_of.date().isoformat()
    if row.rank is None or row.rank_set is None:
        said = _("not ranked · %(day)s", day=day)
    else:
        first, last = row.rank_set
        places = str(first) if first == last else f"{first}–{last}"
        said = _("place %(places)s · %(score)s · %(day)s", places=places, score=decimal(row.score), day=day)
    left, right = (len(words) * LETTER + 2 * PADDING for words in (name, said))
    words = _("%(model)s on %(task)s: %(said)s", model=row.model, task=slug, said=said)
    font = {"font_family": "Verdana, DejaVu Sans, sans-serif", "font_size": 11, "fill": LIGHT}
    parts: list[Markup] = [
        element("title", words),
        element("rect", width=left + right, height=HEIGHT, rx=5, fill=DARK),
        element(
            "path",
            d=f"M{left:.1f} 0H{left + right - 5:.1f}a5 5 0 0 1 5 5V23a5 5 0 0 1 -5 5H{left:.1f}Z",
            fill=ACCENT,
        ),
        element("text", name, x=left / 2, y=18, text_anchor="middle", textLength=left - 2 * PADDING, **font),
        element(
            "text",
            said,
            x=left + right / 2,
            y=18,
            text_anchor="middle",
            textLength=right - 2 * PADDING,
            **font,
        ),
    ]
    return str(
        element(
            "svg",
            *parts,
            xmlns="http://www.w3.org/2000/svg",
            width=left + right,
            height=HEIGHT,
            viewBox=f"0 0 {left + right:.1f} {HEIGHT}",
            role="img",
            aria_label=words,
        )
    )
