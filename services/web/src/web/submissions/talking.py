"""Ways to query a served model: the sandbox of its task, and programs, with lines to copy."""

import json
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from urllib.parse import urlencode

from dynabench_client.results.annotation import TaskModel
from dynabench_client.results.models import Model

from web.kit.dependencies import platform
from web.kit.parallel import Part, page_reads
from web.kit.session import viewer
from web.kit.sharing import own_address

ALWAYS = "always"
WAIT_SECONDS = 30
OWN = "dbt_…"
"""Placeholder for the reader's own API token in the lines to copy."""
SAMPLE = "A plain sentence."
SAMPLES = {
    "text": "The special was such a great choice that my dog got most of it.",
    "premise": "A man plays the guitar on a stage.",
    "hypothesis": "A man makes music.",
    "passage": "The bridge was opened in 1871 by the mayor of Orsa.",
    "question": "When was the bridge opened?",
}
"""Example values in the lines to copy, by field of the model; any other field gets SAMPLE."""


@dataclass(frozen=True)
class TalkView:
    """Ways in which the viewer can query a model; `sandbox` is empty if the task's sandbox leaves the model out.

    `base` is the address for clients of the inference protocols.

    `is_target`: it is a target of a round in progress. Then it `is_open` only to owners of its task.
    """

    name: str
    task: str
    address: str
    base: str
    is_published: bool
    is_target: bool = False
    is_open: bool = True
    sandbox: str = ""
    sleeps: bool = False
    wait_seconds: int = WAIT_SECONDS
    lines: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class TalkReads:
    """Pending reads about a model; none for anonymous visitors, because the gateway refuses them."""

    name: str
    task: str
    is_published: bool
    status: Part[Model] | None
    fitting: Part[tuple[TaskModel, ...]] | None

    def view(self) -> TalkView:
        """Return the known ways to query the model."""
        origin = own_address("")
        base = f"{origin}/api/gateway"
        address = f"{base}/v1/models/{self.name}:predict"
        if self.status is None or self.fitting is None:
            return TalkView(self.name, self.task, address, base, self.is_published)
        status, fitting = self.status.value(), self.fitting.value()
        found = next((each for each in fitting or () if each.name == self.name), None)
        is_target = found is not None and found.in_the_loop
        is_open = not is_target or viewer().owns(self.task)
        return TalkView(
            name=self.name,
            task=self.task,
            address=address,
            base=base,
            is_published=self.is_published,
            is_target=is_target,
            is_open=is_open,
            sandbox=f"/tasks/{self.task}/sandbox?{urlencode({'model': self.name})}"
            if found is not None or fitting is None
            else "",
            sleeps=status is not None and status.start != ALWAYS,
            lines=_lines(origin, address, self.name, status.fields) if status and is_open else {},
        )


def ask_about(name: str, task: str, *, is_published: bool) -> TalkReads:
    """Start reading a model's state, and the models in its task's sandbox."""
    if not viewer().is_signed_in:
        return TalkReads(name, task, is_published, None, None)
    client, reads = platform(), page_reads()
    return TalkReads(
        name,
        task,
        is_published,
        reads.read(client.gateway.model, name),
        reads.read(client.annotation.models, task),
    )


def _lines(origin: str, address: str, name: str, fields: Sequence[str]) -> dict[str, str]:
    """Return lines to copy for curl, the SDK and the command line; empty for a model without named fields."""
    if not fields:
        return {}
    instance = {each: SAMPLES.get(each, SAMPLE) for each in fields}
    return {
        "curl": _curl_lines(address, instance),
        "python": _python_lines(origin, name, instance),
        "terminal": _terminal_lines(origin, name, instance),
    }


def _curl_lines(address: str, instance: Mapping[str, str]) -> str:
    body = shlex.quote(_json({"instances": [instance]}))
    is_json = "-H 'Content-Type: application/json'"
    return "\n".join(
        [
            f"API_TOKEN={OWN}",
            f'curl -sS {address} -H "Authorization: Bearer $API_TOKEN" \\',
            f"  {is_json} -H 'Prefer: wait={WAIT_SECONDS}' \\",
            f"  -d {body}",
        ]
    )


def _python_lines(origin: str, name: str, instance: Mapping[str, str]) -> str:
    return "\n".join(
        [
            "from dynabench_client import Dynabench",
            "",
            f'client = Dynabench({_json(origin)}, token="{OWN}")',
            f"instance = {_json(instance)}",
            f"found = client.gateway.predict({_json(name)}, [instance], wait_seconds={WAIT_SECONDS})",
            "print(found.predictions[0])",
        ]
    )


def _terminal_lines(origin: str, name: str, instance: Mapping[str, str]) -> str:
    """Return shell commands; a model with one field takes plain texts, others JSON."""
    text = next(iter(instance.values())) if len(instance) == 1 else _json(instance)
    return "\n".join(
        [
            f"dynabench login {origin} --token {OWN}",
            f"dynabench models predict {name} {shlex.quote(text)}",
        ]
    )


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)
