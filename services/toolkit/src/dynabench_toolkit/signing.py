"""Signatures of archives with one's own key, in the format of model-signing.

The library comes with `pip install 'dynabench-toolkit[signing]'` and is imported only here. A signature proves who made
the bytes, not what they do: it replaces no check and no sandbox.
"""

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType

SUFFIX = ".sig"
PUBLIC_SUFFIX = ".pub.pem"
PRIVATE_KEY = b"PRIVATE KEY-----"
LARGEST_SIGNATURE, LARGEST_KEY = 50_000, 5_000
"""Bytes; the registry takes no more."""
MAKE_KEYS = "openssl ecparam -name prime256v1 -genkey -noout -out KEY.pem makes one"


class SignatureRefused(Exception):
    """An archive, key or signature that can't be used: what is wrong and its remedy."""

    def __init__(self, what: str, remedy: str) -> None:
        super().__init__(what)
        self.what = what
        self.remedy = remedy


def signature_file(archive: Path) -> Path:
    """Return the default file of an archive's signature."""
    return archive.with_name(f"{archive.name}{SUFFIX}")


def public_key_file(signature: Path) -> Path:
    """Return the file that `sign` writes the public key of a signature to."""
    return signature.with_name(f"{signature.name}{PUBLIC_SUFFIX}")


def sign(archive: Path, key: Path, signature: Path, password: bytes | None) -> str:
    """Write signature and public key; return the key's fingerprint. Raises SignatureRefused."""
    library = _library()
    public = public_key_file(signature)
    with _refusals(f"{key} can't be used", f"Name a private elliptic key in PEM: {MAKE_KEYS}."):
        # The library declares the password as text, but passes it to a function that takes bytes.
        signer = library.signing.Config().use_elliptic_key_signer(private_key=key, password=password)
        signer.sign(archive, signature)
        public.write_bytes(_public_key(key, password))
    return f"sha256:{hashlib.sha256(public.read_bytes()).hexdigest()}"


def verify(archive: Path, key: Path, signature: Path) -> None:
    """Check an archive against its signature. Raises SignatureRefused."""
    if not signature.is_file():
        raise SignatureRefused(f"There is no signature {signature}.", "Name it with --signature.")
    library = _library()
    with _refusals(
        f"{archive} is not as the owner of {key.name} signed it",
        "Get archive, signature and public key again from whoever signed it; trust none of them before.",
    ):
        library.verifying.Config().use_elliptic_key_verifier(public_key=key).verify(archive, signature)


def signature_of(archive: Path, signature: Path | None, key: Path | None) -> dict[str, str] | None:
    """Return the signature to send with an archive; None if none is named and none lies next to the archive.

    Raises SignatureRefused if only one of signature and public key is named, and the other does not exist.
    """
    bundle = signature or signature_file(archive)
    public = key or public_key_file(bundle)
    if signature is None and key is None and not (bundle.is_file() and public.is_file()):
        return None
    for path, option in ((bundle, "--signature"), (public, "--key")):
        if not path.is_file():
            raise SignatureRefused(
                f"There is no {path}.", f"Name it with {option}, or sign with dynabench models sign."
            )
    for path, most in ((bundle, LARGEST_SIGNATURE), (public, LARGEST_KEY)):
        if path.stat().st_size > most:
            raise SignatureRefused(
                f"{path} has {path.stat().st_size:,} bytes; {most:,} are the most.",
                "Name what dynabench models sign wrote, and the public key in PEM.",
            )
        if PRIVATE_KEY in path.read_bytes():
            raise SignatureRefused(
                f"{path} is a private key; it was not sent.",
                f"Keep it to yourself, and name the public key: sign writes it to FILE{SUFFIX}{PUBLIC_SUFFIX}.",
            )
    try:
        return {"bundle": bundle.read_text("utf-8"), "public_key": public.read_text("utf-8")}
    except UnicodeDecodeError as err:
        raise SignatureRefused(
            f"{bundle} or {public} is no text.",
            "Name what dynabench models sign wrote, and the public key in PEM.",
        ) from err


def _public_key(private: Path, password: bytes | None) -> bytes:
    """Return the public half of a private key, in PEM. Raises ValueError, TypeError."""
    from cryptography.hazmat.primitives import serialization

    pem, form = serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo
    key = serialization.load_pem_private_key(private.read_bytes(), password)
    return key.public_key().public_bytes(pem, form)


def _library() -> ModuleType:
    try:
        import model_signing
    except ImportError as err:
        raise SignatureRefused(
            "The library model-signing is not installed.",
            "pip install model-signing pyopenssl, into the environment of this command.",
        ) from err
    return model_signing


@contextmanager
def _refusals(what: str, remedy: str) -> Iterator[None]:
    """Turn the library's errors, which have no common class, into one line. Raises SignatureRefused."""
    try:
        yield
    except (ValueError, TypeError, KeyError, OSError) as err:
        reason = str(err).splitlines()[0][:160] if str(err) else type(err).__name__
        raise SignatureRefused(f"{what}: {reason}", remedy) from err
