"""Preferences of a person for the look and the behaviour of pages: the options, and the cookies that store them."""

from web.kit.language import N_

THEME, PACE, KEYS = "dynabench_theme", "dynabench_pace", "dynabench_keys"
KEYS_SHOWN = "shown"
THEMES = {"auto": N_("Auto"), "light": N_("Light"), "dark": N_("Dark")}
WAIT, TIMED, STRAIGHT = "wait", "timed", "straight"
PACES = {WAIT: N_("wait for me"), TIMED: N_("go on after 6 s"), STRAIGHT: N_("go straight on")}
