"""How a person wants pages to look and to go on: what can be chosen, and the cookies that hold it."""

THEME, PACE = "dynabench_theme", "dynabench_pace"
THEMES = ("auto", "light", "dark")
WAIT, TIMED, STRAIGHT = "wait", "timed", "straight"
PACES = {WAIT: "wait for me", TIMED: "go on after 6 s", STRAIGHT: "go straight on"}
