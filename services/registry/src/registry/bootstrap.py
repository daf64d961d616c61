"""The one place that builds clients and the reconciler."""

import time
from collections.abc import Callable
from dataclasses import dataclass

from dynabench_common.authentication import Verifier, remote_verifier

from registry.adapters.declarations_on_disk import DeclarationsOnDisk
from registry.adapters.key_file import Keys
from registry.adapters.torchserve import TorchServe
from registry.service_layer.ports import ModelServer
from registry.service_layer.reconciler import Pauses, Reconciler
from registry.service_layer.worker_use import WorkerUse
from registry.settings import RegistrySettings


@dataclass(frozen=True)
class Dependencies:
    """Everything that a route may use."""

    reconciler: Reconciler
    use: WorkerUse
    verifier: Verifier

    def check_ready(self) -> None:
        """Raise RuntimeError until the first pass is over."""
        if self.reconciler.models is None:
            raise RuntimeError("the first look at the model server is not over yet")


def build_dependencies(
    settings: RegistrySettings,
    *,
    server: ModelServer | None = None,
    verifier: Verifier | None = None,
    monotonic: Callable[[], float] = time.monotonic,
) -> Dependencies:
    """Return what the process needs."""
    server = server or TorchServe(
        settings.torchserve_management_url,
        settings.torchserve_inference_url,
        Keys(settings.torchserve_key_file),
    )
    use = WorkerUse(monotonic)
    reconciler = Reconciler(
        server,
        DeclarationsOnDisk(settings.models_file, settings.model_store),
        use,
        Pauses(settings.pass_seconds, settings.busy_pass_seconds, settings.start_timeout_seconds),
        monotonic,
    )
    return Dependencies(
        reconciler=reconciler,
        use=use,
        verifier=verifier or remote_verifier(settings.jwks_url, settings.service_token),
    )
