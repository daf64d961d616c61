"""Sizes of a dataset's splits as one bar; the words beside it state the numbers."""

from collections.abc import Sequence

from markupsafe import Markup

from web.kit.charts.svg import element

WIDTH, HEIGHT, GAP = 240, 12, 2.0
THINNEST = 2.0


def size_bar(sizes: Sequence[int]) -> Markup:
    """Return the bar, one part for each size that is not zero; nothing for an empty dataset."""
    known = [(position, size) for position, size in enumerate(sizes, start=1) if size]
    if not known:
        return Markup()
    total, room = sum(sizes), WIDTH - GAP * (len(known) - 1)
    widths = [max(THINNEST, room * size / total) for _position, size in known]
    shrink = room / sum(widths)
    parts, x = [], 0.0
    for (position, _size), width in zip(known, widths, strict=True):
        parts.append(
            element("rect", x=x, y=0, width=width * shrink, height=HEIGHT, class_=f"part-{position}")
        )
        x += width * shrink + GAP
    return element(
        "svg",
        *parts,
        class_="size-bar",
        viewBox=f"0 0 {WIDTH} {HEIGHT}",
        preserveAspectRatio="none",
        aria_hidden="true",
    )
