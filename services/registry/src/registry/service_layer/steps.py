"""Execution of a plan's steps, one by one; the record of the registration keeps each result."""

from collections.abc import Callable, Mapping

from dynabench_archives.model_servers import Registration
from dynabench_common.telemetry.logging import get_logger

from registry.domain.errors import ArchiveOnItsWay, ModelServerRefused, PoolAbsent
from registry.domain.plan import Action, GiveUp, Probe, Register, Scale, Unregister
from registry.domain.registration_records import PROBES_UNTIL_FAILED, RegistrationRecord
from registry.service_layer.ports import ModelServer

log = get_logger(__name__)


class Steps:
    """Takes steps at one model server."""

    def __init__(
        self, server: ModelServer, records: Mapping[str, RegistrationRecord], monotonic: Callable[[], float]
    ) -> None:
        self._server = server
        self._records = records
        self._monotonic = monotonic

    def take(self, action: Action) -> None:
        """Take a step; one that is refused is logged. Raises ModelServerAway, PoolAbsent."""
        try:
            match action:
                case Register(wanted):
                    self._register(wanted)
                case Unregister(name, why):
                    log.info("model_unregistered", serving_name=name, why=why)
                    self._server.unregister(name)
                case Scale(name, workers):
                    log.info("model_scaled", serving_name=name, workers=workers)
                    self._server.scale(name, workers)
                case Probe(wanted):
                    self._probe(wanted)
                case GiveUp(name, why):
                    self._fail(name, why)
                    self._server.unregister(name)
        except PoolAbsent:
            raise
        except ModelServerRefused as err:
            log.warning("model_server_refused", action=type(action).__name__, reason=str(err))

    def _register(self, wanted: Registration) -> None:
        if wanted.archive is None:
            return
        record = self._records[wanted.serving_name]
        try:
            self._server.register(wanted)
        except ArchiveOnItsWay as err:
            record.reason = str(err)
        except PoolAbsent:
            raise
        except ModelServerRefused as err:
            self._fail(wanted.serving_name, str(err))
        else:
            log.info("model_registered", serving_name=wanted.serving_name, archive=wanted.archive.file)
            record.began(wanted.archive.sha256, self._monotonic())

    def _probe(self, wanted: Registration) -> None:
        record = self._records[wanted.serving_name]
        archive = wanted.archive
        if archive is None:
            return
        try:
            digests = self._server.probe(wanted)
        except ModelServerRefused as err:
            record.failed_probes += 1
            record.reason = f"its workers run, but a probe fails: {err}"
            if record.failed_probes >= PROBES_UNTIL_FAILED:
                self._fail(wanted.serving_name, record.reason)
            return
        if digests == archive.digests:
            record.sha256 = archive.sha256
            record.answered()
            log.info("model_answers", serving_name=wanted.serving_name)
        elif record.sha256 is None:
            record.sha256 = "of an earlier archive"
        else:
            self._fail(wanted.serving_name, f"it answers as {digests}, but its note says {archive.digests}")

    def _fail(self, name: str, reason: str) -> None:
        log.error("model_failed", serving_name=name, reason=reason)
        self._records[name].failed(reason, self._monotonic())
