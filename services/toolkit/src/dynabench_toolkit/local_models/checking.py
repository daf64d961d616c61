"""The server's checks of an archive, on the submitter's own machine: reading it, then serving it and asking it."""

import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any

from dynabench_archives.scanning import (
    ArchiveDescription,
    Finding,
    ScanKind,
    ScanLimits,
    ScanReport,
    open_archive,
    scan_archive,
)
from dynabench_archives.scanning.contents import DESCRIPTION
from dynabench_archives.serving_contract import (
    Consistency,
    ModelShape,
    conformance_cases,
    find_case_flaws,
)
from dynabench_archives.task_types import Expected, misfit, shape_problem

from dynabench_toolkit.local_models.building import build
from dynabench_toolkit.local_models.local_torchserve import LocalTorchServe, ServingFailed
from dynabench_toolkit.local_models.serving_environment import NoServing, ServingEnvironment

STEPS = ("opened", "scanned", "manifest", "contract", "served", "answers")
ANSWER_SECONDS = 10.0
PACKAGE_AGAIN = "Make the archive with dynabench models package."
FindServing = Callable[[], ServingEnvironment]
"""Returns the local serving environment; raises NoServing."""


class State(StrEnum):
    """The outcome of a step."""

    PASSED = "passed"
    FAILED = "failed"
    NOT_RUN = "not_run"


@dataclass(frozen=True)
class CaseFlaw:
    """A breach of the contract in the answer to a case."""

    case: str
    where: str
    reason: str
    remedy: str


@dataclass(frozen=True)
class StepResult:
    """The outcome of a step and its reason; `took` in seconds, `log` the last lines that the model printed."""

    step: str
    state: State
    reason: str
    remedy: str = ""
    took: float = 0.0
    flaws: tuple[CaseFlaw, ...] = ()
    log: tuple[str, ...] = ()

    def document(self) -> dict[str, Any]:
        """Return it as JSON-ready data."""
        return asdict(self)


class _Failed(Exception):
    """A step failed; the later ones are not run."""

    def __init__(
        self, reason: str, remedy: str, flaws: tuple[CaseFlaw, ...] = (), log: tuple[str, ...] = ()
    ) -> None:
        super().__init__(reason)
        self.remedy = remedy
        self.flaws = flaws
        self.log = log


@dataclass
class Check:
    """The steps over one archive; `expected` is the task's shape, None where no task was named."""

    archive: Path
    expected: Expected | None
    find_serving: FindServing
    seconds: float
    report: ScanReport | None = field(default=None, init=False)

    def run(self) -> Iterator[StepResult]:
        """Yield each step as it ends; after one that failed the others are not run."""
        static = (self._opened, self._scanned, self._manifest, self._contract)
        for step, act in zip(STEPS, static, strict=False):
            result = _result(step, act)
            yield result
            if result.state is not State.PASSED:
                later = STEPS[STEPS.index(step) + 1 :]
                yield from (_not_run(name, f"{step} failed", result.remedy) for name in later)
                return
        yield from self._served()

    @property
    def holds_code(self) -> bool:
        """Return whether the archive was scanned and is a program."""
        return self.report is not None and self.report.kind is ScanKind.CODE

    @property
    def description(self) -> ArchiveDescription:
        """Return the archive's own description, after its scan."""
        if self.report is None or self.report.description is None:
            raise _Failed(f"it has no usable {DESCRIPTION}", PACKAGE_AGAIN)
        return self.report.description

    def _opened(self) -> str:
        _refuse(open_archive(self.archive, ScanLimits()))
        return "a zip archive that can be read safely"

    def _scanned(self) -> str:
        self.report = scan_archive(self.archive, ScanLimits())
        _refuse(self.report.findings)
        summary = "holds code: runs in its own sandbox, after the task's owner approves it"
        if self.report.kind is ScanKind.DECLARATIVE:
            summary = "declarative: runs without approval, by the platform's handler"
        return "; ".join([summary, *notes(self.report)])

    def _manifest(self) -> str:
        described = self.description
        labels = ", ".join(described.labels) or "no labels"
        return f"{described.task_type}, reads {', '.join(described.fields)}, answers {labels}"

    def _contract(self) -> str:
        described = self.description
        problem = shape_problem(described.task_type, described.fields, described.labels)
        if problem is not None:
            raise _Failed(f"{DESCRIPTION}: {problem}", PACKAGE_AGAIN)
        if self.expected is None:
            return "a shape that models can have (--task TASK compares it with a task's)"
        reason = misfit(self.expected, described.task_type, described.fields, described.labels)
        if reason is not None:
            raise _Failed(reason, "Begin with dynabench models init --task, which knows the task's shape.")
        return "it reads what the task sends and answers with its labels"

    def _served(self) -> Iterator[StepResult]:
        began = time.monotonic()
        try:
            serving = self.find_serving()
            with tempfile.TemporaryDirectory(prefix="dynabench-build-") as scratch:
                archive = self._to_be_served(serving, Path(scratch))
                with LocalTorchServe(serving, self.seconds) as server:
                    server.serve(archive, ANSWER_SECONDS)
                    took = time.monotonic() - began
                    yield StepResult("served", State.PASSED, "its worker is ready", took=took)
                    yield _result("answers", lambda: self._answers(server))
        except NoServing as err:
            yield from (_not_run(step, str(err), err.remedy) for step in STEPS[-2:])
        except ServingFailed as err:
            took = time.monotonic() - began
            yield StepResult("served", State.FAILED, str(err), err.remedy, took, log=err.log)
            yield _not_run("answers", "served failed", err.remedy)

    def _to_be_served(self, serving: ServingEnvironment, scratch: Path) -> Path:
        """Return the archive that is served, as it was sent or built of its data."""
        if self.report is not None and self.report.kind is ScanKind.DECLARATIVE:
            return build(self.archive, self.report, serving, scratch, self.seconds)
        return self.archive

    def _answers(self, server: LocalTorchServe) -> str:
        described = self.description
        shape = ModelShape(described.task_type, described.fields, described.labels)
        flaws, log = find_answer_flaws(server, shape, ANSWER_SECONDS)
        if flaws:
            first = flaws[0]
            raise _Failed(f"{first.case}: {first.where}: {first.reason}", first.remedy, flaws, log)
        return f"{len(conformance_cases(shape))} cases are answered as the contract says"


