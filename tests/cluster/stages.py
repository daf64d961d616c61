"""Trials on the installed platform, each with its figures."""

import subprocess
import time

from dynabench_client import Dynabench

from tests.cluster.load import Count, Load
from tests.cluster.release import FULL_NAME, RELEASE, Release, faces, processes
from tests.figures import Figure, at_least, at_most, plain
from tests.played_try import make_task, opened_round, play, say, submit

ROLL_SECONDS = 300
FAILING_SECONDS = 180
REPLICAS = 3


def rolled(release: Release, load: Load) -> list[Figure]:
    """Restart every Deployment, one after the other; no request may fail."""
    figures = []
    for name in release.deployments():
        load.count()
        release.kubectl("rollout", "restart", f"deployment/{name}")
        release.kubectl("rollout", "status", f"deployment/{name}", f"--timeout={ROLL_SECONDS}s")
        _until_gone(release, name)
        figures += held(f"rolling restart of {name.removeprefix(FULL_NAME + '-')}", load.count())
    return figures


def upgraded(release: Release, load: Load, tag: str) -> list[Figure]:
    """Upgrade to another version of the image under load; no request may fail."""
    load.count()
    began = time.monotonic()
    release.keep("--set", f"images.services.tag={tag}")
    release.helm("upgrade")
    took = time.monotonic() - began
    images = release.kubectl(
        "get", "deployments", "-o", "jsonpath={.items[*].spec.template.spec.containers[0].image}"
    )
    on_tag = sum(image.endswith(f":{tag}") for image in images.split())
    return [
        *held("helm upgrade", load.count()),
        plain("helm upgrade", took, "s"),
        at_least("processes on the new version after helm upgrade", on_tag, "", len(processes())),
    ]


def failed_upgrade(release: Release, load: Load, tag: str) -> list[Figure]:
    """Upgrade to a version whose migrations fail: the upgrade fails, the old pods serve, a rollback mends it."""
    load.count()
    refused = 0
    try:
        release.helm("upgrade", "--set", f"images.services.tag={tag}", f"--timeout={FAILING_SECONDS}s")
    except subprocess.CalledProcessError:
        refused = 1
    state = release.node.helm("history", RELEASE, "--namespace", release.namespace, "--max=1")
    seen = refused * ("failed" in state)
    figures = [
        at_least("upgrades with a failing migration that Helm calls failed, of 1", seen, "", 1),
        *held("upgrade with a failing migration", load.count()),
    ]
    began = time.monotonic()
    release.node.helm(
        "rollback", RELEASE, "--namespace", release.namespace, "--wait", f"--timeout={ROLL_SECONDS}s"
    )
    return [
        *figures,
        *held("helm rollback", load.count()),
        plain("helm rollback", time.monotonic() - began, "s"),
    ]


def with_copies(release: Release, admin: Dynabench) -> list[Figure]:
    """Run three copies of every process that listens, and play tries again."""
    listening = [name for name in processes() if faces(name) == "http"]
    options = [part for name in listening for part in ("--set", f"processes.{name}.replicas={REPLICAS}")]
    release.helm("upgrade", *options)
    ready = release.kubectl("get", "deployments", "-o", "jsonpath={.items[*].status.readyReplicas}")
    play(admin, opened_round(admin))
    release.test()
    wanted = len(listening) * REPLICAS + len(processes()) - len(listening) + 1
    return [
        at_least(
            "pods ready with three of each process that listens", sum(map(int, ready.split())), "", wanted
        )
    ]


def first_verdict(release: Release, admin: Dynabench) -> str:
    """Play the first tries; return the round's id."""
    make_task(admin)
    round_id = opened_round(admin)
    submit(admin, round_id)
    say("the first verdicts are there")
    return round_id


def _until_gone(release: Release, name: str) -> None:
    """Wait until the pods that were replaced have ended, since they are to end without losing a request."""
    component = name.removeprefix(f"{FULL_NAME}-")
    chosen = f"--selector=app.kubernetes.io/component={component}"
    until = time.monotonic() + ROLL_SECONDS
    while time.monotonic() < until:
        listed = release.kubectl(
            "get", "pods", chosen, "-o", "jsonpath={.items[*].metadata.deletionTimestamp}"
        )
        if not listed.strip():
            return
        time.sleep(1)


def held(what: str, count: Count) -> list[Figure]:
    """Return the number of failed requests, and print some of them."""
    for failed in count.failed[:5]:
        say(f"{what}: {failed}")
    return [at_most(f"{what}: failed requests of {count.sent}", len(count.failed), "", 0)]
