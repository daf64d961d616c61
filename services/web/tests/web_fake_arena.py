"""Tasks of every kind on the fake platform: shipped ones and others, each with one open round.

Targets are simple to foresee: all are wrong about a text that says `fool`, and right about any other.
"""

import json
import re
from pathlib import Path
from typing import Any
from uuid import uuid4

import yaml
from web_fake_refusals import refuse

REPOSITORY = Path(__file__).parents[3]
SHIPPED = REPOSITORY / "services" / "annotation" / "tasks"
EXAMPLES = REPOSITORY / "examples"
IMAGE = "0198c0de-0000-7000-8000-00000000aaaa"
OWN_CONTEXTS: dict[str, list[dict[str, Any]]] = {
    "visual-questions": [
        {"picture": {"image_id": IMAGE, "alt": f"Two cows behind a fence, seen from {side}."}}
        for side in ("the left", "the right")
    ],
}
CIRCUMSTANCES = {
    "configuration_version": 1,
    "assigned_label": None,
    "seconds_since_context": 41.5,
    "probes_before": 0,
    "inspections_before": 0,
    "cohort": "volunteer",
    "source_id": None,
}
OTHER_FIELDS = {"string": "another text", "image": {"image_id": IMAGE, "alt": "A cow."}}


def shipped(slug: str) -> dict[str, Any]:
    """Return the document of a task that comes with the platform or stands among the examples."""
    path = next(each for each in (SHIPPED / f"{slug}.yaml", EXAMPLES / f"{slug}.yaml") if each.exists())
    document: dict[str, Any] = yaml.safe_load(path.read_text())
    return document


