"""The collaborators of the agent's HTTP interface, and the one place that builds them."""

import json
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from dynabench_archives.model_servers import Pool

from model_agent.building.builds import Builds, unpack
from model_agent.building.enclosure import Enclosure
from model_agent.building.packaging import BuildLimits, Packaging
from model_agent.objects import ArchiveObjects
from model_agent.pools import ModelServer, Pools
from model_agent.sandbox import Bubblewrap, ClusterPods, PodBackend, Sandboxes, SandboxLimits, SandboxPlaces
from model_agent.settings import AgentSettings
from model_agent.store import ArchiveStore
from model_agent.torchserve import Keys, TorchServe

POD_START_SECONDS = 300.0
NAMES_PORT = 53


@dataclass(frozen=True)
class Dependencies:
    """Collaborators of the agent."""

    pools: Pools
    store: ArchiveStore
    builds: Builds
    last_lines: Callable[[str], Sequence[str]]
    forget_said: Callable[[str], None] = lambda _name: None


def build_dependencies(settings: AgentSettings) -> Dependencies:
    """Return the agent's dependencies; begins to wait for builds."""
    objects = ArchiveObjects(settings)
    sandboxes = _sandboxes(settings)
    pools = Pools({Pool.SHARED: _shared(settings), Pool.SANDBOXED: sandboxes})
    store = ArchiveStore(settings.model_store, objects, settings.store_bytes, pools.files_in_use)
    sources = tuple(Path(folder) for folder in settings.packaging_sources.split(os.pathsep))
    limits = BuildLimits(settings.build_seconds, settings.build_memory_bytes, settings.build_file_bytes)
    packaging = Packaging(
        settings.serving_python, sources, Enclosure(settings.serving_python, sources), limits
    )
    largest, at_once = settings.largest_archive_bytes, settings.builds
    builds = Builds(objects, store, packaging, unpack, settings.build_folder, largest, at_once)
    return Dependencies(pools, store, builds, _said(sandboxes), _forget_said(sandboxes))


def _said(sandboxes: Sandboxes | str) -> Callable[[str], Sequence[str]]:
    return (lambda _: ()) if isinstance(sandboxes, str) else sandboxes.last_lines


def _forget_said(sandboxes: Sandboxes | str) -> Callable[[str], None]:
    return (lambda _: None) if isinstance(sandboxes, str) else sandboxes.forget_said


def _shared(settings: AgentSettings) -> ModelServer:
    return TorchServe(
        settings.torchserve_management_url,
        settings.torchserve_inference_url,
        Keys(settings.torchserve_key_file),
    )


def _sandboxes(settings: AgentSettings) -> Sandboxes | str:
    """Return the sandboxes, or why archives with code can't be isolated here."""
    if settings.sandbox_pod_file is not None:
        return _in_pods(settings, settings.sandbox_pod_file)
    if settings.sandbox_folder is None or settings.java_home is None:
        return "SANDBOX_FOLDER and JAVA_HOME, or SANDBOX_POD_FILE, are not set"
    places = SandboxPlaces(
        store=settings.model_store,
        folder=settings.sandbox_folder,
        serving_python=settings.serving_python,
        java_home=settings.java_home,
        control_group=settings.sandbox_control_group,
    )
    limits = SandboxLimits(most_at_once=settings.sandboxes, disk_bytes=settings.sandbox_disk_bytes)
    try:
        found = Sandboxes(Bubblewrap(places, limits))
    except (OSError, ValueError) as err:
        return str(err)
    problem = found.can_isolate()
    if problem is not None:
        found.close()
        return problem
    return found


def _in_pods(settings: AgentSettings, file: Path) -> Sandboxes | str:
    if settings.pod_ip is None or settings.kubernetes_service_host is None:
        return "POD_IP and KUBERNETES_SERVICE_HOST are not set"
    limits = SandboxLimits(
        most_at_once=settings.sandboxes,
        disk_bytes=settings.sandbox_disk_bytes,
        start_seconds=POD_START_SECONDS,
    )
    interface = (settings.kubernetes_service_host, settings.kubernetes_service_port)
    own = (settings.pod_ip, int(settings.http_bind.rpartition(":")[2]))
    forbidden = [own, interface, *((server, NAMES_PORT) for server in name_servers())]
    try:
        template = json.loads(file.read_text(encoding="utf-8"))
        pods = ClusterPods(*interface, namespace=template["metadata"]["namespace"])
        return Sandboxes(PodBackend(pods, template, settings.model_store, forbidden, limits))
    except (OSError, ValueError, KeyError, TypeError) as err:
        return f"{file} is no template of a pod that can be used here: {err!r}"


def name_servers(file: Path = Path("/etc/resolv.conf")) -> list[str]:
    """Return the addresses of this process's name servers."""
    lines = [line.split() for line in file.read_text(encoding="utf-8").splitlines()]
    return [words[1] for words in lines if words[:1] == ["nameserver"] and len(words) > 1]
