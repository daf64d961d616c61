"""Profiles: address and credentials of the platform for the command line.

A profile is a JSON file `{"url": …, "api_token": …}` that only its owner can read. The first profile
named in this order is used, even if it can't be read:

1. `--profile FILE`, or the environment variable `DYNABENCH_PROFILE`;
2. the file named in `dynabench-profile` in the Python environment that runs the command, so that a checkout's
   `.venv/bin/dynabench` speaks to that checkout's platform, also without a home folder;
3. the file named in `current` in `~/.config/dynabench` (or `$XDG_CONFIG_HOME/dynabench`).
"""

import contextlib
import json
import os
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

ENVIRONMENT_POINTER = "dynabench-profile"
HOME_POINTER = "current"
PROFILE_FILE = "profile.json"


class ProfileError(Exception):
    """No usable profile: the problem and the remedy."""

    def __init__(self, what: str, remedy: str) -> None:
        super().__init__(what)
        self.what = what
        self.remedy = remedy


@dataclass(frozen=True)
class Profile:
    """A platform and a credential for it."""

    url: str
    api_token: str = field(repr=False)


def configuration_folder() -> Path | None:
    """Return the folder of the person's own settings, or None without a home."""
    given = os.environ.get("XDG_CONFIG_HOME")
    if given:
        return Path(given) / "dynabench"
    try:
        return Path.home() / ".config" / "dynabench"
    except RuntimeError:
        return None


def environment_folder() -> Path | None:
    """Return the folder of the virtual environment that runs this, or None outside of one."""
    return Path(sys.prefix) if sys.prefix != sys.base_prefix else None


def write(path: Path, profile: Profile) -> None:
    """Store a profile so that only its owner can read it; a crash leaves the old one or the new one."""
    path.parent.mkdir(parents=True, exist_ok=True)
    document = {"url": profile.url, "api_token": profile.api_token}
    descriptor, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            json.dump(document, file, indent=2)
            file.write("\n")
        Path(temporary).replace(path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


def read(path: Path) -> Profile:
    """Return the profile in a file. Raises ProfileError."""
    try:
        document = json.loads(path.read_text(encoding="utf-8"))
        return Profile(str(document["url"]), str(document["api_token"]))
    except OSError as err:
        raise ProfileError(f"The profile {path} can't be read: {err.strerror}.", SIGN_IN) from err
    except (ValueError, KeyError, TypeError) as err:
        raise ProfileError(f"{path} is not a profile.", SIGN_IN) from err


SIGN_IN = "Sign in with 'dynabench login URL', or start the local platform with 'make up'."


def use(path: Path) -> None:
    """Make a profile the one that is used when none is named.

    Raises ProfileError when neither pointer can be written.
    """
    pointers = _pointers()
    written = [pointer for pointer in pointers if _point(pointer, path.resolve())]
    if not written:
        names = " or ".join(str(pointer) for pointer in pointers) or "a home folder"
        raise ProfileError(f"{names} can't be written.", f"Pass --profile {path} to each command.")


def locate(named: Path | None = None) -> Path:
    """Return the profile to use. Raises ProfileError when none is named anywhere."""
    if named is not None:
        return named
    for pointer in _pointers():
        with contextlib.suppress(OSError, UnicodeDecodeError):
            target = pointer.read_text(encoding="utf-8").strip()
            if target:
                return Path(target)
    raise ProfileError("You are not signed in to any platform.", SIGN_IN)


def default_file() -> Path:
    """Return where signing in stores its profile. Raises ProfileError without a home folder."""
    folder = configuration_folder()
    if folder is None:
        raise ProfileError("There is no home folder to keep the profile in.", "Pass --profile FILE.")
    return folder / PROFILE_FILE


def _pointers() -> list[Path]:
    environment, home = environment_folder(), configuration_folder()
    candidates = (
        environment and environment / ENVIRONMENT_POINTER,
        home and home / HOME_POINTER,
    )
    return [pointer for pointer in candidates if pointer is not None]


def _point(pointer: Path, target: Path) -> bool:
    try:
        pointer.parent.mkdir(parents=True, exist_ok=True)
        pointer.write_text(f"{target}\n", encoding="utf-8")
    except OSError:
        return False
    return True
