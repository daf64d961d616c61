"""Sizes of windows, and what axe-core finds in one."""

from pathlib import Path

from playwright.sync_api import Page, ViewportSize

AXE = Path(__file__).parents[1] / "node_modules" / "axe-core" / "axe.min.js"
PHONE: ViewportSize = {"width": 390, "height": 844}
DESK: ViewportSize = {"width": 1280, "height": 900}


def violations(page: Page) -> list[str]:
    """Return what axe-core finds wrong."""
    page.evaluate(AXE.read_text())
    found: list[str] = page.evaluate(
        "axe.run().then(r => r.violations.map(v => `${v.id}: ${v.nodes.map(n => n.target.join(' ')).join(', ')}`))"
    )
    return found
