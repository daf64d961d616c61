"""Desired models, read from the database; the models file is one of its sources."""

from collections.abc import Callable, Mapping
from dataclasses import replace

from dynabench_archives.model_servers import Archive, Pool
from dynabench_common.telemetry.logging import get_logger
from sqlalchemy import Engine

from registry.adapters.models_file import ModelsFile
from registry.adapters.served_models import ServingNameTaken, SqlServedModels
from registry.adapters.task_store import targets_in_the_loop
from registry.domain.declarations import ALWAYS, Declared
from registry.domain.errors import AgentAway
from registry.domain.notes import StoredNote, described_archive
from registry.domain.served_model import Origin, ServedModel

log = get_logger(__name__)
STORE_UNSEEN = "the model store could not be looked at yet"


class DesiredModels:
    """Reads the models that the models file and submissions declare, and follows changes of the file.

    `notes` returns the store's notes on archives that the agent did not fetch, by file name. It raises AgentAway.
    """

    def __init__(
        self, engine: Engine, models_file: ModelsFile, notes: Callable[[], Mapping[str, StoredNote]]
    ) -> None:
        self._engine = engine
        self._file = models_file
        self._notes = notes
        self._taken: tuple[str, ...] = ()

    def models(self) -> tuple[ServedModel, ...]:
        """Return the models that should be served, after a look at the models file and the notes of its archives."""
        declared = self._file.models()
        try:
            notes = self._notes()
        except AgentAway:
            notes = None
        with self._engine.begin() as connection:
            stored = SqlServedModels(connection)
            before = stored.wanted()
            if declared is not None and self._follow(stored, before, declared, notes):
                before = stored.wanted()
            in_the_loop = targets_in_the_loop(connection)
        return tuple(_kept_running(model) if model.name in in_the_loop else model for model in before)

    def problem(self) -> str | None:
        """Return why the models file as it is now can't be used, or which of its names are taken."""
        problem = self._file.problem()
        if problem is None and self._taken:
            problem = (
                f"models.yaml names {', '.join(self._taken)}, under which submitted models are served: "
                "choose other names"
            )
        return problem

    def _follow(
        self,
        stored: SqlServedModels,
        before: tuple[ServedModel, ...],
        declared: tuple[Declared, ...],
        notes: Mapping[str, StoredNote] | None,
    ) -> bool:
        """Write what differs; tell whether anything did."""
        of_file = {model.name: model for model in before if model.origin is Origin.FILE}
        has_changed = False
        taken = []
        for each in declared:
            known = of_file.get(each.name)
            archive = _archive(each, known, notes)
            if known is not None and (known.declared, known.archive) == (each, archive):
                continue
            try:
                stored.put(each, archive, Origin.FILE, Pool.SHARED)
                has_changed = True
            except ServingNameTaken:
                taken.append(each.name)
        if taken and tuple(taken) != self._taken:
            log.error("serving_names_taken", models=taken)
        self._taken = tuple(taken)
        names = {each.name for each in declared}
        if not names.issuperset(of_file):
            stored.withdraw_of_file_except(names)
            has_changed = True
        return has_changed


def _kept_running(model: ServedModel) -> ServedModel:
    """Return a model as it is served while it is a target: people must not wait for its workers."""
    if model.origin is Origin.FILE:
        return model  # its file says when it runs
    return replace(model, declared=replace(model.declared, start=replace(model.declared.start, name=ALWAYS)))


def _archive(
    declared: Declared, known: ServedModel | None, notes: Mapping[str, StoredNote] | None
) -> Archive | str:
    """Return the archive; while the store can't be asked, the one that was known of the same declaration."""
    if notes is not None:
        return described_archive(declared, notes.get(declared.archive))
    if known is not None and known.declared.archive == declared.archive:
        return known.archive
    return STORE_UNSEEN
