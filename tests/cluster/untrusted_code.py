"""An archive with code: refused while network policies are not enforced, then served in a pod that reaches nothing.

Its handler follows its input: it inspects its pod, tries addresses, and exceeds its limits.
"""

import json
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from dynabench_client import Dynabench, ProblemError, UnreachableError
from dynabench_client.archive_upload import ArchiveFile, ArchiveUpload
from dynabench_client.retries import NO_RETRIES
from dynabench_local.layout import checkout

from tests.cluster.configuration import API_PORT, NODE
from tests.cluster.policies import enforced
from tests.cluster.release import FULL_NAME, NAMESPACE, Release
from tests.figures import Figure, at_least, at_most, plain
from tests.hostile_archives import LABELS, packed, with_code
from tests.hostile_handlers import handler
from tests.played_try import ADMIN, patiently, say

SANDBOXES = f"{NAMESPACE}-{FULL_NAME}-sandboxes"
AGENT = f"{FULL_NAME}-serving-0"
NAME = "stranger"
REACH = """
def reach(targets):
    import socket, struct, threading
    reached = []
    query = struct.pack(">6H", 7, 256, 1, 0, 0, 0) + b"\\x07example\\x03com\\x00\\x00\\x01\\x00\\x01"
    def ask(kind, host, port):
        try:
            if kind == "tcp":
                socket.create_connection((host, port), timeout=3).close()
            else:
                with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asked:
                    asked.settimeout(3)
                    asked.sendto(query, (host, port))
                    asked.recv(512)
            reached.append([kind, host, port])
        except OSError:
            pass
    threads = [threading.Thread(target=ask, args=each) for each in targets]
    for each in threads: each.start()
    for each in threads: each.join()
    return reached
"""
AT_CALL = """
if instance["text"].startswith("{"):
    import json, sandbox_canary
    plan = json.loads(instance["text"])
    found = reach(plan["targets"]) if "targets" in plan else sandbox_canary.DEEDS[plan["do"]](plan)
    print("found", found, flush=True)
    share = min(len(found), MOST) / MOST
    return {"label": LABELS[2 if share > 0.5 else 0], "probabilities": dict(zip(LABELS, (1 - share, 0.0, share)))}
"""
CANARY = checkout() / "services" / "model_agent" / "tests" / "integration" / "sandbox_canary.py"
MOST = 100
"""Denominator of the reported findings: the answer can only be a share."""
DISK_BYTES = 1536 << 20
TOKEN = "/var/run/secrets/kubernetes.io/serviceaccount/token"
Target = tuple[str, str, int]


def isolated(release: Release, admin: Dynabench, password: str) -> list[Figure]:
    """Submit such an archive; see it refused, served, ended for exceeding its limits, and its agent restarted."""
    submission_id = _uploaded(release, admin)
    output = patiently("the agent, begun anew, has tried its sandboxes", lambda: _tried(release))
    targets = _targets(release)
    from_elsewhere = _reached_from_a_service(release, targets)
    figures = [
        at_least(
            "agents that refuse code while nobody enforces policies, of 1",
            int("network is open" in output),
            "",
            1,
        ),
        at_least(
            f"addresses that a service's pod reaches then, of {len(targets)}",
            from_elsewhere,
            "",
            len(targets),
        ),
    ]
    with enforced(release.node):
        release.kubectl("delete", "pod", AGENT)  # so that an earlier trial does not count
        release.kubectl("rollout", "status", f"statefulset/{FULL_NAME}-serving", "--timeout=300s")
        name, seconds = _deployed(admin, submission_id)
        figures.append(plain("archive with code, approved to deployed", seconds, "s"))
        figures += _looked(release, admin, name)
        once = Dynabench(release.edge(), user_name=ADMIN, password=password, retries=NO_RETRIES)
        harms: dict[str, Callable[[], object]] = {
            "it took too much memory": lambda: _call(once, name, do="hog"),
            "it forked without end": lambda: _call(once, name, do="fork"),
            "it ended every process that it could": lambda: _call(once, name, do="kill"),
            "its agent's pod was deleted": lambda: release.kubectl("delete", "pod", AGENT),
        }
        for what, harm in harms.items():
            figures.append(
                plain(f"another pod answers after {what}", _after(release, admin, name, harm), "s")
            )
        before = _pods(release)
    began = time.monotonic()
    patiently("its pod ends by itself", lambda: None if _pods(release) & before else True)
    figures.append(
        plain("its pod is gone after nobody enforced policies any more", time.monotonic() - began, "s")
    )
    admin.registry.retire_model(submission_id, "It was a test.")
    patiently("no pod is left", lambda: None if _pods(release) else True)
    return figures


def _tried(release: Release) -> str | None:
    """Return the log of the agent's trial; None while it runs."""
    lines = release.kubectl("logs", AGENT, "-c", "agent", check=False).splitlines()
    return next((line for line in lines if "sandboxes_tried" in line), None)


