"""Tasks: their configurations and versions, the models that fit them, their images.

An image's bytes go to an address that the platform signed, outside of its own interface.
"""

from collections.abc import Mapping
from typing import Literal, overload

import urllib3
from urllib3.exceptions import HTTPError

from dynabench_client.areas.people import forwarded
from dynabench_client.connection import Area, Values, given, segment
from dynabench_client.errors import UnreachableError
from dynabench_client.results.annotation import (
    Answers,
    ConfigurationChange,
    ConfigurationCheck,
    FrontAnswer,
    FrontModel,
    Image,
    ImageContent,
    ImageStart,
    Inspection,
    Task,
    TaskModel,
    TaskSummary,
    TaskVersion,
    VersionedConfiguration,
)
from dynabench_client.results.base import Page

SANDBOX_TIMEOUT_SECONDS = 120.0
ANY_IMAGE = "image/*"
CONNECT_SECONDS, READ_SECONDS = 5.0, 120.0


class TasksClient(Area):
    """The part of the annotation service's client that is about tasks as such."""

    service = "annotation"

    def check_configuration(self, configuration: str) -> ConfigurationCheck:
        """Check a configuration, YAML; nothing is stored."""
        body = {"configuration": configuration}
        return self._post("/configuration-checks", body, ConfigurationCheck, idempotent=True)

    def create_task(self, configuration: str) -> Task:
        """Create a task from the YAML text of its configuration."""
        return self._post("/tasks", {"configuration": configuration}, Task)

    @overload
    def configure_task(self, slug: str, configuration: str, *, dry_run: Literal[False] = False) -> Task: ...

    @overload
    def configure_task(
        self, slug: str, configuration: str, *, dry_run: Literal[True]
    ) -> ConfigurationChange: ...

    def configure_task(
        self, slug: str, configuration: str, *, dry_run: bool = False
    ) -> Task | ConfigurationChange:
        """Apply a configuration as the next version; a dry run only returns the changes."""
        path = f"/tasks/{segment(slug)}/configuration"
        if dry_run:
            body = {"configuration": configuration, "dry_run": True}
            return self._put(path, body, ConfigurationChange)
        return self._put(path, {"configuration": configuration}, Task)

    def tasks(self, *, limit: int | None = None, cursor: str | None = None) -> Page[TaskSummary]:
        """List tasks."""
        return self._get("/tasks", Page[TaskSummary], limit=limit, cursor=cursor)

    def task(self, slug: str) -> Task:
        """Return a task with its configuration and rounds."""
        return self._get(f"/tasks/{segment(slug)}", Task)

    def versions(
        self, slug: str, *, limit: int | None = None, cursor: str | None = None
    ) -> Page[TaskVersion]:
        """List the versions of a task's configuration with what each changed, newest first."""
        path = f"/tasks/{segment(slug)}/versions"
        return self._get(path, Page[TaskVersion], limit=limit, cursor=cursor)

    def version(self, slug: str, number: int) -> VersionedConfiguration:
        """Return one version of a task's configuration."""
        return self._get(f"/tasks/{segment(slug)}/versions/{number}", VersionedConfiguration)

    def models(self, slug: str) -> tuple[TaskModel, ...]:
        """List the served models that fit a task."""
        return self._list(f"/tasks/{segment(slug)}/models", TaskModel)

    def sandbox(self, slug: str, target: str, context: Values, input: Values) -> Answers:
        """Ask one model about a text outside of any round; nothing is stored."""
        body = {"target": target, "context": context, "input": input}
        return self._post(
            f"/tasks/{segment(slug)}/sandbox",
            body,
            Answers,
            idempotent=True,
            timeout_seconds=SANDBOX_TIMEOUT_SECONDS,
        )

    def sandbox_inspect(
        self,
        slug: str,
        target: str,
        context: Values,
        input: Values,
        label: str | None = None,
        n_steps: int | None = None,
    ) -> Inspection:
        """Return which parts of a text moved one model, outside of any round."""
        body = given(target=target, context=context, input=input, label=label, n_steps=n_steps)
        path = f"/tasks/{segment(slug)}/sandbox/inspections"
        return self._post(path, body, Inspection, timeout_seconds=SANDBOX_TIMEOUT_SECONDS)

    def front_model(self) -> FrontModel:
        """Return the model that anyone may ask without signing in; one without a name while there is none."""
        return self._get("/front-model", FrontModel)

    def ask_front_model(self, text: str, claimed: str, *, address: str | None = None) -> FrontAnswer:
        """Ask that model about a text that people would call `claimed`; nothing is stored.

        `address` is whose questions are counted, where a program acts for people elsewhere.
        """
        reply = self._connection.send(
            self.service,
            "POST",
            "/front-model/answers",
            body={"text": text, "claimed": claimed},
            headers=forwarded(address),
            signed=False,
        )
        return self._result(reply, FrontAnswer)

    def start_image(self, slug: str, media_type: str, size: int) -> ImageStart:
        """Start the upload of an image of `size` bytes; the answer has the address."""
        body = {"media_type": media_type, "bytes": size}
        return self._post(f"/tasks/{segment(slug)}/images", body, ImageStart)

    def complete_image(self, image_id: str) -> Image:
        """Have an image checked once its bytes were sent; only then can contexts and inputs use it."""
        return self._post(f"/images/{segment(image_id)}/completion", {}, Image, idempotent=True)

    def upload_image(self, slug: str, content: bytes, media_type: str) -> Image:
        """Announce an image, send its bytes to the object store, and have it checked.

        Raises ImageNotSentError if the store does not take the bytes.
        """
        start = self.start_image(slug, media_type, len(content))
        _send_bytes(start.upload.url, start.upload.method, start.upload.headers, content)
        return self.complete_image(start.image_id)

    def image(self, image_id: str) -> ImageContent:
        """Return the bytes of an image."""
        path = f"/images/{segment(image_id)}"
        reply = self._connection.send(self.service, "GET", path, accept=ANY_IMAGE)
        return ImageContent(reply.data, reply.headers.get("Content-Type", "application/octet-stream"))


class ImageNotSentError(Exception):
    """The object store did not take the bytes."""

    def __init__(self, status: int) -> None:
        super().__init__(f"the object store answered {status}: the address may have expired, so start again")
        self.status = status


def _send_bytes(url: str, method: str, headers: Mapping[str, str], content: bytes) -> None:
    """Send all of `content` in one request. Raises ImageNotSentError, UnreachableError."""
    timeout = urllib3.Timeout(connect=CONNECT_SECONDS, read=READ_SECONDS)
    try:
        answer = urllib3.request(
            method, url, body=content, headers=dict(headers), timeout=timeout, retries=False, redirect=False
        )
    except HTTPError as err:
        raise UnreachableError(url.partition("?")[0], str(err)) from err
    if answer.status >= 300:
        raise ImageNotSentError(answer.status)
