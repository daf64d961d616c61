"""The Ed25519 key that signs access tokens, kept as a JWK in one file.

The file is made at first start. Several processes may start at once: each writes its own temporary file and
links it to the final name, which only one can do; all of them then read what that one wrote.
"""

import contextlib
import json
import os
import stat
import tempfile
from pathlib import Path
from typing import Any

from dynabench_common.settings import SettingsError
from joserfc.errors import JoseError
from joserfc.jwk import OKPKey


def load_or_create(path: Path) -> OKPKey:
    """Return the key in `path`, made first if there is none.

    Raises SettingsError for a file that others may read, or that holds no Ed25519 private key.
    """
    if not path.exists():
        _create(path)
    mode = stat.S_IMODE(path.stat().st_mode)
    if mode & 0o077:
        raise SettingsError(f"{path} can be read by others (mode {mode:o}); run: chmod 600 {path}")
    try:
        key = OKPKey.import_key(json.loads(path.read_text(encoding="utf-8")))
    except (JoseError, ValueError, TypeError, KeyError) as err:
        raise SettingsError(f"{path} holds no JWK; restore it, or remove it to sign everyone out") from err
    if key.curve_name != "Ed25519" or not key.is_private:
        raise SettingsError(f"{path} must hold a private Ed25519 key")
    return key


def public_jwks(key: OKPKey) -> dict[str, Any]:
    """Return the key set that other services check tokens with."""
    document = {**key.as_dict(private=False), "kid": key.thumbprint(), "use": "sig", "alg": "EdDSA"}
    return {"keys": [document]}


def _create(path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    document = json.dumps(OKPKey.generate_key("Ed25519").as_dict(private=True))
    descriptor, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            file.write(document)
            file.flush()
            os.fsync(file.fileno())
        with contextlib.suppress(FileExistsError):
            os.link(temporary, path)
    finally:
        Path(temporary).unlink()
