"""Explanations of answers on public examples: of which targets there are any, and what the gateway is asked."""

from collections.abc import Mapping
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from uuid import UUID

import pytest
import yaml
from dynabench_common.http.client import UpstreamError
from dynabench_tasks.configuration.published import read_published
from scoring.adapters.target_gateway import GatewayTargets
from scoring.dataset.rows import TargetAnswer
from scoring.domain.errors import InstancesRefused, TargetInTheLoop, TargetNotServed, TargetSilent
from scoring.queries import datasets, public_examples
from scoring.service_layer.explain_example import explain_example

TASKS = Path(__file__).parents[3] / "annotation" / "tasks"
DIGEST = "sha256:aa"
EXAMPLE_ID = UUID(int=1)
EXPLANATION: dict[str, Any] = {"label": "positive", "tokens": []}


class Client:
    """Answers for the gateway, and keeps what it was asked."""

    def __init__(self, digest: str = DIGEST, error: UpstreamError | None = None) -> None:
        self.digest, self.error = digest, error
        self.asked: list[tuple[str, object]] = []

    def call(self, _method: str, path: str, body: object, **_more: Any) -> Mapping[str, Any]:
        self.asked.append((path, body))
        if self.error:
            raise self.error
        digests = {"model_digest": self.digest, "handler_digest": "sha256:bb"}
        return {"explanations": [EXPLANATION], **digests}


def explained(
    monkeypatch: pytest.MonkeyPatch,
    client: Client,
    target: str = "m",
    live: tuple[str, ...] = (),
    shows_context: bool = True,
) -> Mapping[str, Any]:
    row = SimpleNamespace(
        context={"prompt": "A prompt."},
        input={"text": "So be it."},
        targets=(TargetAnswer("m", "positive", True, digest=DIGEST), TargetAnswer("silent", None, None)),
    )
    rules = read_published(yaml.safe_load((TASKS / "sentiment.yaml").read_text()))
    found = SimpleNamespace(row=row, rules=rules, shows_context=shows_context)
    monkeypatch.setattr(public_examples, "one", lambda _engine, _id: found)
    monkeypatch.setattr(datasets, "unexplained_targets", lambda _engine: frozenset(live))
    targets: Any = GatewayTargets(client)  # type: ignore[arg-type]
    app: Any = SimpleNamespace(engine=None, targets=targets)
    return explain_example(EXAMPLE_ID, target, app)


def test_the_model_explains_the_answer_that_it_gave(monkeypatch: pytest.MonkeyPatch) -> None:
    client = Client()
    found = explained(monkeypatch, client)
    assert found == {**EXPLANATION, "target": "m", "model_digest": DIGEST, "handler_digest": "sha256:bb"}
    instance = {"text": "So be it.", "label": "positive"}
    assert client.asked == [("/api/gateway/v1/models/m:explain", {"instances": [instance]})]


@pytest.mark.parametrize("target", ["silent", "another"])
def test_a_target_without_an_answer_is_not_asked(target: str, monkeypatch: pytest.MonkeyPatch) -> None:
    client = Client()
    with pytest.raises(TargetNotServed):
        explained(monkeypatch, client, target)
    assert client.asked == []


def test_a_target_in_the_loop_of_a_task_without_probes_is_not_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    client = Client()
    with pytest.raises(TargetInTheLoop):
        explained(monkeypatch, client, live=("m",))
    assert client.asked == []


def test_another_model_under_the_name_does_not_speak_for_the_one_that_answered(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with pytest.raises(TargetNotServed):
        explained(monkeypatch, Client("sha256:cc"))


@pytest.mark.parametrize(
    ("status", "error"),
    [
        (404, TargetNotServed),
        (400, InstancesRefused),
        (429, TargetSilent),
        (503, TargetSilent),
        (None, TargetSilent),
    ],
)
def test_a_refusal_of_the_gateway_has_a_reason(
    status: int | None, error: type[Exception], monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(error):
        explained(monkeypatch, Client(error=UpstreamError("refused", status)))


def test_a_context_that_the_author_did_not_see_is_not_explained(monkeypatch: pytest.MonkeyPatch) -> None:
    tokens = [{"field": field, "text": "x"} for field in ("prompt", "text")]
    monkeypatch.setitem(EXPLANATION, "tokens", tokens)
    assert explained(monkeypatch, Client())["tokens"] == tokens
    assert explained(monkeypatch, Client(), shows_context=False)["tokens"] == tokens[1:]
