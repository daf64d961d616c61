"""`python -m model_archives.kserve_runtime`: serve archives of a folder.

A model is named as its archive; NAME-explain explains by the archive of NAME.
"""

import argparse
import sys
import tempfile
from pathlib import Path


def main() -> int:
    """Serve until a stop signal."""
    parser = argparse.ArgumentParser(description="Serve archives of data by the Open Inference Protocol.")
    parser.add_argument("names", nargs="+", help="names of archives in the store; NAME-explain explains")
    parser.add_argument("--store", type=Path, required=True, help="folder of archives")
    parser.add_argument(
        "--key-file", type=Path, required=True, help="where the key that callers need is written"
    )
    parser.add_argument("--host", default="127.0.0.1", help="address to listen on")
    parser.add_argument("--port", type=int, default=8090)
    given = parser.parse_args()
    del sys.argv[1:]  # KServe reads the command line too

    from model_archives.kserve_runtime.archives import UnfitArchive, unpack
    from model_archives.kserve_runtime.server import serve
    from model_archives.kserve_runtime.tensors import EXPLAINS

    with tempfile.TemporaryDirectory(prefix="archives-") as temporary:
        unpacked: dict[str, Path] = {}
        try:
            for archive in sorted({name.removesuffix(EXPLAINS) for name in given.names}):
                unpacked[archive] = unpack(given.store / f"{archive}.mar", Path(temporary) / archive)
            folders = {name: unpacked[name.removesuffix(EXPLAINS)] for name in given.names}
            serve(folders, given.host, given.port, given.key_file)
        except UnfitArchive as err:
            sys.stderr.write(f"{err}\n")
            return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
