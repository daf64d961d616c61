"""`dynabench models sign` and `verify`: an archive signed with a key of one's own, in the format of model-signing.

The library comes with `pip install 'dynabench-client[signing]'` and is imported only here. `models submit` sends a
signature along, and the platform verifies it. It tells whose key made the bytes, not what they do: it opens no way
around checks and sandboxes.
"""

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import Annotated

import typer
from dynabench_archives.digests import file_digest

from dynabench_client.cli.output import AsJson, Output
from dynabench_client.cli.session import InputError

app = typer.Typer()

SUFFIX = ".sig"
PUBLIC_SUFFIX = ".pub.pem"
PRIVATE_KEY = b"PRIVATE KEY-----"
LARGEST_SIGNATURE, LARGEST_KEY = 50_000, 5_000
"""Bytes; the registry takes no more."""
MAKE_KEYS = "openssl ecparam -name prime256v1 -genkey -noout -out KEY.pem makes one"
File = Annotated[Path, typer.Argument(help="A .mar archive", exists=True, dir_okay=False)]
Signature = Annotated[Path | None, typer.Option(help=f"The signature's file; else FILE{SUFFIX}")]


@app.command()
def sign(
    file: File,
    key: Annotated[Path, typer.Option(help="Your private key, PEM", exists=True, dir_okay=False)],
    signature: Signature = None,
    ask_password: Annotated[
        bool, typer.Option("--ask-password", help="The key has a password: ask for it")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Sign an archive with one's own key; signature and public key are written beside it."""
    target = signature or _beside(file)
    # Bytes: the library says that it takes a text, and hands it on to what takes none.
    password = (
        typer.prompt("Password of the key", hide_input=True, err=True).encode() if ask_password else None
    )
    library = _library()
    public = public_key_beside(target)
    with _refusals(f"{key} can't be used", f"Name a private elliptic key in PEM: {MAKE_KEYS}."):
        signer = library.signing.Config().use_elliptic_key_signer(private_key=key, password=password)
        signer.sign(file, target)
        public.write_bytes(_public_key(key, password))
    document = {
        "file": str(file),
        "digest": file_digest(file),
        "signature": str(target),
        "public_key": str(public),
        "signed_by": f"sha256:{hashlib.sha256(public.read_bytes()).hexdigest()}",
    }
    Output(as_json).record(document)


@app.command()
def verify(
    file: File,
    key: Annotated[Path, typer.Option(help="The signer's public key, PEM", exists=True, dir_okay=False)],
    signature: Signature = None,
    as_json: AsJson = False,
) -> None:
    """Tell whether an archive is as the owner of a key signed it; exit code 1 if not."""
    source = signature or _beside(file)
    if not source.is_file():
        raise InputError(f"There is no signature {source}.", "Name it with --signature.")
    library = _library()
    with _refusals(
        f"{file} is not as the owner of {key.name} signed it",
        "Get archive, signature and public key again from whoever signed it; trust none of them before.",
    ):
        library.verifying.Config().use_elliptic_key_verifier(public_key=key).verify(file, source)
    document = {"file": str(file), "digest": file_digest(file), "signature": str(source), "verified": True}
    Output(as_json).record(document)


def signature_of(file: Path, signature: Path | None, key: Path | None) -> dict[str, str] | None:
    """Return the signature that is sent with an archive; None where none is named and none lies beside the file.

    Raises InputError where one of signature and public key is named, and the other is nowhere.
    """
    bundle = signature or _beside(file)
    public = key or public_key_beside(bundle)
    if signature is None and key is None and not (bundle.is_file() and public.is_file()):
        return None
    for path, option in ((bundle, "--signature"), (public, "--key")):
        if not path.is_file():
            raise InputError(
                f"There is no {path}.", f"Name it with {option}, or sign with dynabench models sign."
            )
    for path, most in ((bundle, LARGEST_SIGNATURE), (public, LARGEST_KEY)):
        if path.stat().st_size > most:
            raise InputError(
                f"{path} has {path.stat().st_size:,} bytes; {most:,} are the most.",
                "Name what dynabench models sign wrote, and the public key in PEM.",
            )
        if PRIVATE_KEY in path.read_bytes():
            raise InputError(
                f"{path} is a private key; it was not sent.",
                f"Keep it to yourself, and name the public key: sign writes it to FILE{SUFFIX}{PUBLIC_SUFFIX}.",
            )
    try:
        return {"bundle": bundle.read_text("utf-8"), "public_key": public.read_text("utf-8")}
    except UnicodeDecodeError as err:
        raise InputError(
            f"{bundle} or {public} is no text.",
            "Name what dynabench models sign wrote, and the public key in PEM.",
        ) from err


def public_key_beside(signature: Path) -> Path:
    """Return where `sign` writes the public key of a signature."""
    return signature.with_name(f"{signature.name}{PUBLIC_SUFFIX}")


def _public_key(private: Path, password: bytes | None) -> bytes:
    """Return the public half of a private key, in PEM. Raises ValueError, TypeError."""
    from cryptography.hazmat.primitives import serialization

    pem, form = serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo
    key = serialization.load_pem_private_key(private.read_bytes(), password)
    return key.public_key().public_bytes(pem, form)


def _beside(file: Path) -> Path:
    return file.with_name(f"{file.name}{SUFFIX}")


def _library() -> ModuleType:
    try:
        import model_signing
    except ImportError as err:
        raise InputError(
            "The library model-signing is not installed.",
            "pip install model-signing pyopenssl, into the environment of this command.",
        ) from err
    return model_signing


@contextmanager
def _refusals(what: str, remedy: str) -> Iterator[None]:
    """Turn what the library raises, which names no error of its own, into one line."""
    try:
        yield
    except (ValueError, TypeError, KeyError, OSError) as err:
        reason = str(err).splitlines()[0][:160] if str(err) else type(err).__name__
        raise InputError(f"{what}: {reason}", remedy) from err
