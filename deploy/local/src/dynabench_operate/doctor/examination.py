"""All checks in their order, and the report of their results."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict

from dynabench_operate.doctor import databases, events, machine, money, objects
from dynabench_operate.doctor.finding import Finding, State
from dynabench_operate.stores import Stores

MARKS = {State.OK: "ok     ", State.WARNING: "warning", State.FAILED: "FAILED "}


def examine(stores: Stores) -> Iterator[Finding]:
    """Yield every finding; an unavailable store fails its own checks alone."""
    for part in (machine, databases, money, events, objects):
        yield from part.findings(stores)


def as_json(findings: Sequence[Finding]) -> str:
    """Return the findings for programs."""
    counts = {str(state): sum(found.state is state for found in findings) for state in State}
    return json.dumps({"counts": counts, "findings": [asdict(found) for found in findings]}, indent=1)


def as_lines(findings: Sequence[Finding]) -> Iterator[str]:
    """Yield the findings for people: those that need attention come last, at the end of the terminal."""
    order = list(MARKS)
    for found in sorted(findings, key=lambda each: order.index(each.state)):
        yield f"{MARKS[found.state]}  {found.check}: {found.found}"
        if found.remedy:
            yield f"         {found.remedy}"
    counts = [sum(found.state is state for found in findings) for state in order]
    yield f"{len(findings)} checks: {counts[0]} ok, {counts[1]} warnings, {counts[2]} failed"
