"""Sandboxes: an isolated TorchServe for each archive with code; see `0001-one-sandbox-per-archive.md`."""

from model_agent.sandbox.bubblewrap import Bubblewrap
from model_agent.sandbox.cluster_client import ClusterPods
from model_agent.sandbox.isolation import Isolation
from model_agent.sandbox.limits import SandboxLimits, SandboxPlaces
from model_agent.sandbox.pods import PodBackend
from model_agent.sandbox.sandboxes import Sandboxes

__all__ = [
    "Bubblewrap",
    "ClusterPods",
    "Isolation",
    "PodBackend",
    "SandboxLimits",
    "SandboxPlaces",
    "Sandboxes",
]
