"""Generate the Python classes and type stubs of every .proto file into proto/gen.

Generated code is never committed: `make` runs this whenever a .proto file changed.
"""

import shutil
import sys
from pathlib import Path

from grpc_tools import protoc

HERE = Path(__file__).resolve().parent
TARGET = HERE / "gen"


def generate(target: Path = TARGET) -> int:
    """Write classes and stubs below `target`; return protoc's exit status."""
    shutil.rmtree(target, ignore_errors=True)
    target.mkdir(parents=True)
    sources = sorted(str(path.relative_to(HERE)) for path in (HERE / "dynabench").rglob("*.proto"))
    well_known = Path(protoc.__file__).parent / "_proto"
    status: int = protoc.main(
        ["protoc", f"-I{HERE}", f"-I{well_known}", f"--python_out={target}", f"--pyi_out={target}", *sources]
    )
    for folder in [path for path in (target / "dynabench").rglob("*") if path.is_dir()] + [
        target / "dynabench"
    ]:
        (folder / "__init__.py").touch()
    (target / "dynabench" / "py.typed").touch()
    return status


if __name__ == "__main__":
    sys.exit(generate())
