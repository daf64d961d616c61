"""Archives with code: each in a TorchServe of its own, behind walls; see `0001-one-sandbox-per-archive.md`."""

from registry.sandbox.isolation import Isolation
from registry.sandbox.limits import SandboxLimits, SandboxPlaces
from registry.sandbox.sandboxes import Sandboxes

__all__ = ["Isolation", "SandboxLimits", "SandboxPlaces", "Sandboxes"]
