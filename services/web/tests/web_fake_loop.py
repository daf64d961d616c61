"""Tasks and tries of the fake platform."""

import re
from typing import Any
from uuid import uuid4

from web_fake_arena import CIRCUMSTANCES, FakeTask, contexts_of, shipped
from web_fake_refusals import Refused, refuse
from web_fake_training import TrainingDesk
from web_fake_votes import OPTIONS, PROMPT, FakeVoting

LABELS = OPTIONS
CONTEXTS = [
    PROMPT,
    "Our waiter remembered that my daughter can't eat nuts and brought her a separate bowl.",
    "The soup arrived lukewarm, but they replaced it without a word.",
]
TIPS = ["Let the words say one thing and the sentence another.", "Negate twice."]
INSTRUCTIONS = """## What to do

1. Read the prompt sentence and **start from it**.
2. Choose the feeling that your own sentence expresses.

<script>alert("never runs")</script>

- [more](https://example.org/guide)
- [bad](javascript:alert(1))
"""


class Loop(FakeVoting):
    """One task with three rounds, one without any, and those that a test adds."""

    def __init__(self) -> None:
        super().__init__()
        self.added: dict[str, FakeTask] = {}
        self.round_id = str(uuid4())
        self.rounds = {
            self.round_id: self._round(self.round_id, 3, "open", ["sentiment-minilm", "n-gram-b"]),
            **{
                (other := str(uuid4())): self._round(other, number, "closed", ["sentiment-minilm"])
                for number in (2, 1)
            },
        }
        self.contexts: list[dict[str, Any]] = [
            {"context_id": str(uuid4()), "fields": {"prompt": text}, "tags": ["food"]} for text in CONTEXTS
        ]
        self.training = TrainingDesk()
        self.lost_targets: list[dict[str, Any]] = []
        self.versions: dict[str, int] = {}
        self.public_examples = ""
        self.position = 0
        self.examples: dict[str, dict[str, Any]] = {}
        self.keys: dict[str, tuple[Any, dict[str, Any]]] = {}

    def _round(self, round_id: str, number: int, state: str, targets: list[str]) -> dict[str, Any]:
        return {
            "round_id": round_id,
            "task_slug": "sentiment",
            "number": number,
            "title": "",
            "targets": targets,
            "state": state,
            "segments": 2,
            "contexts": 480,
            "has_assigned_work": True,
            "created_at": f"2026-01-0{number}T09:00:00Z",
            "origin": "",
            "source": "",
        }

    def add(self, slug: str, targets: int = 2, **more: Any) -> FakeTask:
        """Add a task that comes with the platform, or one of its examples, with an open round.

        It comes without practice items, to which who begins would be led, unless `has_practice`.
        """
        left_out = set() if more.pop("has_practice", False) else {"practice"}
        kept = {key: value for key, value in shipped(slug).items() if key not in left_out}
        document = {**kept, **more.pop("changes", {})}
        contexts = more.pop("contexts", None) or contexts_of(slug, document)
        names = [f"{slug}-{letter}" for letter in "abcdefgh"[:targets]]
        made = FakeTask(document, contexts, names, **more)
        self.added[made.round_id] = made
        self.rounds[made.round_id] = made.round
        return made

    def fake_task(self, slug: str) -> FakeTask:
        """Return an added task, or one made of what is known about another."""
        for added in self.added.values():
            if added.slug == slug:
                return added
        found = self.task(slug)
        document = {**found["configuration"], "title": found["title"], "description": ""}
        return FakeTask(document, [context["fields"] for context in self.contexts], [slug])

    def tasks(self) -> list[dict[str, Any]]:
        return [self.task("sentiment"), self.task("nli")]

    def task(self, slug: str) -> dict[str, Any]:
        for added in self.added.values():
            if added.slug == slug:
                return {**added.task, "rounds": [self.rounds[added.round_id]]}
        if slug not in {"sentiment", "nli"}:
            detail = {"title": "No such task", "detail": "There is no task with this id."}
            raise Refused(404, {"type": "/problems/task-not-found", "field": "slug", **detail})
        is_sentiment = slug == "sentiment"
        label = {"name": "label", "type": "multiclass", "labels": LABELS}
        return {
            "task_id": str(uuid4()),
            "slug": slug,
            "title": "Sentiment" if is_sentiment else "Inference",
            "description": (
                "Write a sentence about anything, say how it sounds, and see whether the models hear it too."
                if is_sentiment
                else "Write a sentence that follows from a premise, contradicts it, or does neither."
            ),
            "languages": ["en"],
            "configuration_version": self.versions.get(slug, 1),
            "created_at": "2026-01-01T09:00:00Z",
            "rounds": list(self.rounds.values()) if is_sentiment else [],
            "configuration": {
                "slug": slug,
                "instructions": INSTRUCTIONS,
                **({"tips": TIPS} if is_sentiment else {}),
                "context": [{"name": "prompt", "type": "string", "label": "Prompt sentence"}],
                "input": [
                    {"name": "text", "type": "string", "label": "Your sentence", "max_length": 1000},
                    {**label, "label": "Write a sentence people would call"},
                ],
                "output": [label],
                "ensemble": "any",
                "validation": {"vote": "label", "options": LABELS},
                "metrics": {"primary": "macro_f1"},
                **({"onboarding": self.training.document} if self.training.is_needed else {}),
                **({"public_examples": self.public_examples} if self.public_examples else {}),
            },
        }

    def find_round(self, round_id: str) -> dict[str, Any]:
        if round_id not in self.rounds:
            detail = {"title": "No such round", "detail": "There is no round with this id."}
            raise Refused(404, {"type": "/problems/round-not-found", "field": "round_id", **detail})
        return self.rounds[round_id]

    def assign(self, round_id: str, person_id: str, avoid: str | None) -> dict[str, Any]:
        self._ensure_open(round_id)
        self.training.ensure_done("create", person_id)
        if round_id in self.added:
            return self._assign_added(self.added[round_id], person_id, avoid)
        if avoid == self.contexts[self.position]["context_id"]:
            self.position = (self.position + 1) % len(self.contexts)
        context = self.contexts[self.position]
        mine = self.examples_of(round_id, person_id)
        return {
            "assignment_id": str(uuid4()),
            "context": context,
            "condition": "prompt",
            "context_shown": True,
            "has_targets": True,
            "assigned_label": None,
            "assigned_at": "2026-01-06T09:00:00Z",
            "attempts": sum(example["context_id"] == context["context_id"] for example in mine),
        }

    def _assign_added(self, task: FakeTask, person_id: str, avoid: str | None) -> dict[str, Any]:
        mine = self.examples_of(task.round_id, person_id)
        self._ensure_explained(task, mine, avoid)
        tries = sum(each["context_id"] == task.context["context_id"] for each in mine)
        return task.assign(avoid, tries)

    def _ensure_explained(self, task: FakeTask, mine: list[dict[str, Any]], avoid: str | None) -> None:
        waits = [e for e in mine if e["verdict"] == "fooled" and not e["explanations"]["model"]]
        if avoid and waits and task.document.get("explanations") == "required_when_fooled":
            detail = "This task asks for a reason whenever a model was fooled, and one has none yet."
            remedy = "Explain that example or retract it to get the next text."
            refuse(409, "explanation-needed", "explanations.model", detail, remedy, "Say why it was fooled")

    def create(
        self, round_id: str, person_id: str, key: str, body: dict[str, Any]
    ) -> tuple[dict[str, Any], bool]:
        if key in self.keys:
            entered, document = self.keys[key]
            if entered != body:
                detail = {
                    "title": "Idempotency-Key used before",
                    "detail": "Another body came with this key.",
                }
                raise Refused(
                    422, {"type": "/problems/idempotency-key-reused", "field": "Idempotency-Key", **detail}
                )
            return document, False
        self._ensure_open(round_id)
        self.training.ensure_done("create", person_id)
        if round_id in self.added:
            mine = self.examples_of(round_id, person_id)
            attempt = sum(e["context_id"] == body["context_id"] for e in mine) + 1
            document = {**self.added[round_id].judge(body), "author_id": person_id, "attempt": attempt}
        else:
            document = self._judge(round_id, person_id, body)
        self.examples[document["example_id"]] = document
        self.keys[key] = (body, document)
        return document, True

    def _judge(self, round_id: str, person_id: str, body: dict[str, Any]) -> dict[str, Any]:
        text, claimed = body["input"].get("text", ""), body["input"].get("label", "")
        if not text.strip() or len(text) > 1000:
            remedy = {"title": "Unusable input", "remedy": "Write 1 to 1,000 characters."}
            detail = f"It has {len(text)} characters."
            raise Refused(
                422, {"type": "/problems/input-unusable", "field": "input.text", "detail": detail, **remedy}
            )
        if claimed not in LABELS:
            remedy = {"title": "Unusable input", "remedy": "Choose one of the labels."}
            detail = "No label was chosen."
            raise Refused(
                422, {"type": "/problems/input-unusable", "field": "input.label", "detail": detail, **remedy}
            )
        seen = "positive" if re.search("great|good|happ", text) else "negative"
        answers = [
            answer("sentiment-minilm", seen, 0.91, claimed),
            answer("n-gram-b", "negative", 0.54, claimed),
        ]
        mine = [e for e in self.examples_of(round_id, person_id) if e["context_id"] == body["context_id"]]
        return {
            "example_id": str(uuid4()),
            "round_id": round_id,
            "task_slug": "sentiment",
            **CIRCUMSTANCES,
            "segment_id": str(uuid4()),
            "context_id": body["context_id"],
            "context": {"prompt": CONTEXTS[0]},
            "input": {"text": text},
            "claimed": claimed,
            "metadata": body.get("metadata", {}),
            "perturbation_of": None,
            "duplicate_of": None,
            "duplicate_overruled_at": None,
            "condition": "prompt",
            "answers": answers,
            "verdict": "fooled" if any(a["wrong"] for a in answers) else "not_fooled",
            "attempt": len(mine) + 1,
            "hint_shown": body.get("hint_shown", False),
            "author_id": person_id,
            "created_at": "2026-01-06T09:12:00Z",
            "milliseconds": 118.2,
            "retracted_at": None,
            "explanations": {"label": "", "model": ""},
        }

    def examples_of(self, round_id: str, person_id: str) -> list[dict[str, Any]]:
        own = [e for e in self.examples.values() if (e["round_id"], e["author_id"]) == (round_id, person_id)]
        return own[::-1]

    def find_example(self, example_id: str, person_id: str) -> dict[str, Any]:
        found = self.examples.get(example_id)
        if found is None or found["author_id"] != person_id:
            detail = {"title": "No such example", "detail": "There is no example with this id."}
            raise Refused(404, {"type": "/problems/example-not-found", **detail})
        return found

    def decide(self, example: dict[str, Any], wrong: list[str]) -> dict[str, Any]:
        for each in example["answers"]:
            if each["wrong"] is not None:
                detail = "The verdict on this example is decided already."
                refuse(409, "nothing-to-decide", "example_id", detail, "Write another.", "Nothing to decide")
            each["wrong"] = each["target"] in wrong
        example["verdict"] = "fooled" if wrong else "not_fooled"
        return example

    def inspect(self, example: dict[str, Any], body: dict[str, Any]) -> dict[str, Any]:
        if example["round_id"] in self.added:
            return self.added[example["round_id"]].inspect(example["input"], example["context"], body)
        target = body["target"]
        text = example["input"]["text"]
        weights = [0.41, -0.22, 0.07, 0.001, 0.62, -0.05, 0.3, -0.48]
        tokens = [
            {
                "field": "text",
                "text": m.group(),
                "start": m.start(),
                "end": m.end(),
                "weight": weights[i % len(weights)],
            }
            for i, m in enumerate(re.finditer(r"\w+|[^\w\s]", text))
        ]
        return {
            "target": target,
            "label": body.get("label") or "positive",
            "probability": 0.91,
            "tokens": tokens,
            "convergence_delta": 0.021,
            "difference": 1.1,
            "n_steps": body.get("n_steps") or 20,
            "method": "layer_integrated_gradients",
            "baseline": "pad",
            "model_digest": "sha256:aa",
            "handler_digest": "sha256:bb",
        }

    def _ensure_open(self, round_id: str) -> None:
        state = self.find_round(round_id)["state"]
        if state != "open":
            detail = {
                "title": "The round is not open",
                "detail": f"The round is {state}, so nobody can submit in it.",
            }
            remedy = "Choose an open round of this task."
            raise Refused(
                409, {"type": f"/problems/round-{state}", "remedy": remedy, "field": "round_id", **detail}
            )


def answer(target: str, label: str, share: float, claimed: str) -> dict[str, Any]:
    rest = (1 - share) / (len(LABELS) - 1)
    return {
        "target": target,
        "value": label,
        "confidence": share,
        "probabilities": {name: share if name == label else rest for name in LABELS},
        "wrong": label != claimed,
        "model_digest": "sha256:aa",
        "handler_digest": "sha256:bb",
        "milliseconds": 12.1,
    }
