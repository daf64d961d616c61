"""Load balancer for the replicas of services: a second Caddy, on the port of a service without replicas.

Requests are distributed round robin. If a replica accepts no connection, the next one is tried at once. That is safe
for any request, since nothing was sent. A replica gets no requests until it reports that it is ready.
"""

import json
import socket
from functools import partial
from pathlib import Path
from typing import Any

from dynabench_local.edge import unavailable_route
from dynabench_local.layout import Layout
from dynabench_local.part import Part
from dynabench_local.services import WITH_HTTP

LOOK_SECONDS = 2
PATIENCE_SECONDS = 5
"""Longest wait of a request for an available replica."""


def part(layout: Layout) -> Part:
    """Return the balancer as a part of the stack."""
    folder = layout.home / "balancer"
    return Part(
        name="balancer",
        command=(str(layout.scripts / "caddy"), "run", "--config", str(folder / "caddy.json")),
        directory=folder,
        environment={"XDG_DATA_HOME": str(folder), "XDG_CONFIG_HOME": str(folder), "HOME": str(folder)},
        prepare=partial(_prepare, layout, folder),
        is_ready=partial(_listens, layout.port("web")),
        remedy="Another program may hold its ports: choose another PORT_BASE.",
    )


def _prepare(layout: Layout, folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "caddy.json").write_text(json.dumps(configuration(layout), indent=1))


def _listens(port: int) -> bool:
    with socket.socket() as connection:
        return connection.connect_ex(("127.0.0.1", port)) == 0


def configuration(layout: Layout) -> dict[str, Any]:
    """Return Caddy's configuration: a server for each service, before its replicas."""
    return {
        "admin": {"disabled": True},
        "logging": {"logs": {"default": {"level": "ERROR"}}},
        "apps": {
            "http": {
                "grace_period": "5s",
                "servers": {service: _server(layout, service) for service in WITH_HTTP},
            }
        },
    }


def _server(layout: Layout, service: str) -> dict[str, Any]:
    addresses = [f"127.0.0.1:{layout.http_port(part)}" for part in layout.replicas_of(f"{service}-http")]
    proxy = {
        "handler": "reverse_proxy",
        "upstreams": [{"dial": address} for address in addresses],
        "load_balancing": {
            "selection_policy": {"policy": "round_robin"},
            "try_duration": f"{PATIENCE_SECONDS}s",
            "try_interval": "50ms",
        },
        "health_checks": {
            "active": {"uri": "/healthz/ready", "interval": f"{LOOK_SECONDS}s", "timeout": "5s", "fails": 2},
            "passive": {"fail_duration": f"{LOOK_SECONDS}s"},
        },
        # Services read where a request comes from: as the edge or the pages saw it, not the balancer.
        "headers": {"request": {"set": {"X-Forwarded-For": ["{http.request.header.X-Forwarded-For}"]}}},
        "transport": {
            "protocol": "http",
            "keep_alive": {"idle_timeout": "60s", "max_idle_conns_per_host": 128},
        },
    }
    return {
        "listen": [f"127.0.0.1:{layout.port(service)}"],
        "automatic_https": {"disable": True},
        "idle_timeout": "75s",
        "routes": [{"handle": [proxy]}],
        "errors": {"routes": [unavailable_route()]},
    }
