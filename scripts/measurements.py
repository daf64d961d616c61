"""Write docs/measurements.md from the reports in docs/measurements.

`make bench`, `scale`, `faults`, `hostile`, `coverage` and `cluster` each write a report, `build/<command>.json`. Copy
those of one sitting to docs/measurements and run this script. A test keeps the page equal to the reports. Commands
without a report have their figures in `earlier.txt`, which was written by hand: remove them from there when a report
comes.
"""

import json
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

DOCS = Path(__file__).resolve().parents[1] / "docs"
PAGE = DOCS / "measurements.md"
REPORTS = DOCS / "measurements"
EARLIER = REPORTS / "earlier.txt"

SUBJECTS = {
    "bench": "Speed: a platform of its own, each part in turn. Ratios compare with a plain call of the same work.",
    "scale": "Reads of a round with 1,000,000 tries by 10,000 people, at rest and while people write.",
    "faults": "Kills and stops under a steady load of tries and votes, of imports, evaluations and submissions. "
    "“Refused” counts every call without success, also lost answers. The writers repeat them with the same "
    "`Idempotency-Key`.",
    "faults-space": "Full disks, on a platform of its own.",
    "hostile": "Archives that must be refused, and programs that crash, hang, fork, fill the memory or answer "
    "nonsense. A model of the platform answers meanwhile.",
    "coverage": "Simulated rounds: the share of intervals that hold the truth.",
    "cluster": "The chart on a Kubernetes of one node, with one of each process except in the last figure; requests "
    "come from a load during each change.",
}
"""The commands in the page's order, each with a description."""

INTRODUCTION = """# Measurements

`scripts/measurements.py` writes this page from the reports in [measurements](measurements). Each report is of one run
of one command. A limit for a time or a rate is scaled by the speed of the machine, which each run measures first. A
limit with × 1.2 is that of a machine 1.2 times slower than the reference. Trust ratios more than times: the machine was
a shared one."""

MOST_SHOWN = 300
"""Of a report with more figures, the page shows those with a limit."""


@dataclass(frozen=True)
class Report:
    """A report as its command wrote it."""

    name: str
    document: Mapping[str, Any]

    @property
    def figures(self) -> list[Mapping[str, Any]]:
        """Return the figures in their order."""
        return list(self.document["figures"])

    @property
    def command(self) -> str:
        """Return the command of the run; the names of chosen parts follow a hyphen in the report's name."""
        name, _, parts = self.name.partition("-")
        return f"make {name} PARTS={parts}" if parts else f"make {name}"

    @property
    def missed(self) -> list[Mapping[str, Any]]:
        """Return the figures beyond their limits."""
        return [figure for figure in self.figures if figure["holds"] is False]


def reports() -> list[Report]:
    """Return the committed reports."""
    paths = [REPORTS / f"{name}.json" for name in SUBJECTS]
    return [
        Report(path.stem, json.loads(path.read_text(encoding="utf-8"))) for path in paths if path.exists()
    ]


def figure(name: str, report: str = "bench") -> float:
    """Return the value of the report's figure with this name. Raises KeyError if there is none."""
    document = json.loads((REPORTS / f"{report}.json").read_text(encoding="utf-8"))
    return {str(each["name"]): float(each["value"]) for each in document["figures"]}[name]


def page(found: list[Report]) -> str:
    """Return the page in Markdown."""
    head = "| command | of | commit | figures | with a limit | missed |"
    lines = [INTRODUCTION, "", head, "|---|---|---|---|---|---|", *map(_row, found)]
    for report in found:
        lines += [
            "",
            f"## {report.command}",
            "",
            SUBJECTS[report.name],
            "",
            f"On {report.document['machine']}.",
        ]
        if report.missed:
            lines += ["", "Missed:", "", *_table(report.missed)]
        shown, which = report.figures, "All figures"
        if len(shown) > MOST_SHOWN:
            shown, which = [each for each in shown if each["bar"]], "Figures with a limit"
        lines += ["", f"<details><summary>{which}</summary>", "", *_table(shown), "", "</details>"]
    return "\n".join([*lines, "", EARLIER.read_text(encoding="utf-8")])


def _row(report: Report) -> str:
    limited = sum(each["holds"] is not None for each in report.figures)
    cells = [
        f"[`{report.command}`](#{report.command.lower().replace(' ', '-').replace('=', '')})",
        report.document["began"][:10],
        report.document["commit"],
    ]
    return f"| {' | '.join([*cells, str(len(report.figures)), str(limited), str(len(report.missed))])} |"


def _table(figures: list[Mapping[str, Any]]) -> Iterator[str]:
    yield "| figure | value | limit |"
    yield "|---|---:|---|"
    for each in figures:
        name = str(each["name"]).replace("|", "\\|")
        limit = f"{each['bar']}{'' if each['holds'] else ', missed'}" if each["bar"] else ""
        yield f"| {name} | {each['value']:,g} {each['unit']} | {limit} |"


def main() -> int:
    """Write the page."""
    PAGE.write_text(page(reports()), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
