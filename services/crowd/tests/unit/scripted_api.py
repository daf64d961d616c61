"""An HTTP server that answers as a test has it answer, and notes what it was asked."""

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, NamedTuple
from urllib.parse import urlsplit

DROP = 0
"""The status of an answer that never comes: the server closes the connection after reading the request."""


class Asked(NamedTuple):
    method: str
    path: str
    body: Any
    headers: dict[str, str]


class ScriptedApi:
    """Each path has a list of answers; the last one stays."""

    def __init__(self) -> None:
        self.asked: list[Asked] = []
        self._answers: dict[tuple[str, str], list[tuple[int, Any]]] = {}
        api = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self) -> None:
                body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
                api.asked.append(
                    Asked(self.command, self.path, json.loads(body or b"null"), dict(self.headers.items()))
                )
                status, answer = api._next(self.command, self.path)
                if status == DROP:
                    self.close_connection = True
                    return
                data = answer if isinstance(answer, bytes) else json.dumps(answer).encode()
                self.send_response(status)
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

            do_POST = do_PATCH = do_GET

            def log_message(self, *_: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"
        threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True).start()

    def on(self, method: str, path: str, *answers: tuple[int, Any]) -> None:
        self._answers[method, path] = list(answers)

    def changes(self) -> list[tuple[str, str, Any]]:
        return [(each.method, each.path, each.body) for each in self.asked if each.method != "GET"]

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()

    def _next(self, method: str, path: str) -> tuple[int, Any]:
        whole = self._answers.get((method, path))
        answers = (
            whole or self._answers.get((method, urlsplit(path).path)) or [(404, {"error": {"detail": "?"}})]
        )
        return answers.pop(0) if len(answers) > 1 else answers[0]
