"""Edge: Caddy, configured from the route table that every deployment shares.

The edge reads headers and body before it calls a service, within limits of size and time. A service has few threads,
and a slow request would block one of them. Only uploads, which are longer than the usual limit of a body, are streamed.
Services limit the number of uploads in progress. The same applies to answers and slow readers.
"""

import json
from collections.abc import Callable
from functools import partial
from http import HTTPStatus
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import yaml

from dynabench_local.layout import Layout
from dynabench_local.part import Part, answers

SECOND = 1_000_000_000
"""In nanoseconds, as Caddy counts where it takes a number."""
Upstream = Callable[[str], str]
MALFORMED = (
    *(
        "invalid byte in chunk",
        "malformed",
        "http chunk",
        "chunked encoding",
        "empty hex",
        "invalid empty chunk",
    ),
    *("header line too long", "suspiciously long trailer", "unexpected trailer", "invalid character in"),
)
"""First words of the errors of Go's body reader for a sender's mistake; those in a service's answer differ."""
WRITES = ["POST", "PUT", "PATCH", "DELETE"]


def part(layout: Layout, after: tuple[str, ...]) -> Part:
    """Return the edge as a part of the stack."""
    folder = layout.home / "edge"
    return Part(
        name="edge",
        command=(str(layout.scripts / "caddy"), "run", "--config", str(folder / "caddy.json")),
        directory=folder,
        environment={"XDG_DATA_HOME": str(folder), "XDG_CONFIG_HOME": str(folder), "HOME": str(folder)},
        after=after,
        prepare=partial(_prepare, layout, folder),
        is_ready=partial(answers, layout.url("edge") + "/edge-health"),
        remedy="Another program may hold its port: choose another PORT_BASE.",
    )


def _prepare(layout: Layout, folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    table = yaml.safe_load((layout.checkout / "deploy" / "routes.yaml").read_text())
    address = f"127.0.0.1:{layout.port('edge')}"
    path = urlsplit(layout.public_url).path
    wanted = configuration(address, lambda service: f"127.0.0.1:{layout.port(service)}", table, path=path)
    (folder / "caddy.json").write_text(json.dumps(wanted, indent=1))


def configuration(
    listen: str, upstream: Upstream, table: dict[str, Any], authorities: str = "", path: str = ""
) -> dict[str, Any]:
    """Return Caddy's configuration for a route table: where it listens, and where each service is.

    With `authorities`, a file of certificates, services are called over HTTPS and must show a certificate signed by
    these. A proxy before the edge may leave `path`, that of PUBLIC_URL, in the requested addresses, or remove it.
    """
    transport = _transport(authorities)
    routes: list[dict[str, Any]] = [
        {
            "match": [{"path": ["/edge-health"]}],
            "handle": [{"handler": "static_response", "status_code": 200}],
        },
        *_without(path),
        *_body_limits(table),
    ]
    buffered = table["max_body_bytes"] + 1
    routes += [
        _route(upstream(service), [f"/api/{service}/*"], buffered, transport) for service in table["api"]
    ]
    routes.append(_problem_route("/api/*", "No service answers at this address."))
    routes.append(_problem_route("/healthz/*", "Health is not public."))
    routes.append(_route(upstream(table["pages"]), None, buffered, transport))
    server = {
        "listen": [listen],
        "automatic_https": {"disable": True},
        "read_header_timeout": f"{table['header_seconds']}s",
        "max_header_bytes": table["max_header_bytes"],
        "idle_timeout": "75s",
        "routes": routes,
        "errors": {"routes": [_too_large_route(), _malformed_route(), unavailable_route()]},
    }
    return {
        "admin": {"disabled": True},
        "logging": {"logs": {"default": {"level": "WARN"}}},
        "apps": {"http": {"grace_period": "5s", "servers": {"edge": server}}},
    }


def _without(path: str) -> list[dict[str, Any]]:
    strip = {"handler": "rewrite", "strip_path_prefix": path}
    return [{"match": [{"path": [path, f"{path}/*"]}], "handle": [strip]}] if path else []


def _body_limits(table: dict[str, Any]) -> list[dict[str, Any]]:
    uploads = {"path": table["uploads"]["paths"]}
    limits = [({"not": [uploads]}, table), (uploads, table["uploads"])]
    return [
        *(
            _limit(match, {"handler": "request_body", "max_size": limit["max_body_bytes"]})
            for match, limit in limits
        ),
        # The limit ends the whole exchange, so it does not apply to long answers: those to a GET.
        *(
            _limit(
                {**match, "method": WRITES},
                {"handler": "timeouts", "read_timeout": limit["body_seconds"] * SECOND},
            )
            for match, limit in limits
        ),
    ]


def _limit(match: dict[str, Any], handler: dict[str, Any]) -> dict[str, Any]:
    return {"match": [match], "handle": [handler]}


def _transport(authorities: str) -> dict[str, Any]:
    plain = {"protocol": "http", "keep_alive": {"idle_timeout": "60s", "max_idle_conns_per_host": 128}}
    if not authorities:
        return plain
    return {**plain, "tls": {"ca": {"provider": "file", "pem_files": [authorities]}}}


def _route(address: str, paths: list[str] | None, buffered: int, transport: dict[str, Any]) -> dict[str, Any]:
    proxy = {
        "handler": "reverse_proxy",
        "request_buffers": buffered,
        "response_buffers": buffered,
        "upstreams": [{"dial": address}],
        "transport": transport,
    }
    route: dict[str, Any] = {"handle": [proxy], "terminal": True}
    if paths:
        route["match"] = [{"path": paths}]
    return route


def _problem(status: int, slug: str, title: str, detail: str) -> dict[str, Any]:
    body = {"type": f"/problems/{slug}", "title": title, "status": status, "detail": detail}
    headers = {"Content-Type": ["application/problem+json"]}
    if status == HTTPStatus.SERVICE_UNAVAILABLE:
        headers["Retry-After"] = ["2"]
    return {
        "handler": "static_response",
        "status_code": status,
        "headers": headers,
        "body": json.dumps(body),
    }


def _problem_route(path: str, detail: str) -> dict[str, Any]:
    return {
        "match": [{"path": [path]}],
        "handle": [_problem(404, "not-found", "Not Found", detail)],
        "terminal": True,
    }


def _too_large_route() -> dict[str, Any]:
    detail = "The request's body is larger than this address takes. Send less at a time."
    return {
        "match": [{"expression": "{http.error.status_code} == 413"}],
        "handle": [_problem(413, "request-entity-too-large", "Request Entity Too Large", detail)],
        "terminal": True,
    }


def _malformed_route() -> dict[str, Any]:
    """Return the route that refuses a malformed chunked body, which Caddy would report as a fault of the service."""
    detail = "The body's transfer encoding is malformed. Send Content-Length, or chunks as RFC 9112 describes them."
    matches = (
        f"{{http.error.status_code}} == 502 && {{http.error.message}}.matches('^({'|'.join(MALFORMED)})')"
    )
    return {
        "match": [{"expression": matches}],
        "handle": [_problem(400, "body-malformed", "Unreadable body", detail)],
        "terminal": True,
    }


def unavailable_route() -> dict[str, Any]:
    """Return the route with the answer for a service that does not respond."""
    detail = (
        "The service behind this address is not answering just now. Repeat the request in 2 s, "
        "with the same Idempotency-Key if it is a write: it may have been stored."
    )
    return {"handle": [_problem(503, "service-unavailable", "Service unavailable", detail)]}
