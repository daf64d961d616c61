"""Rounds: their life, how their collection goes, and those that were collected elsewhere."""

from collections.abc import Iterable

from dynabench_client.connection import Area, Lines, given, segment
from dynabench_client.results.annotation import (
    Collection,
    Harvested,
    Import,
    LostTargets,
    RecordsStored,
    Round,
    RoundCounts,
    StatePreview,
)
from dynabench_client.results.base import Page


class RoundsClient(Area):
    """The part of the annotation service's client that is about rounds as such."""

    service = "annotation"

    def create_round(
        self,
        task_slug: str,
        targets: Iterable[str],
        title: str | None = None,
        *,
        demonstration: bool | None = None,
    ) -> Round:
        """Create a round, as a draft, against the named targets; tries of a demonstration count for no person."""
        body = given(targets=list(targets), title=title, demonstration=demonstration)
        return self._post(f"/tasks/{segment(task_slug)}/rounds", body, Round)

    def rounds(self, task_slug: str, *, limit: int | None = None, cursor: str | None = None) -> Page[Round]:
        """List a task's rounds."""
        return self._get(f"/tasks/{segment(task_slug)}/rounds", Page[Round], limit=limit, cursor=cursor)

    def round(self, round_id: str) -> Round:
        """Return a round."""
        return self._get(f"/rounds/{segment(round_id)}", Round)

    def counts(self, round_id: str) -> RoundCounts:
        """Count a round's tries."""
        return self._get(f"/rounds/{segment(round_id)}/counts", RoundCounts)

    def collection(self, round_id: str) -> Collection:
        """Return how a round's collection goes; for its task's owner."""
        return self._get(f"/rounds/{segment(round_id)}/collection", Collection)

    def lost_targets(self, round_id: str) -> LostTargets:
        """Return the targets that a round lost because they had stopped answering, the newest first."""
        return self._get(f"/rounds/{segment(round_id)}/lost-targets", LostTargets)

    def preview_state(self, round_id: str, to: str) -> StatePreview:
        """Return what moving a round to another state would do; nothing happens."""
        return self._get(f"/rounds/{segment(round_id)}/state/preview", StatePreview, to=to)

    def set_round_state(self, round_id: str, state: str, reason: str | None = None) -> Round:
        """Open, pause, close or reopen a round; an imported one can only be closed."""
        body = given(state=state, reason=reason)
        return self._put(f"/rounds/{segment(round_id)}/state", body, Round)

    def set_targets(
        self, round_id: str, targets: Iterable[str], reason: str, *, confirm_no_targets: bool = False
    ) -> Round:
        """Put other targets into a round that is not closed; its next try starts a new segment.

        `confirm_no_targets` is needed to take all of them from a round in progress: no try can fool any from then on.
        """
        body: dict[str, object] = {"targets": list(targets), "reason": reason}
        if confirm_no_targets:
            body["confirm_no_targets"] = True
        return self._put(f"/rounds/{segment(round_id)}/targets", body, Round)

    def start_import(
        self,
        task: str,
        source: str,
        targets: Iterable[str],
        origin: str = "imported",
        title: str | None = None,
    ) -> Import:
        """Return the round for the collection named `source`: a new draft, or the existing one.

        Targets of an imported round are names only; those of one whose origin is `harvested` must be served.
        """
        body = given(targets=list(targets), origin=origin, title=title)
        return self._put(f"/tasks/{segment(task)}/imports/{segment(source)}", body, Import)

    def add_records(self, round_id: str, content: Lines, first_line: int = 1) -> RecordsStored:
        """Store records, JSON lines, in an import: at most 1,000 a call, all of them or none.

        `first_line` is the number that their first line has in the whole file, for errors to name. Safe to repeat:
        a record whose id is stored already with the same content is counted and left alone. The problem
        `records-unusable` carries `errors`, the first hundred of `{line, field, reason, remedy}`, and `error_count`.
        """
        path = f"/rounds/{segment(round_id)}/records"
        return self._post_lines(path, content, RecordsStored, idempotent=True, first_line=first_line)

    def check_records(
        self, task: str, targets: Iterable[str], content: Lines, first_line: int = 1
    ) -> RecordsStored:
        """Return the result of `add_records` without storing anything."""
        return self._post_lines(
            f"/tasks/{segment(task)}/records/check",
            content,
            RecordsStored,
            idempotent=True,
            target=list(targets),
            first_line=first_line,
        )

    def harvest(
        self, round_id: str, content: Lines, margin_below: float | None = None, first_line: int = 1
    ) -> Harvested:
        """Ask a harvested round's targets about texts, JSON lines of `{id, context?, input, label?, tags?}`.

        At most 200 a call. Those that a target gets wrong, or answers with a margin under `margin_below`, are
        stored as examples without author. Safe to repeat like `add_records`.
        """
        return self._post_lines(
            f"/rounds/{segment(round_id)}/harvest",
            content,
            Harvested,
            idempotent=True,
            margin_below=margin_below,
            first_line=first_line,
        )
