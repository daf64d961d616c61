"""Drawings of badges: lines in a hexagon, in the colours of the page around them.

A drawing is decoration; the badge's name is written next to it.
"""

from collections.abc import Mapping

from markupsafe import Markup

from web.kit.charts.svg import element

SIZE = 32
FRAME = "M16 1.5 28.6 8.75v14.5L16 30.5 3.4 23.25V8.75Z"
CHEVRON = "M10 {}l6-5 6 5"
FLAME = "M16.5 6c.6 3.4 6.5 5.4 6.5 11a7 7 0 0 1-14 0c0-2.6 1.3-4.3 2.7-5.5.2 1.9 1 2.8 2 3.2-.2-3.6.6-6.4 2.8-8.7Z"
CALENDAR = "M9 10h14v13H9ZM9 13.5h14M12.5 7.5v4M19.5 7.5v4"
NUMBER_LINE = 21.5
MARKS: Mapping[str, str] = {
    "first_example": "M10 22l1.2-4.2L19.8 9.2l3 3-8.6 8.6ZM17.6 11.4l3 3",
    "ten_examples": "M10 11h12M10 16h12M10 21h7",
    "first_vote": "M9.5 16.5l4.5 4.5 8.5-10",
    "first_validated_fooling": "M16 7.5l8.5 8.5-8.5 8.5L7.5 16ZM12.6 16l2.5 2.6 4.4-4.8",
    "contributor_bronze": CHEVRON.format(18.5),
    "contributor_silver": "".join(map(CHEVRON.format, (16, 21))),
    "contributor_gold": "".join(map(CHEVRON.format, (14, 18.5, 23))),
    "contributor_platinum": "M16 8l2.5 5.1 5.6.8-4 4 .9 5.6-5-2.7-5 2.7.9-5.6-4-4 5.6-.8Z",
    "contributor_diamond": "M11 9.5h10l3 4.5-8 9.5L8 14ZM8 14h16M13 14l3 9.5 3-9.5",
    "weekly_winner": (
        "M12 8.5h8v5a4 4 0 0 1-8 0ZM12 10H9v1a3.5 3.5 0 0 0 3.1 3.4M20 10h3v1a3.5 3.5 0 0 1-3.1 3.4"
        "M16 17.5V21M12 23h8"
    ),
    "every_task": "M9.5 9.5h5.5v5.5H9.5ZM17 9.5h5.5v5.5H17ZM9.5 17h5.5v5.5H9.5ZM17 17h5.5v5.5H17Z",
    "model_builder": "M16 8l7 4v8l-7 4-7-4v-8ZM9 12l7 4 7-4M16 16v8",
    "serial_model_builder": "M9 9h9.5v9.5H9ZM13.5 18.5V23H23v-9.5h-4.5",
    "model_multitasker": "M16 12l4 4-4 4-4-4ZM16 12V8M16 20v4M12 16H8M20 16h4",
    "state_of_the_art": "M9.5 20v-9l3.8 3.8L16 9l2.7 5.8 3.8-3.8v9ZM9.5 23h13",
}
STREAKS: Mapping[str, str] = {"fooling_streak_": FLAME, "day_streak_": CALENDAR}
"""By the start of a name whose end is a number; the number stands in the drawing."""
OTHER = "M16 9l7 7-7 7-7-7Z"


def badge_drawing(name: str) -> Markup:
    """Return the drawing of a badge; an unknown badge has a plain one."""
    start = next((each for each in STREAKS if name.startswith(each)), "")
    marks = [element("path", d=STREAKS[start] if start else MARKS.get(name, OTHER))]
    if start:
        number = name.removeprefix(start)
        marks.append(element("text", number, x=SIZE // 2, y=NUMBER_LINE, text_anchor="middle"))
    return element(
        "svg",
        element("path", d=FRAME, class_="badge-frame"),
        *marks,
        class_="badge-drawing",
        viewBox=f"0 0 {SIZE} {SIZE}",
        aria_hidden="true",
        focusable="false",
    )
