"""`dynabench models sign` and `verify`."""

from pathlib import Path
from typing import Annotated

import typer
from dynabench_archives.digests import file_digest
from dynabench_toolkit import signing

from dynabench_cli.output import AsJson, Output

app = typer.Typer()

File = Annotated[Path, typer.Argument(help="A .mar archive", exists=True, dir_okay=False)]
Signature = Annotated[Path | None, typer.Option(help=f"File of the signature. Default: FILE{signing.SUFFIX}")]


@app.command()
def sign(
    file: File,
    key: Annotated[Path, typer.Option(help="Your private key, PEM", exists=True, dir_okay=False)],
    signature: Signature = None,
    ask_password: Annotated[
        bool, typer.Option("--ask-password", help="Ask for the password of the key")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Sign an archive with your own key. Writes the signature and the public key next to the archive."""
    target = signature or signing.signature_file(file)
    password = (
        typer.prompt("Password of the key", hide_input=True, err=True).encode() if ask_password else None
    )
    fingerprint = signing.sign(file, key, target, password)
    document = {
        "file": str(file),
        "digest": file_digest(file),
        "signature": str(target),
        "public_key": str(signing.public_key_file(target)),
        "signed_by": fingerprint,
    }
    Output(as_json).record(document)


@app.command()
def verify(
    file: File,
    key: Annotated[Path, typer.Option(help="The signer's public key, PEM", exists=True, dir_okay=False)],
    signature: Signature = None,
    as_json: AsJson = False,
) -> None:
    """Check an archive against its signature and the signer's key. Exit code 1 if they do not match."""
    source = signature or signing.signature_file(file)
    signing.verify(file, key, source)
    document = {"file": str(file), "digest": file_digest(file), "signature": str(source), "verified": True}
    Output(as_json).record(document)
