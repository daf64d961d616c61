"""Evaluations of models on datasets."""

from dynabench_client.areas.dead_letters import DeadLettersClient
from dynabench_client.connection import Lines, segment
from dynabench_client.results.base import Page
from dynabench_client.results.models import (
    AnsweredItem,
    ComparedItems,
    Evaluation,
    EvaluationLine,
    ItemSamples,
    Metrics,
    ModelComparison,
    ScoredDataset,
    Suspects,
)


class EvaluationsClient(DeadLettersClient):
    """Client of the scoring service's evaluations."""

    service = "scoring"

    def add_dataset(
        self,
        task: str,
        name: str,
        content: Lines,
        *,
        title: str | None = None,
        access: str | None = None,
        licence: str | None = None,
    ) -> ScoredDataset:
        """Make a JSON lines file a dataset that models are scored on: `{id, context?, input, label | golds, tags?}`.

        All or nothing; the problem `items-unusable` names every wrong line. The same items are the same version.
        """
        path = f"/tasks/{segment(task)}/evaluation-datasets"
        return self._post_lines(
            path, content, ScoredDataset, name=name, title=title, access=access, licence=licence
        )

    def scored_datasets(
        self, task: str | None = None, *, limit: int | None = None, cursor: str | None = None
    ) -> Page[ScoredDataset]:
        """List the datasets that models are scored on, the newest first."""
        return self._get("/evaluation-datasets", Page[ScoredDataset], task=task, limit=limit, cursor=cursor)

    def scored_dataset(self, dataset_id: str) -> ScoredDataset:
        """Return a dataset that models are scored on."""
        return self._get(f"/evaluation-datasets/{segment(dataset_id)}", ScoredDataset)

    def add_predictions(
        self,
        dataset_id: str,
        model: str,
        content: Lines,
        *,
        lowest: float | None = None,
        highest: float | None = None,
        throughput: float | None = None,
        memory: float | None = None,
        fairness: float | None = None,
        robustness: float | None = None,
    ) -> Evaluation:
        """Have predictions scored, `{id, answer}` a line, one for each item of an open dataset, under a new name.

        Lines `{id, score}` give scores from `lowest` (0) to `highest` (1) in place of answers. The other figures were
        measured elsewhere: throughput in examples/s, memory in GiB, fairness and robustness in percent.
        """
        path = f"/evaluation-datasets/{segment(dataset_id)}/predictions"
        return self._post_lines(
            path,
            content,
            Evaluation,
            model=model,
            lowest=lowest,
            highest=highest,
            throughput=throughput,
            memory=memory,
            fairness=fairness,
            robustness=robustness,
        )

    def compare(self, dataset_id: str, first: str, second: str) -> ModelComparison:
        """Compare what two models answer to the items of a dataset."""
        path = f"/evaluation-datasets/{segment(dataset_id)}/comparison"
        return self._get(path, ModelComparison, first=first, second=second)

    def compared_items(
        self,
        dataset_id: str,
        first: str,
        second: str,
        *,
        right: str | None = None,
        label: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
    ) -> ComparedItems:
        """Return items of a dataset on which two models differ; `right` is first, second or neither."""
        path = f"/evaluation-datasets/{segment(dataset_id)}/comparison/items"
        return self._get(
            path,
            ComparedItems,
            first=first,
            second=second,
            right=right,
            label=label,
            limit=limit,
            offset=offset,
        )

    def samples(self, dataset_id: str, *, number: int | None = None, seed: int | None = None) -> ItemSamples:
        """Return some items of a dataset with their variants; the same seed draws the same ones."""
        path = f"/evaluation-datasets/{segment(dataset_id)}/samples"
        return self._get(path, ItemSamples, number=number, seed=seed)

    def item(self, dataset_id: str, item_id: str) -> AnsweredItem:
        """Return an item of a dataset, and what models answer to it."""
        return self._get(f"/evaluation-datasets/{segment(dataset_id)}/item", AnsweredItem, id=item_id)

    def suspects(self, dataset_id: str) -> Suspects:
        """Return which labels of a dataset may be wrong; for owners of its task."""
        return self._get(f"/evaluation-datasets/{segment(dataset_id)}/suspects", Suspects)

    def evaluations(
        self,
        *,
        task: str | None = None,
        model: str | None = None,
        dataset_id: str | None = None,
        state: str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> Page[Evaluation]:
        """List evaluations, the newest first."""
        return self._get(
            "/evaluations",
            Page[Evaluation],
            task=task,
            model=model,
            dataset_id=dataset_id,
            state=state,
            limit=limit,
            cursor=cursor,
        )

    def evaluation(self, evaluation_id: str) -> Evaluation:
        """Return how far an evaluation is."""
        return self._get(f"/evaluations/{segment(evaluation_id)}", Evaluation)

    def evaluation_log(self, evaluation_id: str) -> tuple[EvaluationLine, ...]:
        """Return what befell an evaluation, the oldest line first."""
        return self._list(f"/evaluations/{segment(evaluation_id)}/log", EvaluationLine)

    def run_again(self, evaluation_id: str) -> Evaluation:
        """Run an evaluation again that has no score."""
        return self._post(f"/evaluations/{segment(evaluation_id)}/runs", None, Evaluation)

    def cancel(self, evaluation_id: str) -> Evaluation:
        """End an evaluation that is still open."""
        return self._post(f"/evaluations/{segment(evaluation_id)}/cancellation", None, Evaluation)

    def metrics(self) -> Metrics:
        """Return what each metric is, and how variants are made."""
        return self._get("/metrics", Metrics)
