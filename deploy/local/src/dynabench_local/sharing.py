"""Checkouts that share one data folder: copies with the same PORT_BASE share their data by default."""

from pathlib import Path

from dynabench_local.layout import Layout


def note_use(layout: Layout) -> list[Path]:
    """Record that this checkout uses the data folder, and return the other existing checkouts that did."""
    path = layout.home / "checkouts"
    known = [Path(line) for line in path.read_text().splitlines()] if path.exists() else []
    if layout.checkout not in known:
        layout.home.mkdir(parents=True, exist_ok=True)
        with path.open("a") as file:
            file.write(f"{layout.checkout}\n")
    return [other for other in known if other != layout.checkout and other.exists()]
