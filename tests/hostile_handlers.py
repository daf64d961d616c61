"""Handlers that misbehave when they run, made by code."""

from tests.hostile_archives import DIGEST, LABELS

HANDLER = '''
import json

DIGEST = "{digest}"
LABELS = {labels}


class Handler:
    """Answers every text alike."""

    initialized = False

    def initialize(self, context):
        self.calls = 0
        {at_start}
        self.initialized = True

    def handle(self, rows, context):
        return [json.dumps(self.answer(row)) for row in rows]

    def answer(self, row):
        self.calls += 1
        body = row.get("body") or row.get("data")
        if isinstance(body, (bytes, bytearray, str)):
            body = json.loads(body)
        predictions = [self.predict(instance) for instance in body["instances"]]
        return {{"predictions": predictions, "model_digest": DIGEST, "handler_digest": DIGEST}}

    def predict(self, instance):
        {at_call}
        share = {{label: 1 / len(LABELS) for label in LABELS}}
        return {{"label": LABELS[0], "probabilities": share}}
'''


def handler(at_start: str = "pass", at_call: str = "pass") -> str:
    """Return a handler that keeps the contract but for what it does at its start and at each call."""
    return HANDLER.format(
        digest=DIGEST,
        labels=list(LABELS),
        at_start=at_start.replace("\n", "\n        "),
        at_call=at_call.replace("\n", "\n        "),
    )


def handlers() -> dict[str, str]:
    """Return programs that misbehave when they run, by what they do."""
    return {
        "keeps the contract": handler(),
        "crashes on import": "raise RuntimeError('crashes on import')\n" + handler(),
        "crashes at its start": handler(at_start="raise RuntimeError('crashes at its start')"),
        "crashes on the third request": handler(
            at_call="if self.calls >= 3:\n    import os\n    os._exit(1)"
        ),
        "sleeps": handler(at_call="import time\ntime.sleep(3600)"),
        "eats memory": handler(at_call="kept = [bytearray(64 << 20) for _ in range(1000)]"),
        "forks": handler(at_call="import os\nwhile True:\n    os.fork()"),
        "prints secrets": handler(at_call="import os\nprint(dict(os.environ), flush=True)"),
        "answers wrong shapes": handler(at_call="return ['negative', 0.5]"),
        "answers NaN": handler(
            at_call="return {'label': LABELS[0], 'probabilities': {label: float('nan') for label in LABELS}}"
        ),
        "answers labels of another task": handler(
            at_call="return {'label': 'entailment', 'probabilities': {'entailment': 1.0}}"
        ),
        "answers 100 MB": handler(
            at_call="return {'label': LABELS[0], 'probabilities': {}, 'note': 'x' * 100_000_000}"
        ),
        "keeps state between requests": handler(
            at_call="return {'label': LABELS[self.calls % 3], 'probabilities': "
            "{label: float(label == LABELS[self.calls % 3]) for label in LABELS}}"
        ),
    }
