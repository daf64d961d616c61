"""Time a target's answers to texts in process, in batches; runs in the serving environment.

Usage: python in_process.py ARCHIVE TASK_TYPE BATCH < TEXTS, one text a line. Prints texts per second, with one thread
as a worker has, after one batch to warm up.
"""

import sys
import tempfile
import time
import zipfile
from pathlib import Path

from model_archives.handlers.wire import Request
from model_archives.training.evaluation import handler_of


def main(archive: str, task_type: str, batch: int) -> float:
    """Return texts per second."""
    texts = sys.stdin.read().splitlines()
    with tempfile.TemporaryDirectory() as folder:
        zipfile.ZipFile(archive).extractall(folder)
        responder = handler_of(Path(folder), task_type).responder

        def ask(some: list[str]) -> None:
            responder.answer([Request([{"text": text} for text in some])])

        ask(texts[:batch])
        began = time.perf_counter()
        for start in range(0, len(texts), batch):
            ask(texts[start : start + batch])
        return len(texts) / (time.perf_counter() - began)


if __name__ == "__main__":
    print(main(sys.argv[1], sys.argv[2], int(sys.argv[3])))
