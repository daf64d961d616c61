"""Options for an operator: processes as roles that change no table, and TLS between the pods."""

import json
import tempfile
import time
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric import rsa
from dynabench_client import Dynabench
from dynabench_local.postgres import OWNERS, running_role

from tests.authorities import Authority
from tests.cluster.load import Load
from tests.cluster.release import FULL_NAME, NAMESPACE, Release, faces, processes
from tests.cluster.stages import held
from tests.figures import Figure, at_least, at_most, plain
from tests.played_try import opened_round, play

SECRET = "internal-tls"
SIGNED_IN = (
    "SELECT DISTINCT usename FROM pg_stat_activity WHERE usename IS NOT NULL AND usename <> 'postgres'"
)
ASK_PLAINLY = """
import sys, urllib.request
answered = 0
for address in sys.argv[1:]:
    try:
        with urllib.request.urlopen(address, timeout=5):
            answered += 1
    except OSError:
        pass
print(answered)
"""


def with_running_roles(release: Release, load: Load) -> list[Figure]:
    """Let processes sign in as roles that change no table, under load; no request may fail."""
    load.count()
    release.keep("--set", "postgresql.runningRoles=true")
    release.helm("upgrade")
    asked = f'psql "postgresql://postgres:$POSTGRES_PASSWORD@127.0.0.1/postgres" -Atc "{SIGNED_IN}"'
    owners = set(OWNERS)
    found: set[str] = set()
    for _ in range(30):  # the old pods end a little later
        found = set(
            release.kubectl("exec", f"statefulset/{FULL_NAME}-postgres", "--", "sh", "-c", asked).split()
        )
        if not found & owners:
            break
        time.sleep(2)
    roles = {running_role(service) for service in OWNERS}
    return [
        *held("turn to roles that change no table", load.count()),
        at_least(f"services signed in as those roles, of {len(roles)}", len(found & roles), "", len(roles)),
        at_most("owners signed in besides", len(found & owners), "", 0),
    ]


def over_tls(release: Release, admin: Dynabench) -> list[Figure]:
    """Switch TLS on, play tries on it, and ask every Service without it. Calls may fail while pods are replaced."""
    listening = [name for name in processes() if faces(name) == "http"]
    services = [name.removesuffix("-http") for name in listening]
    hosts = [f"{FULL_NAME}-{name}" for name in (*services, "agent", "torchserve")]
    release.kubectl("apply", "-f", "-", given=_secret(hosts))
    release.keep("--set", f"tls.enabled=true,tls.existingSecret={SECRET}")
    began = time.monotonic()
    release.helm("upgrade")
    took = time.monotonic() - began
    play(admin, opened_round(admin))
    release.test()
    addresses = [f"http://{FULL_NAME}-{service}:8000/healthz/ready" for service in services]
    asked = ("exec", f"deploy/{FULL_NAME}-web-http", "--", "python", "-c", ASK_PLAINLY, *addresses)
    return [
        plain("helm upgrade that switches TLS on", took, "s"),
        at_most(
            f"Services that answer without TLS, of {len(addresses)}", int(release.kubectl(*asked)), "", 0
        ),
    ]


def _secret(hosts: list[str]) -> str:
    """Return a Secret of one certificate for all hosts; its key is RSA, since TorchServe reads no other."""
    authority = Authority("internal")
    with tempfile.TemporaryDirectory() as folder:
        key = rsa.generate_private_key(public_exponent=65_537, key_size=2_048)
        files = [*authority.sign(Path(folder), *hosts, key=key), authority.write(Path(folder) / "ca.crt")]
        held_in = {path.name: path.read_text() for path in files}
    document = {
        "apiVersion": "v1",
        "kind": "Secret",
        "type": "kubernetes.io/tls",
        "metadata": {"name": SECRET, "namespace": NAMESPACE},
        "stringData": held_in,
    }
    return json.dumps(document)