def _looked(release: Release, admin: Dynabench, name: str) -> list[Figure]:
    """Have the archive inspect its pod, and try addresses and its disk."""
    targets = _targets(release)  # the agent's pod has another address since it was deleted
    secret = next(host for _, host, port in targets if port == 443)
    nothing: dict[str, list[str]] = {"folders": [], "ports": [], "hosts": [], "outside": [], "sockets": []}
    around = {"do": "look", "secret": secret, "files": [TOKEN], "process": 999_999, **nothing}
    figures = [
        at_most(
            f"addresses that its pod reaches, of {len(targets)}", _call(admin, name, targets=targets), "", 0
        ),
        at_most("things that it finds or may do besides", _call(admin, name, **around), "", 0),
        at_most(
            "places that take as much as its disk is to hold",
            _call(admin, name, do="fill", most=DISK_BYTES),
            "",
            0,
        ),
    ]
    for pod in _pods(release):
        output = release.node.kubectl("--namespace", SANDBOXES, "logs", pod).splitlines()
        say("\n".join(line for line in output if "found [" in line))
    return figures


def _call(admin: Dynabench, name: str, **plan: object) -> int:
    """Have the archive do something; return how much it found."""
    answer = admin.gateway.predict(name, [{"text": json.dumps(plan)}])
    return round(answer.predictions[0].probabilities[LABELS[2]] * MOST)


def _targets(release: Release) -> list[Target]:
    """Return the targets of an attacker, as kind, address and port."""
    services = {
        each["metadata"]["name"].removeprefix(f"{FULL_NAME}-"): each["spec"]
        for each in json.loads(release.kubectl("get", "services", "-o", "json"))["items"]
    }
    interface = release.node.kubectl("get", "service", "kubernetes", "-o", "jsonpath={.spec.clusterIP}")
    agent = release.kubectl("get", "pod", AGENT, "-o", "jsonpath={.status.podIP}")
    named = ("gateway", "accounts", "registry", "agent", "postgres", "kafka", "s3", "edge")
    return [
        ("tcp", interface, 443),
        ("tcp", NODE, API_PORT),
        ("tcp", NODE, 10250),
        ("tcp", agent, 8000),
        ("tcp", agent, 8085),
        *(("tcp", services[name]["clusterIP"], services[name]["ports"][0]["port"]) for name in named),
        ("udp", NODE, 53),
    ]


def _reached_from_a_service(release: Release, targets: list[Target]) -> int:
    program = f"import json, sys\n{REACH}\nprint(len(reach(json.loads(sys.argv[1]))))"
    where = ("exec", f"deploy/{FULL_NAME}-web-http", "-c", "web-http", "--", "python", "-c", program)
    return int(release.kubectl(*where, json.dumps(targets)))


def _uploaded(release: Release, admin: Dynabench) -> str:
    """Submit the archive; return its id once it waits for an owner's decision."""
    objects = release.kubectl("get", "service", f"{FULL_NAME}-s3", "-o", "jsonpath={.spec.clusterIP}")
    release.keep("--set", f"objectStore.publicEndpointUrl=http://{objects}:8333")
    release.helm("upgrade")
    area = admin.registry
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "archive.mar"
        program = f"{handler(at_call=AT_CALL)}\n{REACH}\nMOST = {MOST}\n"
        path.write_bytes(packed(with_code(program, **{CANARY.name: CANARY.read_bytes()})))
        file = ArchiveFile.read(path, lambda _: None)
        begun = area.submit("sentiment", NAME, path.name, file.size, digest=file.digest).submission
        ArchiveUpload(area, file).send(begun, lambda _: None)
    found = begun.submission_id
    patiently("the archive waits for a decision", lambda: area.submission(found).state == "waiting" or None)
    return found


def _deployed(admin: Dynabench, submission_id: str) -> tuple[str, float]:
    """Approve the code; return the model's name once it is deployed, and the seconds."""
    began = time.monotonic()
    area = admin.registry
    area.decide_on_submission(submission_id, approve=True, reason="It is looked at in a test.")
    patiently("the archive is checked", lambda: None if area.submission(submission_id).is_moving else True)
    found = area.submission(submission_id)
    if found.state != "deployed" or found.serving_name is None:
        failed = found.failed_step
        raise AssertionError(f"it is {found.state}: {failed and (failed.step, failed.reason)}")
    return found.serving_name, time.monotonic() - began


def _after(release: Release, admin: Dynabench, name: str, harm: Callable[[], object]) -> float:
    """Do harm, and return the seconds until another pod answers."""
    before = _pods(release)
    began = time.monotonic()
    with suppress(ProblemError, UnreachableError):
        harm()

    def answers() -> bool | None:
        if not _pods(release) - before:
            return None
        found = admin.gateway.predict(name, [{"text": "The bread was wonderful."}], wait_seconds=10)
        return True if found.predictions[0].label else None

    patiently("another pod answers", answers)
    return time.monotonic() - began


def _pods(release: Release) -> set[str]:
    """Return the names of the sandboxes' pods."""
    listed = release.node.kubectl("--namespace", SANDBOXES, "get", "pods", "-o", "name")
    return set(listed.split())
