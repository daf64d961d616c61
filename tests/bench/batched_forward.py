"""Time one forward pass over a batch of equal texts; runs in the serving environment.

Usage: python batched_forward.py ARCHIVE STEPS TEXT. Prints the median of eleven passes in milliseconds, with one
thread, as the explanation workers have.
"""

import importlib
import statistics
import sys
import tempfile
import time
import zipfile
from pathlib import Path


def main(archive: str, steps: int, text: str) -> float:
    """Return the median milliseconds of a forward pass over `steps` copies of `text`."""
    import torch

    torch.set_num_threads(1)
    with tempfile.TemporaryDirectory() as folder:
        zipfile.ZipFile(archive).extractall(folder)
        sys.path.insert(0, folder)
        networks = importlib.import_module("dynabench_handlers.networks")
        tokenisation = importlib.import_module("dynabench_handlers.tokenisation")
        network = networks.load_network(Path(folder))
        encoded = tokenisation.TextTokenizer(tokenisation.declared_reading(Path(folder)), 256).encode(text)
        ids = torch.tensor([encoded.ids] * steps)
        times = []
        with torch.inference_mode():
            for _ in range(12):
                began = time.perf_counter()
                network(ids, torch.ones_like(ids), torch.zeros_like(ids))
                times.append(1000 * (time.perf_counter() - began))
    return statistics.median(times[1:])


if __name__ == "__main__":
    print(main(sys.argv[1], int(sys.argv[2]), sys.argv[3]))
