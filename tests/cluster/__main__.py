"""Install the chart on a real Kubernetes of one node and test it: `python -m tests.cluster`.

Writes build/cluster.json. Prints the missing requirements and exits with 0 if the cluster can't run. It removes
everything that it started.
"""

import subprocess
import sys
import time
from pathlib import Path

from dynabench_local.layout import checkout

from tests.cluster import arrows, hardened, stages, untrusted_code
from tests.cluster.load import Load
from tests.cluster.missing import Missing, lacks
from tests.cluster.node import Node, running
from tests.cluster.programs import built
from tests.cluster.release import IMAGES, Release, image_names
from tests.figures import Report, at_most, plain
from tests.played_try import administrator, say, signed_in

NEXT, FAILING = "next", "failing"
FIRST_VERDICT_SECONDS = 180
BROKEN = Path(__file__).with_name("failing.Dockerfile")


def main() -> int:
    """Try everything; return the exit status."""
    try:
        docker = _docker()
        if missing := lacks():
            raise Missing("; ".join(missing))
        programs = built()
        report = Report("make cluster", checkout() / "build" / "cluster.json")
        with running(programs) as node:
            _try_all(node, docker, report)
    except Missing as err:
        say(f"SKIPPED: no Kubernetes was tried. Missing here: {err}.")
        return 0
    return report.end()


def _docker() -> str:
    """Return the client of an engine that holds the images. Raises Missing."""
    for docker in ("/usr/bin/docker", "docker"):
        command = [docker, "image", "inspect", "dynabench/services:local"]
        try:
            if IMAGES.exists() and subprocess.run(command, capture_output=True, check=False).returncode == 0:
                return docker
        except OSError:
            continue
    raise Missing("the images, or the Docker engine that holds them: make images")


def _try_all(node: Node, docker: str, report: Report) -> None:
    """Try one stage after the other."""
    report.add([plain("node ready", node.wait_until_ready(), "s")])
    release = Release(node, image_names(IMAGES.read_text().splitlines()))
    report.add([plain("images taken in", _take_in(node, docker), "s")])
    release.prepare()
    try:
        _try_release(release, report)
    except BaseException:
        release.print_state()
        raise


def _take_in(node: Node, docker: str) -> float:
    began = time.monotonic()
    images = image_names(IMAGES.read_text().splitlines())
    broken = f"{images['SERVICES_IMAGE'].rpartition(':')[0]}:{FAILING}"
    build = [
        docker,
        "build",
        "--quiet",
        f"--build-arg=SERVICES={images['SERVICES_IMAGE']}",
        "--tag",
        broken,
        "-",
    ]
    with BROKEN.open("rb") as file:
        subprocess.run(build, stdin=file, check=True, stdout=subprocess.DEVNULL)
    node.take_in_pause()
    node.take_in_images(docker, sorted({*images.values(), broken}))
    node.tagged(images["SERVICES_IMAGE"], f"{images['SERVICES_IMAGE'].rpartition(':')[0]}:{NEXT}")
    return time.monotonic() - began


def _try_release(release: Release, report: Report) -> None:
    began = time.monotonic()
    release.helm("install")
    report.add([plain("helm install --wait", time.monotonic() - began, "s")])
    with release.forwarded():
        password = administrator(release)
        round_id = stages.first_verdict(release, signed_in(release.url, password))
    to_verdict = time.monotonic() - began
    report.add([at_most("helm install to first verdict", to_verdict, "s", FIRST_VERDICT_SECONDS)])
    release.test()
    say(f"first verdict {to_verdict:.0f} s after helm install; helm test passed")
    edge = release.edge()
    with Load(edge, password, round_id).running() as load:
        report.add(stages.rolled(release, load))
        report.add(stages.upgraded(release, load, NEXT))
        report.add(stages.failed_upgrade(release, load, FAILING))
        report.add(hardened.with_running_roles(release, load))
    admin = signed_in(edge, password)
    report.add(hardened.over_tls(release, admin))
    report.add(arrows.with_policies(release, admin))
    report.add(untrusted_code.isolated(release, admin, password))
    report.add(stages.with_copies(release, admin))


if __name__ == "__main__":
    sys.exit(main())
