"""`make bench`: measure a platform of its own and write build/bench.json; exits with 1 where a bar falls."""

import sys
import time
from pathlib import Path

import yaml
from dynabench_local.layout import checkout

from tests.bench import (
    assignments,
    ensembles,
    events,
    explanations,
    gateway,
    imports,
    pages,
    relay,
    releases,
    tries,
    validators,
)
from tests.figures import Figure, at_most, publish
from tests.own_platform import OwnPlatform, console, own_platform


def second_start(platform: OwnPlatform) -> Figure:
    """Stop the platform and time its start until the targets predict."""
    platform.stack.down()
    began = time.monotonic()
    platform.stack.up()
    platform.stack.wait_for_targets()
    return at_most("second start until all targets predict", time.monotonic() - began, "s", 45)


def main() -> int:
    """Run every measurement; return 1 if a bar falls."""
    found: list[Figure] = []
    shipped = yaml.safe_load((checkout() / "model-archives" / "models.yaml").read_text())["models"]
    first = next(entry for entry in shipped if entry["name"] == ensembles.TARGETS[0])
    with own_platform(ensembles.copies_of(first)) as platform:
        found.append(second_start(platform))
        for part in (
            gateway, tries, ensembles, assignments, explanations, relay, events, imports, pages, validators,
            releases,
        ):  # fmt: skip
            console.print(f"measuring {part.__name__.rpartition('.')[2]}")
            found += part.figures(platform)
    publish(found, Path("build/bench.json"), "make bench")
    return 1 if any(figure.holds is False for figure in found) else 0


if __name__ == "__main__":
    sys.exit(main())
