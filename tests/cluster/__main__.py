"""Install the chart on a real Kubernetes of one node and try it there: `python -m tests.cluster`.

Writes build/cluster.json. Says what is missing and ends with 0 where the cluster can't run. Everything it started is
gone afterwards.
"""

import subprocess
import sys
import time
from pathlib import Path

from dynabench_local.layout import checkout

from tests.cluster import arrows, hardened, stages, strangers
from tests.cluster.load import Load
from tests.cluster.missing import Missing, lacks
from tests.cluster.node import Node, running
from tests.cluster.programs import built
from tests.cluster.release import IMAGES, Release, image_names
from tests.figures import Figure, at_most, plain, publish
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
        figures: list[Figure] = []
        with running(programs) as node:
            _try_all(node, docker, figures)
    except Missing as err:
        say(f"SKIPPED: no Kubernetes was tried. Missing here: {err}.")
        return 0
    return 0 if all(figure.holds is not False for figure in figures) else 1


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


def _try_all(node: Node, docker: str, figures: list[Figure]) -> None:
    """Try one stage after the other; what was measured is written in any case."""
    try:
        figures.append(plain("node ready", node.wait_until_ready(), "s"))
        release = Release(node, image_names(IMAGES.read_text().splitlines()))
        figures.append(plain("images taken in", _take_in(node, docker), "s"))
        release.prepare()
        try:
            _try_release(release, figures)
        except BaseException:
            release.tell()
            raise
    finally:
        publish(figures, checkout() / "build" / "cluster.json", "The chart on a Kubernetes of one node")


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


def _try_release(release: Release, figures: list[Figure]) -> None:
    began = time.monotonic()
    release.helm("install")
    figures.append(plain("helm install --wait", time.monotonic() - began, "s"))
    with release.forwarded():
        password = administrator(release)
        round_id = stages.first_verdict(release, signed_in(release.url, password))
    figures.append(
        at_most("helm install to first verdict", time.monotonic() - began, "s", FIRST_VERDICT_SECONDS)
    )
    release.test()
    say(f"first verdict {figures[-1].value:.0f} s after helm install; helm test passed")
    edge = release.edge()
    with Load(edge, password, round_id).running() as load:
        figures += stages.rolled(release, load)
        figures += stages.upgraded(release, load, NEXT)
        figures += stages.failed_upgrade(release, load, FAILING)
        figures += hardened.with_running_roles(release, load)
    admin = signed_in(edge, password)
    figures += hardened.over_tls(release, admin)
    figures += arrows.with_policies(release, admin)
    figures += strangers.walled(release, admin, password)
    figures += stages.with_copies(release, admin)


if __name__ == "__main__":
    sys.exit(main())
