"""`dynabench models sign` and `verify`: an archive signed with a key of one's own, in the format of model-signing.

The library comes with `pip install 'dynabench-client[signing]'` and is imported only here. A signature tells who made
the bytes, not what they do: checks and sandboxes ask nothing about it.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import Annotated

import typer
from dynabench_archives.digests import file_digest

from dynabench_client.cli.output import AsJson, Output
from dynabench_client.cli.session import InputError

SUFFIX = ".sig"
MAKE_KEYS = "openssl ecparam -name prime256v1 -genkey -noout -out KEY.pem makes one"
File = Annotated[Path, typer.Argument(help="A .mar archive", exists=True, dir_okay=False)]
Signature = Annotated[Path | None, typer.Option(help=f"The signature's file; else FILE{SUFFIX}")]


def sign(
    file: File,
    key: Annotated[Path, typer.Option(help="Your private key, PEM", exists=True, dir_okay=False)],
    signature: Signature = None,
    ask_password: Annotated[
        bool, typer.Option("--ask-password", help="The key has a password: ask for it")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Sign an archive with one's own key; the signature is written beside it."""
    target = signature or _beside(file)
    # Bytes: the library says that it takes a text, and hands it on to what takes none.
    password = (
        typer.prompt("Password of the key", hide_input=True, err=True).encode() if ask_password else None
    )
    library = _library()
    with _refusals(f"{key} can't be used", f"Name a private elliptic key in PEM: {MAKE_KEYS}."):
        signer = library.signing.Config().use_elliptic_key_signer(private_key=key, password=password)
        signer.sign(file, target)
    document = {"file": str(file), "digest": file_digest(file), "signature": str(target)}
    Output(as_json).record(document)


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
