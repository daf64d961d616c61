"""TorchServe's management and inference interfaces over HTTP.

TorchServe answers a wrong or expired key with status 400, like many other errors; the error's type distinguishes them.
The client then reads the key file again, since TorchServe makes new keys at each start.
"""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode

import urllib3
from dynabench_archives.model_servers import Registration, Served, Worker
from dynabench_common.pools import new_pool

from model_agent.errors import ModelServerAway, ModelServerRefused
from model_agent.process_memory import worker_peak_bytes

KEY_REFUSED = "InvalidKeyException"
PAGE = 100
MANAGEMENT_SECONDS = 10.0
PROBE_SECONDS = 10.0
# It unpacks the archive before it answers, perhaps while the workers of others start.
REGISTER_SECONDS = 60.0
UNREGISTER_SECONDS = 60.0


class Keys:
    """The keys in use, by the name of their interface: `management`, `inference`.

    TorchServe makes them anew at each start, and writes them to `key_file.json`.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._keys: dict[str, str] = {}

    def current(self, interface: str) -> str:
        """Return a key, read at its first use; empty while there is no file."""
        if not self._keys:
            self.reread()
        return self._keys.get(interface, "")

    def reread(self) -> bool:
        """Read the file; tell whether a key is another one now. A missing file leaves the old ones."""
        try:
            content = json.loads(self._path.read_text(encoding="utf-8"))
            keys = {interface: str(content[interface]["key"]) for interface in ("management", "inference")}
        except (OSError, ValueError, KeyError, TypeError):
            return False
        is_new = keys != self._keys
        self._keys = keys
        return is_new


class TorchServe:
    """The model server."""

    def __init__(self, management_url: str, inference_url: str, keys: Keys) -> None:
        self._addresses = {"management": management_url.rstrip("/"), "inference": inference_url.rstrip("/")}
        self._keys = keys
        self._pool = new_pool(maxsize=4)

    def served(self) -> Mapping[str, Served]:
        """Return everything that is registered, by name. Raises ModelServerAway."""
        found = {}
        for name in self._names():
            try:
                described = self._call("management", "GET", f"/models/{quote(name, safe='')}")
            except ModelServerRefused as err:
                if err.status == 404:
                    continue  # unregistered since it was listed
                raise ModelServerAway(str(err)) from err
            found[name] = _read_served(name, described)
        return found

    def register(self, registration: Registration) -> None:
        """Begin to serve. Raises ModelServerRefused, for example for a missing archive."""
        if registration.archive is None:
            raise ModelServerRefused("there is no archive")
        options = {
            "url": registration.archive.file,
            "model_name": registration.serving_name,
            "batch_size": registration.batch_size,
            "max_batch_delay": registration.max_batch_delay_milliseconds,
            "response_timeout": registration.response_timeout_seconds,
            "initial_workers": registration.workers,
            "synchronous": "false",
        }
        self._call("management", "POST", f"/models?{urlencode(options)}", timeout=REGISTER_SECONDS)

    def unregister(self, serving_name: str) -> None:
        """Stop serving."""
        self._call(
            "management", "DELETE", f"/models/{quote(serving_name, safe='')}", timeout=UNREGISTER_SECONDS
        )

    def scale(self, serving_name: str, workers: int) -> None:
        """Begin to change the number of workers."""
        options = urlencode({"min_worker": workers, "max_worker": workers, "synchronous": "false"})
        self._call("management", "PUT", f"/models/{quote(serving_name, safe='')}?{options}")

    def probe(self, registration: Registration) -> tuple[str, str]:
        """Return the digests that a real answer carries. Raises ModelServerRefused for an unusable one."""
        member = "explanations" if registration.explains else "predictions"
        body: dict[str, Any] = {"instances": [registration.sample_instance()]}
        if registration.explains:
            body["parameters"] = {"n_steps": 1}
        path = f"/predictions/{quote(registration.serving_name, safe='')}"
        answer = self._call("inference", "POST", path, body, PROBE_SECONDS)
        try:
            entry = answer[member][0]
            digests = str(answer["model_digest"]), str(answer["handler_digest"])
        except (KeyError, IndexError, TypeError) as err:
            raise ModelServerRefused(f"the answer has no {member}") from err
        if "error" in entry:
            raise ModelServerRefused(f"the answer is an error: {entry['error']}")
        return digests

    def _names(self) -> list[str]:
        names: list[str] = []
        token: str | None = ""
        while token is not None:
            options = {"limit": PAGE, **({"next_page_token": token} if token else {})}
            page = self._call("management", "GET", f"/models?{urlencode(options)}")
            names += [str(model["modelName"]) for model in page["models"]]
            token = page.get("nextPageToken")
        return names

    def _call(
        self,
        interface: str,
        method: str,
        path: str,
        body: object | None = None,
        timeout: float = MANAGEMENT_SECONDS,
    ) -> Any:
        status, answer = self._send(interface, method, path, body, timeout)
        if _is_key_refused(status, answer) and self._keys.reread():
            status, answer = self._send(interface, method, path, body, timeout)
        if _is_key_refused(status, answer):
            raise ModelServerAway("it refuses the key in its key file")
        if not 200 <= status < 300:
            message = answer.get("message", "") if isinstance(answer, dict) else ""
            raise ModelServerRefused(f"status {status}: {str(message)[:300]}", status)
        return answer

    def _send(
        self, interface: str, method: str, path: str, body: object | None, timeout: float
    ) -> tuple[int, Any]:
        headers = {"Authorization": f"Bearer {self._keys.current(interface)}"}
        if body is not None:
            headers["Content-Type"] = "application/json"
        try:
            response = self._pool.request(
                method,
                self._addresses[interface] + path,
                body=None if body is None else json.dumps(body).encode(),
                headers=headers,
                timeout=urllib3.Timeout(connect=2.0, read=timeout),
            )
        except urllib3.exceptions.ReadTimeoutError as err:
            raise ModelServerRefused(f"no answer within {timeout:g} s") from err
        except urllib3.exceptions.HTTPError as err:
            raise ModelServerAway(type(err).__name__) from err
        try:
            return response.status, json.loads(response.data or b"null")
        except ValueError:
            return response.status, None


def _worker(pid: int, status: str) -> Worker:
    return Worker(pid, status, worker_peak_bytes(pid))


def _is_key_refused(status: int, answer: Any) -> bool:
    return status in {400, 401, 403} and isinstance(answer, dict) and answer.get("type") == KEY_REFUSED


def _read_served(name: str, described: Any) -> Served:
    version = described[0]
    return Served(
        serving_name=name,
        file=str(version["modelUrl"]).rsplit("/", 1)[-1],
        batch_size=int(version["batchSize"]),
        max_batch_delay_milliseconds=int(version["maxBatchDelay"]),
        response_timeout_seconds=int(version["responseTimeout"]),
        min_workers=int(version["minWorkers"]),
        workers=tuple(_worker(int(worker["pid"]), str(worker["status"])) for worker in version["workers"]),
    )
