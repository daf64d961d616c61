"""Pods of one namespace, asked of the Kubernetes API: five calls, with the token of this pod's service account.

The official client would bring some fifteen packages into every service's image for these five.
"""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode

import urllib3

from model_agent.sandbox.client import printable
from model_agent.sandbox.cluster import PodsRefused, Seen

ACCOUNT = Path("/var/run/secrets/kubernetes.io/serviceaccount")
TIMEOUT = urllib3.Timeout(connect=3.0, read=10.0)
GRACE_SECONDS = 1
CONNECTIONS = 8
PRINTED_TOO_MUCH = "ephemeral local storage"
ABSENT = 404


class ClusterPods:
    """The pods of a namespace, as the service account may touch them; its token is read anew for each call."""

    def __init__(self, host: str, port: int, namespace: str, account: Path = ACCOUNT) -> None:
        """Speak to the API server at this address. Raises PodsRefused without a service account's files."""
        self._token_file = account / "token"
        authorities = account / "ca.crt"
        if not authorities.is_file():
            raise PodsRefused(f"{authorities} is missing: this process has no service account with a token")
        shown = f"[{host}]" if ":" in host else host
        self._url = f"https://{shown}:{port}/api/v1/namespaces/{quote(namespace, safe='')}/pods"
        self._pool = urllib3.PoolManager(
            ca_certs=str(authorities), retries=False, timeout=TIMEOUT, maxsize=CONNECTIONS
        )

    def create(self, manifest: Mapping[str, Any]) -> None:
        """Have a pod made."""
        self._call("POST", "", body=manifest)

    def see(self, name: str) -> Seen | None:
        """Return a pod; None if there is none."""
        answer = self._call("GET", f"/{quote(name)}")
        return None if answer is None else seen(json.loads(answer))

    def printed(self, name: str, last_bytes: int) -> str:
        """Return the last that its container printed; empty if that can't be read."""
        try:
            answer = self._call("GET", f"/{quote(name)}/log", {"tailLines": 2_000})
        except PodsRefused:
            return ""
        return (answer or b"")[-last_bytes:].decode("utf-8", "replace")

    def names(self, labels: Mapping[str, str]) -> Sequence[str]:
        """Return the names of the pods that carry the labels."""
        selector = ",".join(f"{name}={value}" for name, value in sorted(labels.items()))
        answer = json.loads(self._call("GET", "", {"labelSelector": selector}) or b'{"items": []}')
        return [str(each["metadata"]["name"]) for each in answer["items"]]

    def delete(self, name: str) -> None:
        """Have a pod ended and removed; one that is not there is no matter."""
        self._call("DELETE", f"/{quote(name)}", {"gracePeriodSeconds": GRACE_SECONDS})

    def _call(
        self, method: str, path: str, query: Mapping[str, Any] | None = None, body: Any = None
    ) -> bytes | None:
        """Return the bytes of the answer; None where what is asked for is not there. Raises PodsRefused."""
        try:
            headers = {"Authorization": f"Bearer {self._token_file.read_text().strip()}"}
            if body is not None:
                headers["Content-Type"] = "application/json"
            answer = self._pool.request(
                method,
                f"{self._url}{path}?{urlencode(query or {})}",
                body=None if body is None else json.dumps(body).encode(),
                headers=headers,
            )
        except (urllib3.exceptions.HTTPError, OSError) as err:
            raise PodsRefused(f"the cluster does not answer: {printable(err)}") from err
        if 200 <= answer.status < 300:
            return answer.data
        if answer.status == ABSENT and path:
            return None
        raise PodsRefused(f"the cluster refuses with {answer.status}: {_message(answer.data)}")


def seen(pod: Mapping[str, Any]) -> Seen:
    """Read a pod's state from the cluster's document."""
    status = pod.get("status", {})
    states = [each["state"] for each in status.get("containerStatuses") or ()]
    container: Mapping[str, Any] = states[0] if states else {}
    waiting = container.get("waiting") or _not_placed(status)
    waits = ": ".join(printable(waiting[key]) for key in ("reason", "message") if waiting.get(key))
    return Seen(
        address=status.get("podIP"),
        is_running="running" in container,
        ended=_ended(status, container.get("terminated")),
        was_taken_away=_was_taken_away(status),
        status=(container.get("terminated") or {}).get("exitCode"),
        waits=waits,
    )


def _not_placed(status: Mapping[str, Any]) -> Mapping[str, Any]:
    conditions = status.get("conditions") or ()
    return next(
        (each for each in conditions if each["type"] == "PodScheduled" and each["status"] == "False"), {}
    )


def _ended(status: Mapping[str, Any], terminated: Mapping[str, Any] | None) -> str | None:
    if terminated is not None:
        if terminated.get("reason") == "OOMKilled":
            return "it ran out of memory"
        return f"it ended by itself with status {terminated.get('exitCode')}"
    if status.get("phase") in ("Failed", "Succeeded"):
        return printable(status.get("message") or status.get("reason") or "its pod ended")
    return None


def _was_taken_away(status: Mapping[str, Any]) -> bool:
    """Return whether the cluster ended it: evicted for want of room, preempted, drained, lost with its node."""
    if PRINTED_TOO_MUCH in status.get("message", ""):
        return False
    disrupted = any(
        each["type"] == "DisruptionTarget" and each["status"] == "True"
        for each in status.get("conditions") or ()
    )
    return disrupted or (status.get("phase") == "Failed" and bool(status.get("reason")))


def _message(data: bytes) -> str:
    try:
        return printable(json.loads(data)["message"])
    except (ValueError, KeyError, TypeError):
        return printable(data.decode("utf-8", "replace"))
