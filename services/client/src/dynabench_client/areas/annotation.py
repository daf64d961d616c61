"""Contexts and tries, in addition to the methods of `tasks` and `rounds`."""

from collections.abc import Iterable, Mapping
from typing import Any

from dynabench_client.areas.dead_letters import DeadLettersClient
from dynabench_client.areas.onboarding import OnboardingClient
from dynabench_client.areas.rounds import RoundsClient
from dynabench_client.areas.tasks import TasksClient
from dynabench_client.areas.work_orders import WorkOrdersClient
from dynabench_client.connection import Lines, Values, given, segment
from dynabench_client.results.annotation import (
    Answers,
    Assignment,
    ContextsAdded,
    ContextsUploaded,
    Example,
    Flag,
    Inspection,
    MyTries,
    OwnersContext,
    Similar,
)
from dynabench_client.results.base import Page

INSPECTION_TIMEOUT_SECONDS = 120.0


class AnnotationClient(TasksClient, RoundsClient, OnboardingClient, WorkOrdersClient, DeadLettersClient):
    """Client of the annotation service."""

    def add_contexts(self, round_id: str, contexts: Iterable[Mapping[str, Any]]) -> ContextsAdded:
        """Give a round contexts, each `{fields, tags}`: at most 1,000 a call, all of them or none."""
        body = {"contexts": [dict(context) for context in contexts]}
        return self._post(f"/rounds/{segment(round_id)}/contexts", body, ContextsAdded)

    def upload_contexts(self, round_id: str, content: Lines) -> ContextsUploaded:
        """Give a round the contexts of a JSON lines file, streamed, one `{fields, tags}` a line: all or none.

        The problem `contexts-unusable` carries `errors`, the first hundred of `{line, field, reason, remedy}`,
        and `error_count`.
        """
        return self._post_lines(f"/rounds/{segment(round_id)}/contexts/upload", content, ContextsUploaded)

    def contexts(
        self, round_id: str, *, limit: int | None = None, cursor: str | None = None
    ) -> Page[OwnersContext]:
        """List a round's contexts; for its task's owner."""
        return self._get(
            f"/rounds/{segment(round_id)}/contexts", Page[OwnersContext], limit=limit, cursor=cursor
        )

    def assign(self, round_id: str, not_context_id: str | None = None) -> Assignment:
        """Return your current context, or another one than `not_context_id`."""
        body = given(not_context_id=not_context_id)
        return self._post(f"/rounds/{segment(round_id)}/assignments", body, Assignment)

    def flag_context(self, context_id: str, reason: str) -> Flag:
        """Report a context."""
        return self._post(f"/contexts/{segment(context_id)}/flags", {"reason": reason}, Flag)

    def create_example(
        self,
        round_id: str,
        context_id: str,
        input: Values,
        *,
        hint_shown: bool | None = None,
        pasted_characters: int | None = None,
        explanations: Mapping[str, str] | None = None,
        metadata: Values | None = None,
        perturbation_of: str | None = None,
        idempotency_key: str | None = None,
    ) -> Example:
        """Submit a try and return it with its verdict.

        `perturbation_of` is the example of which the try is a minimal edit that flips the label.
        A repeated key returns the stored try. If too few targets answer, nothing is stored and the problem
        `undecidable` gives the time of the next attempt. Within the retry policy the client retries by itself.
        """
        body = given(
            context_id=context_id,
            input=dict(input),
            hint_shown=hint_shown,
            pasted_characters=pasted_characters,
            explanations=explanations,
            metadata=metadata,
            perturbation_of=perturbation_of,
        )
        return self._write_once(f"/rounds/{segment(round_id)}/examples", body, Example, idempotency_key)

    def example(self, example_id: str) -> Example:
        """Return an example, to its author or its task's owner."""
        return self._get(f"/examples/{segment(example_id)}", Example)

    def examples(
        self, round_id: str, *, author: str = "me", limit: int | None = None, cursor: str | None = None
    ) -> Page[Example]:
        """List your own examples of a round; with author "all", for the task's owner, everyone's."""
        path = f"/rounds/{segment(round_id)}/examples"
        return self._get(path, Page[Example], author=author, limit=limit, cursor=cursor)

    def retract(self, example_id: str, idempotency_key: str | None = None) -> Example:
        """Withdraw your own example; its try still counts."""
        return self._write_once(f"/examples/{segment(example_id)}/retraction", {}, Example, idempotency_key)

    def explain_example(
        self, example_id: str, *, label: str | None = None, model: str | None = None
    ) -> Example:
        """Say why the label is right, and why the model was, or might have been, fooled."""
        body = given(label=label, model=model)
        return self._put(f"/examples/{segment(example_id)}/explanations", body, Example)

    def set_metadata(self, example_id: str, metadata: Values) -> Example:
        """Replace the metadata of one of the caller's own examples."""
        return self._put(f"/examples/{segment(example_id)}/metadata", {"metadata": metadata}, Example)

    def decide(self, example_id: str, wrong_targets: Iterable[str]) -> Example:
        """State which targets are wrong, if the task asks its annotators; possible once."""
        body = {"wrong_targets": list(wrong_targets)}
        return self._put(f"/examples/{segment(example_id)}/decision", body, Example)

    def overrule_duplicate(self, example_id: str, reason: str) -> Example:
        """Let an example count although its text is equal to an earlier one; for owners of its task, audited."""
        body = {"reason": reason}
        return self._post(f"/examples/{segment(example_id)}/duplicate-overruling", body, Example)

    def similar(self, round_id: str, context_id: str, input: Values) -> Similar:
        """Return near duplicates of a text that is not submitted yet; nothing is stored."""
        body = {"context_id": context_id, "input": input}
        return self._post(f"/rounds/{segment(round_id)}/similar", body, Similar, idempotent=True)

    def probe(self, round_id: str, context_id: str, input: Values) -> Answers:
        """Ask a round's targets without submitting a try; nothing is stored, but probes are counted."""
        body = {"context_id": context_id, "input": input}
        return self._post(f"/rounds/{segment(round_id)}/probes", body, Answers)

    def inspect(
        self, example_id: str, target: str, label: str | None = None, n_steps: int | None = None
    ) -> Inspection:
        """Return the parts of the text that moved a target; it is counted on your later tries.

        `label` is explained instead of the answer; for an answer span it is `start` or `end`.
        """
        body = given(target=target, label=label, n_steps=n_steps)
        path = f"/examples/{segment(example_id)}/inspections"
        return self._post(path, body, Inspection, timeout_seconds=INSPECTION_TIMEOUT_SECONDS)

    def my_tries(self, round_id: str) -> MyTries:
        """Count your own tries in a round."""
        return self._get(f"/rounds/{segment(round_id)}/me", MyTries)
