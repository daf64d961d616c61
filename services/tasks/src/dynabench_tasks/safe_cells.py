"""Escaping of texts that spreadsheets would take for formulas."""

FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r", "\n")


def safe_cell(text: str) -> str:
    """Return a text with an apostrophe before it where a spreadsheet would compute it; numbers stay."""
    if not text.startswith(FORMULA_STARTS):
        return text
    try:
        float(text)
    except ValueError:
        return "'" + text
    return text
