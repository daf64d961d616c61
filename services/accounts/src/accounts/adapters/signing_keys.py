"""The Ed25519 keys by which access tokens are signed and checked, stored in one file.

The file contains a JWK, or a JWK Set whose first key signs; all of its keys are valid. So a key can be rotated without
signing anybody out. Add the new key, let every process read the file anew, and put the new key first. Remove the old
one a quarter of an hour after every process signs with the new one.

The file is made at first start. Several processes may start at once. Each writes its own temporary file and links it to
the final name, which only one can do. All of them then read what that one wrote.
"""

import contextlib
import json
import os
import stat
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from dynabench_common.settings import SettingsError
from joserfc.errors import JoseError
from joserfc.jwk import OKPKey


def load_or_create(path: Path) -> list[OKPKey]:
    """Return the keys in `path`; the first one signs. Without a file, one key is created.

    Raises SettingsError for a file that others may read, or with contents other than Ed25519 private keys.
    """
    if not path.exists():
        _create(path)
    mode = stat.S_IMODE(path.stat().st_mode)
    if mode & 0o077:
        raise SettingsError(f"{path} can be read by others (mode {mode:o}); run: chmod 600 {path}")
    try:
        document = json.loads(path.read_text(encoding="utf-8"))
        given = document.get("keys", [document])
        keys = [OKPKey.import_key(each) for each in given]
    except (JoseError, ValueError, TypeError, KeyError, AttributeError) as err:
        raise SettingsError(
            f"{path} holds no JWK and no set of them; restore it, or remove it to sign everyone out"
        ) from err
    if not keys or any(key.curve_name != "Ed25519" or not key.is_private for key in keys):
        raise SettingsError(f"{path} must hold private Ed25519 keys")
    if len({key.thumbprint() for key in keys}) < len(keys):
        raise SettingsError(f"{path} holds a key twice; remove one of the two")
    return keys


def public_jwks(keys: Sequence[OKPKey]) -> dict[str, Any]:
    """Return the key set that other services check tokens with."""
    return {
        "keys": [
            {**key.as_dict(private=False), "kid": key.thumbprint(), "use": "sig", "alg": "EdDSA"}
            for key in keys
        ]
    }


def add(path: Path) -> str:
    """Add a key that is valid and does not sign yet; return its thumbprint. Raises SettingsError as loading does."""
    key = OKPKey.generate_key("Ed25519")
    _replace(path, [*load_or_create(path), key])
    return str(key.thumbprint())


def sign_with(path: Path, thumbprint: str) -> None:
    """Put the key of this thumbprint first. Raises SettingsError, also for an unknown one."""
    keys = load_or_create(path)
    chosen = _of(keys, thumbprint, path)
    _replace(path, [chosen, *(key for key in keys if key is not chosen)])


def remove(path: Path, thumbprint: str) -> None:
    """Remove a key that does not sign. Raises SettingsError, also for an unknown one and for the one that signs."""
    keys = load_or_create(path)
    chosen = _of(keys, thumbprint, path)
    if chosen is keys[0]:
        raise SettingsError(
            f"{thumbprint} signs; let another key sign first (accounts signing-keys sign-with)"
        )
    _replace(path, [key for key in keys if key is not chosen])


def private_part(key: OKPKey) -> bytes:
    """Return what further secrets are derived from."""
    return str(key.as_dict(private=True)["d"]).encode()


def _of(keys: Sequence[OKPKey], thumbprint: str, path: Path) -> OKPKey:
    for key in keys:
        if key.thumbprint() == thumbprint:
            return key
    known = ", ".join(key.thumbprint() for key in keys)
    raise SettingsError(f"{path} holds no key {thumbprint}; it holds {known}")


def _replace(path: Path, keys: Sequence[OKPKey]) -> None:
    temporary = _written(path, {"keys": [key.as_dict(private=True) for key in keys]})
    temporary.replace(path)


def _create(path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = _written(path, OKPKey.generate_key("Ed25519").as_dict(private=True))
    try:
        with contextlib.suppress(FileExistsError):
            os.link(temporary, path)
    finally:
        temporary.unlink()


def _written(path: Path, document: object) -> Path:
    """Return a file in the folder of `path` with the document, synced to disk and readable by its owner alone."""
    descriptor, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        json.dump(document, file)
        file.flush()
        os.fsync(file.fileno())
    return Path(temporary)
