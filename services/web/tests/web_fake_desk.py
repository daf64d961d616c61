"""The fake platform's answers about a try: near duplicates, probes, additional answers, and the sandbox."""

from collections.abc import Callable
from typing import Any

from flask import Flask, jsonify, request
from web_fake_loop import Loop

BASE = "/api/annotation/v1"


def install(app: Flask, loop: Loop, me: Callable[[], str]) -> None:
    """Add the routes; `me` returns the id of the person who asks, or refuses."""
    _writing(app, loop, me)
    _sandbox(app, loop)


def _writing(app: Flask, loop: Loop, me: Callable[[], str]) -> None:

    @app.post(f"{BASE}/rounds/<round_id>/similar")
    def similar(round_id: str) -> Any:
        me()
        return jsonify(loop.added[round_id].similar if round_id in loop.added else {"own": [], "others": 0})

    @app.post(f"{BASE}/rounds/<round_id>/probes")
    def probe(round_id: str) -> Any:
        me()
        body, task = request.get_json(), loop.added[round_id]
        task.probes.append(body)
        return jsonify(answers=task.answers(body["input"], None))

    @app.put(f"{BASE}/examples/<example_id>/metadata")
    def describe(example_id: str) -> Any:
        found = loop.find_example(example_id, me())
        found["metadata"] = request.get_json()["metadata"]
        return jsonify(found)

    @app.put(f"{BASE}/examples/<example_id>/decision")
    def decide(example_id: str) -> Any:
        found = loop.find_example(example_id, me())
        return jsonify(loop.decide(found, request.get_json()["wrong_targets"]))


def _sandbox(app: Flask, loop: Loop) -> None:

    @app.post(f"{BASE}/tasks/<slug>/sandbox")
    def sandbox(slug: str) -> Any:
        body, task = request.get_json(), loop.fake_task(slug)
        answer = {**task.answers(body["input"], None)[0], "target": body["target"]}
        return jsonify(answers=[answer])

    @app.post(f"{BASE}/tasks/<slug>/sandbox/inspections")
    def sandbox_inspect(slug: str) -> Any:
        body, task = request.get_json(), loop.fake_task(slug)
        return jsonify(task.inspect(body["input"], body["context"], body))