def contexts_of(slug: str, document: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the first contexts that come with a task."""
    for folder in (SHIPPED, EXAMPLES):
        path = folder / f"{slug}-contexts.jsonl"
        if path.exists():
            return [json.loads(line)["fields"] for line in path.read_text().splitlines()[:3]]
    made_up = {each["name"]: OTHER_FIELDS.get(each["type"], "") for each in document["context"]}
    return OWN_CONTEXTS.get(slug, [made_up])


class FakeTask:
    """One task with an open round."""

    def __init__(
        self,
        document: dict[str, Any],
        contexts: list[dict[str, Any]],
        targets: list[str],
        number: int = 2,
        condition: dict[str, Any] | None = None,
    ) -> None:
        self.document = document
        self.slug: str = document["slug"]
        self.targets = targets
        self.condition = condition or {
            "condition": "default",
            "context_shown": True,
            "has_targets": bool(targets),
        }
        self.contexts: list[dict[str, Any]] = [
            {"context_id": str(uuid4()), "fields": fields, "tags": ["fake"]} for fields in contexts
        ]
        self.position = 0
        self.number = number
        self.round_id = str(uuid4())
        self.similar: dict[str, Any] = {"own": [], "others": 0}
        self.probes: list[dict[str, Any]] = []
        self.queue: list[dict[str, Any]] = []

    @property
    def round(self) -> dict[str, Any]:
        return {
            "round_id": self.round_id,
            "task_slug": self.slug,
            "number": self.number,
            "title": "",
            "targets": self.targets,
            "state": "open",
            "segments": 1,
            "contexts": len(self.contexts),
            "has_assigned_work": False,
            "created_at": "2026-01-02T09:00:00Z",
            "origin": "",
            "source": "",
        }

    @property
    def task(self) -> dict[str, Any]:
        return {
            "task_id": str(uuid4()),
            "slug": self.slug,
            "title": self.document["title"],
            "description": self.document["description"],
            "languages": self.document.get("languages", ["en"]),
            "configuration_version": 1,
            "created_at": "2026-01-01T09:00:00Z",
            "rounds": [self.round],
            "configuration": self.document,
        }

    @property
    def claimed(self) -> dict[str, Any]:
        outputs = {each["name"] for each in self.document["output"]}
        found: dict[str, Any] = next(each for each in self.document["input"] if each["name"] in outputs)
        return found

    @property
    def context(self) -> dict[str, Any]:
        return self.contexts[self.position]

    def assign(self, avoid: str | None, attempts: int) -> dict[str, Any]:
        if avoid == self.context["context_id"]:
            self.position = (self.position + 1) % len(self.contexts)
            attempts = 0
        assigned = (self.document.get("goal") or {}).get("label") == "assigned"
        return {
            "assignment_id": str(uuid4()),
            "context": self.context,
            **self.condition,
            "assigned_label": self.claimed["labels"][-1] if assigned else None,
            "assigned_at": "2026-01-06T09:00:00Z",
            "attempts": attempts,
        }

    def judge(self, body: dict[str, Any]) -> dict[str, Any]:
        """Return what a try is stored as, without its author."""
        given, fields = dict(body["input"]), self.context["fields"]
        for each in self.document["input"]:
            if given.get(each["name"]) in (None, "", []):
                refuse(
                    422, "input-unusable", f"input.{each['name']}", "It is missing.", "Fill in this field."
                )
            if each["type"] == "span":
                self._check_span(each, given[each["name"]], fields)
        claimed = given.pop(self.claimed["name"])
        answers = self.answers(given, claimed) if self.condition["has_targets"] else []
        wrong = [answer["wrong"] for answer in answers]
        verdict = "undecided" if not wrong or None in wrong else "fooled" if any(wrong) else "not_fooled"
        return {
            "example_id": str(uuid4()),
            "round_id": self.round_id,
            "task_slug": self.slug,
            **CIRCUMSTANCES,
            "segment_id": str(uuid4()),
            "context_id": body["context_id"],
            "context": fields,
            "input": given,
            "claimed": claimed,
            "perturbation_of": body.get("perturbation_of"),
            "duplicate_of": None,
            "duplicate_overruled_at": None,
            "metadata": body.get("metadata", {}),
            "condition": self.condition["condition"],
            "answers": answers,
            "verdict": verdict,
            "hint_shown": body.get("hint_shown", False),
            "created_at": "2026-01-06T09:12:00Z",
            "milliseconds": 118.2,
            "retracted_at": None,
            "explanations": {"label": "", "model": ""},
        }

    def answers(self, written: dict[str, Any], claimed: Any) -> list[dict[str, Any]]:
        is_fooled = "fool" in json.dumps(written)
        asks = self.document.get("wrong_when") == "ask_annotator"
        return [
            {
                "target": target,
                "value": self._answer(written, claimed, is_fooled),
                "confidence": 0.58,
                "probabilities": self._probabilities(claimed, is_fooled),
                "wrong": None if asks or claimed is None else is_fooled,
                "model_digest": "sha256:aa",
                "handler_digest": "sha256:bb",
                "milliseconds": 12.1,
            }
            for target in self.targets
        ]

    def inspect(
        self, written: dict[str, Any], context: dict[str, Any], body: dict[str, Any]
    ) -> dict[str, Any]:
        """Return weights on every text that a model of the task reads, under the model's names for them."""
        instance = self.document.get("instance") or {
            each["name"]: each["name"] for each in self.document["input"] if each["type"] == "string"
        }
        texts = {name: {**context, **written}.get(source) for name, source in instance.items()}
        weights = [0.41, -0.22, 0.07, 0.001, 0.62, -0.05, 0.3, -0.48]
        tokens = [
            {
                "field": name,
                "text": match.group(),
                "start": match.start(),
                "end": match.end(),
                "weight": weights[at % len(weights)],
            }
            for name, text in texts.items()
            if isinstance(text, str)
            for at, match in enumerate(re.finditer(r"\w+|[^\w\s]", text))
        ]
        default = "start" if self.claimed["type"] == "span" else (self.claimed.get("labels") or [""])[0]
        return {
            "target": body["target"],
            "label": body.get("label") or default,
            "probability": 0.58,
            "tokens": tokens,
            "convergence_delta": 0.021,
            "difference": 1.1,
            "n_steps": body.get("n_steps") or 20,
            "method": "layer_integrated_gradients",
            "baseline": "pad",
            "model_digest": "sha256:aa",
            "handler_digest": "sha256:bb",
        }

    def offer(self, written: dict[str, Any], claimed: Any, explanation: str = "") -> str:
        """Put an example into the queue of validation and return its lease."""
        lease_id = str(uuid4())
        entry = {"lease_id": lease_id, "input": written, "claimed": claimed, "explanation": explanation}
        self.queue.append(entry)
        return lease_id

    def lease(self) -> dict[str, Any]:
        first, rules = self.queue[0], self.document["validation"]
        kind = rules["vote"]
        metadata = self.document.get("metadata") or {}
        return {
            "lease_id": first["lease_id"],
            "expires_at": "2026-01-06T09:20:00Z",
            "example": {
                "example_id": str(uuid4()),
                "context": self.context["fields"],
                "input": first["input"],
                "claim_to_judge": first["claimed"] if kind == "judgement" else None,
            },
            "options": ["correct", "incorrect"] if kind == "judgement" else rules.get("options", []),
            "vote": kind,
            "answer_type": "judgement" if kind == "judgement" else self.claimed["type"],
            "span_of": self.claimed.get("of"),
            "metadata_fields": metadata.get("validate", []),
            "can_go_back": False,
        }

    def _check_span(self, field: dict[str, Any], value: Any, fields: dict[str, Any]) -> None:
        text = fields[field["of"]]
        if text[value["start"] : value["end"]] != value["text"]:
            place = f"input.{field['name']}"
            refuse(422, "input-unusable", place, "Offsets and text disagree.", "Mark the answer again.")

    def _answer(self, written: dict[str, Any], claimed: Any, is_fooled: bool) -> Any:
        field = self.claimed
        if field["type"] == "span":
            passage = {**self.context["fields"], **written}[field["of"]]
            first = passage.split()[0]
            return {"start": 0, "end": len(first), "text": first} if is_fooled or not claimed else claimed
        if field["type"] == "string":
            return "two cows"
        claims = [claimed] if isinstance(claimed, str) else claimed or []
        others = [label for label in field["labels"] if label not in claims]
        if field["type"] == "multilabel":
            return others[:1] if is_fooled or not claimed else claimed
        return others[0] if is_fooled or not claimed else claimed

    def _probabilities(self, claimed: Any, is_fooled: bool) -> dict[str, float]:
        labels = self.claimed.get("labels") or []
        if not labels:
            return {}
        answered = self._answer({}, claimed, is_fooled)
        top = [answered] if isinstance(answered, str) else answered
        return {label: 0.58 if label in top else round(0.42 / len(labels), 4) for label in labels}
