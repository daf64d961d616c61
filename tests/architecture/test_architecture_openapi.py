"""A change of an OpenAPI document is a break if a client of the earlier document may fail."""

import copy
import sys
from collections.abc import Callable
from typing import Any

import pytest
from dynabench_local.layout import checkout

sys.path.insert(0, str(checkout() / "scripts"))
from check_openapi import Comparison, without_texts

STRING = {"type": "string"}
PARAMETER = {"in": "query", "name": "limit", "required": False, "schema": {"type": "integer", "maximum": 200}}
REQUEST = {
    "type": "object",
    "properties": {"text": STRING, "label": {"type": "string", "enum": ["yes", "no"]}},
    "required": ["text"],
}
ANSWER = {
    "type": "object",
    "properties": {
        "fooled": {"anyOf": [{"type": "boolean"}, {"type": "null"}]},
        "word": {"type": "string", "enum": ["a"]},
        "next": {"$ref": "#/components/schemas/Answer"},
    },
    "required": ["fooled"],
}
DOCUMENT: dict[str, Any] = {
    "paths": {
        "/tries": {
            "post": {
                "operationId": "add_try",
                "parameters": [PARAMETER],
                "requestBody": {"content": {"application/json": {"schema": REQUEST}}},
                "responses": {
                    "200": {
                        "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Answer"}}}
                    }
                },
            }
        }
    },
    "components": {"schemas": {"Answer": ANSWER}},
}


def operation(document: Any) -> Any:
    return document["paths"]["/tries"]["post"]


def body(document: Any) -> Any:
    return operation(document)["requestBody"]["content"]["application/json"]["schema"]


def answer(document: Any) -> Any:
    return document["components"]["schemas"]["Answer"]


@pytest.mark.parametrize(
    ("rule", "change", "breaks"),
    [
        ("nothing changed", lambda it: None, 0),
        ("an operation may be added", lambda it: it["paths"].update({"/more": {"get": {}}}), 0),
        ("no operation may go", lambda it: it["paths"].clear(), 1),
        ("an operation keeps its id", lambda it: operation(it).update(operationId="other"), 1),
        (
            "a parameter may be added",
            lambda it: operation(it)["parameters"].append({**PARAMETER, "name": "more"}),
            0,
        ),
        ("no parameter may go", lambda it: operation(it)["parameters"].clear(), 1),
        ("none may become required", lambda it: operation(it)["parameters"][0].update(required=True), 1),
        (
            "its limit may not fall",
            lambda it: operation(it)["parameters"][0]["schema"].update(maximum=100),
            1,
        ),
        ("a request may gain an optional field", lambda it: body(it)["properties"].update(why=STRING), 0),
        ("a request may not lose a field", lambda it: body(it)["properties"].pop("text"), 1),
        ("nor require one more", lambda it: body(it)["required"].append("label"), 1),
        (
            "a request may gain a word",
            lambda it: body(it)["properties"]["label"]["enum"].append("maybe"),
            0,
        ),
        ("but not lose one", lambda it: body(it)["properties"]["label"]["enum"].pop(), 1),
        ("its types stay", lambda it: body(it)["properties"]["text"].update(type="integer"), 1),
        ("an answer may gain a field", lambda it: answer(it)["properties"].update(more=STRING), 0),
        ("an answer may not lose one", lambda it: answer(it)["properties"].pop("word"), 1),
        ("a field that always was there stays so", lambda it: answer(it)["required"].clear(), 1),
        ("an answer may gain a word", lambda it: answer(it)["properties"]["word"]["enum"].append("b"), 0),
        (
            "an answer may stop being null",
            lambda it: answer(it)["properties"].update(fooled={"type": "boolean"}),
            0,
        ),
        (
            "but not begin to be",
            lambda it: answer(it)["properties"]["word"].update(anyOf=[STRING, {"type": "null"}]),
            1,
        ),
        ("a status may not go", lambda it: operation(it)["responses"].pop("200"), 1),
    ],
)
def test_breaks(rule: str, change: Callable[[Any], object], breaks: int) -> None:
    after = copy.deepcopy(DOCUMENT)
    change(after)
    found = list(Comparison(DOCUMENT, after).breaks())
    assert len(found) == breaks, (rule, found)


def test_descriptions_go_and_a_field_called_title_stays() -> None:
    schema = {"description": "words", "title": "T", "properties": {"title": {"title": "X", "type": "string"}}}
    assert without_texts(schema) == {"properties": {"title": {"type": "string"}}}
