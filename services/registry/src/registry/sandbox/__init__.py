"""Sandboxes: an isolated TorchServe for each archive with code; see `0001-one-sandbox-per-archive.md`."""

from registry.sandbox.bubblewrap import Bubblewrap
from registry.sandbox.cluster_client import ClusterPods
from registry.sandbox.isolation import Isolation
from registry.sandbox.limits import SandboxLimits, SandboxPlaces
from registry.sandbox.pods import PodWalls
from registry.sandbox.sandboxes import Sandboxes

__all__ = [
    "Bubblewrap",
    "ClusterPods",
    "Isolation",
    "PodWalls",
    "SandboxLimits",
    "SandboxPlaces",
    "Sandboxes",
]
