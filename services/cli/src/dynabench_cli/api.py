"""`dynabench api`: any request to the platform's interface, for what has no verb of its own."""

import json
import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any
from urllib.parse import parse_qs, quote, urljoin
from uuid import uuid4

import typer
from dynabench_client.connection import UPLOAD_TIMEOUT_SECONDS, Connection
from dynabench_client.errors import UnreachableError
from dynabench_client.transport import ANYTHING, JSON, NDJSON, READ_TIMEOUT_SECONDS, Call, Content, Reply
from dynabench_tasks.strict_json import read_json

from dynabench_cli import output
from dynabench_cli.line_files import STANDARD_INPUT, existing
from dynabench_cli.output import Output
from dynabench_cli.session import OURS, InputError, client_of

METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE")
ADDRESS = re.compile(r"/?(?:api/)?(?P<service>[a-z-]+)(?:/v1)?(?P<path>/[^?#]+)(?:\?(?P<query>[^#]*))?")
LINES_SUFFIXES = (".jsonl", ".ndjson")
IN_A_PATH = "/:%@!$&'()*+,;=~"
Fields = Annotated[
    list[str] | None,
    typer.Option(
        "-f",
        "--field",
        metavar="NAME=TEXT",
        help="Field of the body; of the query for GET or with --input. NAME:=JSON for other values. Repeat it",
    ),
]
Source = Annotated[
    Path | None,
    typer.Option(
        "--input",
        help="A file with the body, - for standard input; JSON, or JSON lines if it ends in .jsonl",
        callback=lambda path: path and existing(path),
    ),
]

app = typer.Typer()


def _method(name: str) -> str:
    if name.upper() not in METHODS:
        raise typer.BadParameter(f"{name!r} is none of {', '.join(METHODS)}.")
    return name.upper()


@app.command()
def api(
    context: typer.Context,
    method: Annotated[str, typer.Argument(help=", ".join(METHODS), callback=_method)],
    path: Annotated[str, typer.Argument(help="Such as annotation/tasks, or /api/annotation/v1/tasks")],
    fields: Fields = None,
    source: Source = None,
    paginate: Annotated[
        bool, typer.Option("--paginate", help="Read all pages of a list and print their items as one list")
    ] = False,
    key: Annotated[
        str | None, typer.Option("--idempotency-key", help="Key of a POST. Default: a new one")
    ] = None,
) -> None:
    """Send a request with the saved sign-in and print the answer."""
    service, place, query = _address(path)
    if paginate and method != "GET":
        raise InputError("Only lists have pages.", "Use --paginate with GET.")
    given = read_fields(fields or [])
    body: object | None = None
    if source is not None:
        query, body = query | given, _content(source)
    elif method == "GET":
        query |= given
    elif given or method != "DELETE":
        body = given
    connection = client_of(context).connection
    headers = {"Idempotency-Key": key or uuid4().hex} if method == "POST" else {}

    def send(more: Mapping[str, object]) -> Reply:
        return connection.send(
            service,
            method,
            place,
            body=body,
            query={**query, **more},
            headers=headers,
            timeout_seconds=READ_TIMEOUT_SECONDS if source is None else UPLOAD_TIMEOUT_SECONDS,
            accept=ANYTHING,
            streamed=True,
            takes_redirect=method == "GET",
        )

    try:
        _print(_joined(send) if paginate else _followed(connection, send({})))
    except UnreachableError as err:
        if method != "POST":
            raise
        remedy = (
            f"Repeat a try, a retraction or a vote with --idempotency-key {headers['Idempotency-Key']}; "
            "before any other, look whether it was carried out."
        )
        output.error(f"{err}. The request may have been carried out.", remedy)
        raise typer.Exit(OURS) from err


def _address(path: str) -> tuple[str, str, dict[str, object]]:
    """Return service, path and query of an address. Raises InputError."""
    found = ADDRESS.fullmatch(path)
    if found is None:
        raise InputError(
            f"{path!r} is no path of the interface.", "Write SERVICE/PATH, such as annotation/tasks."
        )
    query: dict[str, object] = dict(parse_qs(found["query"] or "", keep_blank_values=True))
    return found["service"], quote(found["path"], safe=IN_A_PATH), query


def read_fields(pairs: Sequence[str]) -> dict[str, object]:
    """Return the fields of `NAME=TEXT` and `NAME:=JSON`. Raises InputError."""
    given: dict[str, object] = {}
    for pair in pairs:
        name, equals, text = pair.partition("=")
        if not equals or not name.rstrip(":"):
            raise InputError(f"-f {pair!r} has no name.", "Write -f NAME=TEXT, or -f NAME:=JSON.")
        try:
            given[name.removesuffix(":")] = read_json(text) if name.endswith(":") else text
        except ValueError as err:
            raise InputError(f"-f {pair!r} is not JSON: {err}.", "Quote texts, or write NAME=TEXT.") from err
    return given


def _content(source: Path) -> Content:
    data = sys.stdin.buffer.read() if str(source) == STANDARD_INPUT else source.read_bytes()
    return Content(data, NDJSON if source.suffix in LINES_SUFFIXES else JSON)


def _followed(connection: Connection, reply: Reply) -> Reply:
    """Return the answer. A redirect leads out of the interface, so it is followed without the sign-in."""
    place = reply.headers.get("Location")
    if not 300 <= reply.status < 400 or place is None:
        return reply
    address = urljoin(f"{connection.addresses.origin}/", place)
    return connection.transport.send(Call("GET", address, accept=ANYTHING, streamed=True))


def _joined(send: Callable[[Mapping[str, object]], Reply]) -> Reply:
    """Return the first page with the items of all. Raises InputError for an answer that is no list."""
    first = reply = send({})
    whole = page = _page(reply)
    while page.get("next_cursor"):
        page = _page(send({"cursor": page["next_cursor"]}))
        whole["items"] += page["items"]
    whole["next_cursor"] = None
    return Reply(first.status, first.headers, iter([json.dumps(whole).encode()]))


def _page(reply: Reply) -> dict[str, Any]:
    document = json.loads(b"".join(reply.data)) if _is_json(reply) else None
    if not isinstance(document, dict) or not isinstance(document.get("items"), list):
        raise InputError("The answer is no list of items.", "Leave --paginate out.")
    return document


def _is_json(reply: Reply) -> bool:
    media_type = reply.headers.get("Content-Type", "").partition(";")[0].strip()
    return media_type == JSON or media_type.endswith("+json")


def _print(reply: Reply) -> None:
    """Write JSON as the other commands do, and anything else as it is."""
    pieces: Iterator[bytes] = reply.data
    if _is_json(reply):
        if text := b"".join(pieces):
            Output(as_json=True).document(json.loads(text))
        return
    target = typer.get_binary_stream("stdout")
    for piece in pieces:
        if target.isatty():
            raise InputError("The answer is a file, not JSON.", "Send it into a file: dynabench api … > FILE")
        target.write(piece)
    target.flush()