def notes(report: ScanReport) -> list[str]:
    """Return notes on an acceptable archive: the files left out, and findings such as packages not installed."""
    left = [found.path or "" for found in report.findings if found.code == "left-out"]
    others = [found for found in report.findings if found.code not in {"code", "left-out"}]
    findings = [f"{found.path}: {found.reason}. {found.remedy}".rstrip(".") for found in others]
    return [f"left out: {', '.join(left)}", *findings] if left else findings


def find_answer_flaws(
    server: LocalTorchServe, shape: ModelShape, seconds: float
) -> tuple[tuple[CaseFlaw, ...], tuple[str, ...]]:
    """Ask the served model all cases.

    Returns the flaws, and what the model printed at the first of them. Ends at a case that the worker does not survive.
    """
    flaws: list[CaseFlaw] = []
    logs: list[tuple[str, ...]] = []
    consistency = Consistency()
    for case in conformance_cases(shape):
        try:
            answer = server.ask(case.request, seconds)
        except ServingFailed as err:
            flaws.append(CaseFlaw(case.name, "status", str(err), err.remedy))
            logs.append(err.log)
            break
        found = [*find_case_flaws(shape, case, answer.status, answer.body)]
        if not found and not case.is_refused and isinstance(answer.body, Mapping):
            found += consistency.find_changes(case.request, answer.body)
        if found:
            logs.append(server.printed_for(answer))
        flaws += (CaseFlaw(case.name, each.where, each.reason, each.remedy) for each in found)
    return tuple(flaws), next((log for log in logs if log), ())


def _result(step: str, act: Callable[[], str]) -> StepResult:
    began = time.monotonic()
    try:
        reason = act()
    except _Failed as err:
        took = time.monotonic() - began
        return StepResult(step, State.FAILED, str(err), err.remedy, took, err.flaws, err.log)
    return StepResult(step, State.PASSED, reason, took=time.monotonic() - began)


def _not_run(step: str, reason: str, remedy: str) -> StepResult:
    return StepResult(step, State.NOT_RUN, reason, remedy)


def _refuse(findings: Iterable[Finding]) -> None:
    first = next((finding for finding in findings if finding.is_refusal), None)
    if first is not None:
        raise _Failed(f"{first.path}: {first.reason}" if first.path else first.reason, first.remedy)
