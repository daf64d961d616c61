"""`make bench`: measure a platform of its own and write build/bench.json; exits with 1 if a figure misses its limit.

Names of parts select them: `make bench PARTS="imports pages"`.
"""

import sys
import time
from collections.abc import Sequence
from functools import partial
from pathlib import Path

import yaml
from dynabench_local.layout import checkout

from tests.bench import (
    assignments,
    boards,
    crowd,
    ensembles,
    evaluations,
    events,
    explanations,
    gateway,
    imports,
    models,
    operations,
    pages,
    relay,
    releases,
    second_runtime,
    slider,
    tries,
    validators,
)
from tests.bench.machine_speed import at_its_speed
from tests.figures import Figure, Report, at_most
from tests.own_platform import OwnPlatform, console, own_platform

PARTS = {
    part.__name__.rpartition(".")[2]: part
    for part in (
        gateway, tries, ensembles, assignments, explanations,
        relay, events, imports, operations, pages, boards, slider, validators, crowd, releases, evaluations, models,
        second_runtime,
    )
}  # fmt: skip
"""The measurements in their order."""


def second_start(platform: OwnPlatform) -> Figure:
    """Stop the platform and time its start until the targets predict."""
    platform.stack.down()
    began = time.monotonic()
    platform.stack.up()
    platform.stack.wait_for_targets()
    return at_most("second start until all targets predict", time.monotonic() - began, "s", 45)


def main(wanted: Sequence[str]) -> int:
    """Run the named measurements, or all.

    Return 1 if a figure misses its limit or a part fails, 2 for an unknown name.
    """
    if unknown := set(wanted) - set(PARTS):
        console.print(f"no such part: {', '.join(sorted(unknown))}. There are {', '.join(PARTS)}.")
        return 2
    report = Report(" ".join(["make bench", *wanted]), Path(f"build/{'-'.join(['bench', *wanted])}.json"))
    shipped = yaml.safe_load((checkout() / "model-archives" / "models.yaml").read_text())["models"]
    first = next(entry for entry in shipped if entry["name"] == ensembles.TARGETS[0])
    with own_platform([*ensembles.copies_of(first), gateway.batching_copy_of(first)]) as platform:
        if not wanted:
            report.add(at_its_speed(lambda: [second_start(platform)]))
        failed = [name for name in wanted or PARTS if not _is_measured(name, platform, report)]
    missed = report.end()
    for name in failed:
        console.print(f"{name} could not be measured: its error is above")
    return 1 if failed else missed


def _is_measured(name: str, platform: OwnPlatform, report: Report) -> bool:
    """Measure a part and report it; print its error if it fails, so that the other parts are measured."""
    console.print(f"measuring {name}")
    try:
        report.add(at_its_speed(partial(PARTS[name].figures, platform)))
    except Exception:  # whatever it is, the figures of the other parts are still wanted
        console.print_exception()
        return False
    return True


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
