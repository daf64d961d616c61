"""The platform's own records, one a line, as a task's schema describes them."""

from collections.abc import Iterable

from dynabench_toolkit.collections.reader import Document, register


@register("records")
class RecordsReader:
    """Takes lines as they are."""

    def targets(self, document: Document) -> Iterable[str]:
        """Name those that a record has an answer of; null is none."""
        answers = document.get("targets")
        return (
            [name for name, answer in answers.items() if answer is not None]
            if isinstance(answers, dict)
            else ()
        )

    def record(self, document: Document) -> Document:
        """Return the line itself."""
        return document
