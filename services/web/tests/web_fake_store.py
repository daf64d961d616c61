"""The object store of the fake platform: takes parts of archives from pages of any origin."""

from threading import Event
from typing import Any

from flask import Flask, Response, request
from werkzeug.middleware.dispatcher import DispatcherMiddleware

MOUNT = "/store"
PATIENCE_SECONDS = 30


class Store:
    """A store of uploaded parts; each number in `refused` makes one request for that part fail with 500."""

    def __init__(self) -> None:
        self.held: dict[str, dict[int, bytes]] = {}
        self.order: list[int] = []
        self.refused: list[int] = []
        self.refusals = 0
        self.may_store = Event()
        self.may_store.set()

    def beside(self, app: Flask) -> Any:
        """Return an application that serves `app` and, under its own path, the store."""
        return DispatcherMiddleware(app, {MOUNT: self._app()})

    def _app(self) -> Flask:
        app = Flask("fake_store")

        @app.put("/<submission_id>/<int:number>")
        def put_part(submission_id: str, number: int) -> Response:
            content = request.get_data()
            self.may_store.wait(PATIENCE_SECONDS)
            if number in self.refused:
                self.refused.remove(number)
                self.refusals += 1
                return Response(status=500)
            self.held.setdefault(submission_id, {})[number] = content
            self.order.append(number)
            return Response(status=200)

        @app.after_request
        def allow_pages(answer: Response) -> Response:
            answer.headers["Access-Control-Allow-Origin"] = request.headers.get("Origin", "*")
            answer.headers["Access-Control-Allow-Methods"] = "PUT"
            return answer

        return app
