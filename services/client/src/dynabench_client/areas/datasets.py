"""Datasets: releasing rounds as such, reading them, and taking data home."""

from collections.abc import Iterator
from typing import Any

from dynabench_client.areas.dead_letters import DeadLettersClient
from dynabench_client.connection import given, segment
from dynabench_client.errors import UnexpectedAnswerError
from dynabench_client.results.base import Page
from dynabench_client.results.datasets import (
    Dataset,
    DatasetRows,
    DatasetSummary,
    Measurements,
    Release,
    ReleasePreview,
)
from dynabench_client.transport import ANYTHING, Call

CROISSANT = "application/ld+json"
MARKDOWN = "text/markdown"


class DatasetsClient(DeadLettersClient):
    """Client of the scoring service's datasets."""

    service = "scoring"

    def preview_release(
        self,
        round_id: str,
        *,
        dev: float | None = None,
        test: float | None = None,
        seed: int | None = None,
        accept_unresolved: bool = False,
        explanations: bool = False,
    ) -> ReleasePreview:
        """Return the content of a release with these options, and its blockers."""
        path = f"/rounds/{segment(round_id)}/release/preview"
        return self._get(
            path,
            ReleasePreview,
            dev=dev,
            test=test,
            seed=seed,
            accept_unresolved=accept_unresolved or None,
            explanations=explanations or None,
        )

    def release(
        self,
        round_id: str,
        *,
        dev: float | None = None,
        test: float | None = None,
        seed: int | None = None,
        licence: str | None = None,
        accept_unresolved: bool = False,
        explanations: bool = False,
        description: str | None = None,
    ) -> Release:
        """Start the release of a closed round as a dataset; `release_state` has its progress.

        `dev` and `test` are sizes: numbers of examples, or shares where under 1. What is left out has the
        platform's default. The problem `unresolved-examples` is got over by `accept_unresolved`. With
        `explanations` the dataset holds people's free text, which was not written for the public.
        """
        body = given(
            dev=dev,
            test=test,
            seed=seed,
            licence=licence,
            accept_unresolved=accept_unresolved,
            explanations=explanations or None,
            description=description,
        )
        return self._post(f"/rounds/{segment(round_id)}/releases", body, Release)

    def release_state(self, release_id: str) -> Release:
        """Return how far a release is."""
        return self._get(f"/releases/{segment(release_id)}", Release)

    def datasets(
        self, task: str | None = None, *, limit: int | None = None, cursor: str | None = None
    ) -> Page[DatasetSummary]:
        """List datasets, of one task or of all."""
        return self._get("/datasets", Page[DatasetSummary], task=task, limit=limit, cursor=cursor)

    def dataset(self, dataset_id: str) -> Dataset:
        """Return a dataset with its files."""
        return self._get(f"/datasets/{segment(dataset_id)}", Dataset)

    def rows(
        self,
        dataset_id: str,
        split: str = "train",
        *,
        label: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
    ) -> DatasetRows:
        """Return the first rows of a split, of one label or of all; `file` has the whole split."""
        path = f"/datasets/{segment(dataset_id)}/rows"
        return self._get(path, DatasetRows, split=split, label=label, limit=limit, offset=offset)

    def card(self, dataset_id: str) -> str:
        """Return a dataset's card, Markdown."""
        path = f"/datasets/{segment(dataset_id)}/card"
        content: bytes = self._connection.send(self.service, "GET", path, accept=MARKDOWN).data
        try:
            return content.decode()
        except UnicodeDecodeError as err:
            raise UnexpectedAnswerError(self._address, "the card is not UTF-8 text") from err

    def croissant(self, dataset_id: str) -> dict[str, Any]:
        """Return a dataset's description in the Croissant format, JSON-LD."""
        return self._document(f"/datasets/{segment(dataset_id)}/croissant", accept=CROISSANT)

    def file_address(self, dataset_id: str, path: str) -> str:
        """Return a temporary address of a file. Anybody who has the address can read the file."""
        reply = self._connection.send(
            self.service, "GET", _file(dataset_id, path), accept=ANYTHING, takes_redirect=True
        )
        address = reply.headers.get("Location")
        if address is None:
            raise UnexpectedAnswerError(self._address, "the file has no address")
        return address

    def file(self, dataset_id: str, path: str) -> Iterator[bytes]:
        """Yield a file of a dataset, piece by piece."""
        address = self.file_address(dataset_id, path)
        pieces: Iterator[bytes] = self._connection.transport.send(
            Call("GET", address, accept=ANYTHING, streamed=True)
        ).data
        return pieces

    def measurements(self, dataset_id: str) -> Measurements:
        """Return what a dataset's texts look like."""
        return self._get(f"/datasets/{segment(dataset_id)}/measurements", Measurements)

    def round_measurements(self, round_id: str) -> Measurements:
        """Return what the texts of a round in progress look like, or that it is being computed; for its owner."""
        return self._get(f"/rounds/{segment(round_id)}/measurements", Measurements)

    def export_round(
        self, round_id: str, format: str = "jsonl", *, explanations: bool = False
    ) -> Iterator[bytes]:
        """Yield the examples of a round, also one in progress, piece by piece, for its owner.

        The format is jsonl, parquet, csv or xlsx. `explanations` are people's free text, which was not written for the
        public.
        A refusal is raised at once; UnreachableError during reading means that the export is not whole.
        """
        path = f"/rounds/{segment(round_id)}/export"
        return self._pieces(path, format=format, explanations=explanations or None)

    def export_own(self) -> Iterator[bytes]:
        """Yield your own examples and votes as JSON lines, in pieces; errors are as for `export_round`."""
        return self._pieces("/people/me/export")


def _file(dataset_id: str, path: str) -> str:
    parts = "/".join(segment(part) for part in path.split("/"))
    return f"/datasets/{segment(dataset_id)}/files/{parts}"
