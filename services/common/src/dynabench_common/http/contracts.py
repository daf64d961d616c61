"""Checks of requests and answers against a service's OpenAPI document. For tests.

Records are closed here: a member that the document does not name is a breach, so that a renamed member is found.
Clients of the published document, however, must ignore members that they do not know.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

import jsonschema_rs
from flask import Flask, Response, request
from flask.testing import FlaskClient
from werkzeug.datastructures import Headers
from werkzeug.test import TestResponse

from dynabench_common.http.openapi import Document, PublishedApp

PART = "([^/]+)"
METHODS = frozenset({"get", "put", "post", "delete", "patch"})
REFUSED_INPUT = frozenset({400, 401, 413, 415, 422})
NUMBERS = {"integer": int, "number": float}
BOOLEANS = {"true": True, "false": False}
MADE = "dynabench_contract"


@dataclass(frozen=True)
class Answered:
    """A received answer: header names in any case, the whole body."""

    status: int
    headers: Headers | Mapping[str, str]
    body: bytes

    @property
    def media_type(self) -> str:
        """Return the media type without its parameters; empty if none is stated."""
        return self.headers.get("Content-Type", "").partition(";")[0].strip().lower()


@dataclass(frozen=True)
class Asked:
    """A received request: every value of each query parameter, the whole body."""

    query: Mapping[str, Sequence[str]]
    body: bytes


class Operation:
    """A method at an address."""

    def __init__(self, path: str, declared: Document, document: Document) -> None:
        self.path = path
        self._declared = declared
        self._components = document["components"]
        self._validators: dict[str, jsonschema_rs.Draft202012Validator] = {}
        parts = (re.escape(part) for part in re.split(r"\{\w+\}", path))
        self.pattern = re.compile(PART.join(parts))

    @cached_property
    def loose_pattern(self) -> re.Pattern[str]:
        """Match addresses whose last part holds slashes, such as a file's path."""
        return re.compile(self.pattern.pattern.removesuffix(PART) + "(.+)")

    def breaches_of_answer(self, answered: Answered) -> Iterator[str]:
        """Yield an answer's breaches of the document."""
        responses = self._declared["responses"]
        status = str(answered.status)
        key = next((key for key in (status, f"{status[0]}XX") if key in responses), None)
        if key is None:
            yield f"status {status} is not declared"
            return
        for name, header in responses[key].get("headers", {}).items():
            if header["required"] and name not in answered.headers:
                yield f"{status}: the header {name} is missing"
        yield from self._breaches_of_content(key, responses[key].get("content", {}), answered)

    def breaches_of_address(self, path: str) -> Iterator[str]:
        """Yield the breaches of the document by the parts of an address."""
        found = self.pattern.fullmatch(path) or self.loose_pattern.fullmatch(path)
        values = dict(zip(re.findall(r"\{(\w+)\}", self.path), found.groups() if found else (), strict=False))
        for each in self._declared.get("parameters", ()):
            if each["in"] == "path" and each["name"] in values:
                value = _typed(values[each["name"]], each["schema"])
                yield from self._flaws(f"path {each['name']}", each["schema"], value)

    def breaches_of_request(self, asked: Asked) -> Iterator[str]:
        """Yield a request's breaches of the document."""
        parameters = {each["name"]: each for each in self._declared.get("parameters", ())}
        queried = {name: each for name, each in parameters.items() if each["in"] == "query"}
        for name, values in asked.query.items():
            if name not in queried:
                yield f"there is no query parameter {name!r}"
                continue
            schema = queried[name]["schema"]
            given = [_typed(value, schema) for value in values]
            value = given if schema.get("type") == "array" else given[-1]
            yield from self._flaws(f"query {name}", schema, value)
        missing = [name for name, each in queried.items() if each["required"] and name not in asked.query]
        yield from (f"the query parameter {name!r} is missing" for name in missing)
        yield from self._breaches_of_body(asked.body)

    def _breaches_of_content(self, key: str, declared: Document, answered: Answered) -> Iterator[str]:
        if not declared:
            if answered.body:
                yield f"{answered.status}: a body where none is declared"
            return
        media_type = next((each for each in declared if each == answered.media_type), None)
        if media_type is None:
            yield f"{answered.status}: the media type {answered.media_type!r} is not among {list(declared)}"
        elif media_type.endswith("json") and answered.body:
            schema = declared[media_type]["schema"]
            yield from self._flaws(f"answer {key} {media_type}", schema, json.loads(answered.body))

    def _breaches_of_body(self, body: bytes) -> Iterator[str]:
        declared = self._declared.get("requestBody")
        if declared is None:
            if body not in (b"", b"{}"):
                yield "a body where none is declared"
        elif "application/json" in declared["content"]:
            try:
                given = json.loads(body or b"null")
            except ValueError:
                yield "the body is no JSON"
                return
            yield from self._flaws("body", declared["content"]["application/json"]["schema"], given)

    def _flaws(self, where: str, schema: Document, value: object) -> Iterator[str]:
        if where not in self._validators:
            rooted = {**schema, "components": self._components}
            self._validators[where] = jsonschema_rs.Draft202012Validator(rooted, validate_formats=True)
        for error in self._validators[where].iter_errors(value):
            place = ".".join(str(part) for part in error.instance_path)
            yield f"{where}: {place or 'the whole'}: {error.message[:300]}"


class Contract:
    """The operations of one OpenAPI document."""

    def __init__(self, document: Document) -> None:
        closed = closed_document(document)
        found = [
            (method, Operation(path, declared, closed))
            for path, methods in closed["paths"].items()
            for method, declared in methods.items()
            if method in METHODS
        ]
        self._operations = sorted(found, key=lambda each: -len(re.sub(r"\{\w+\}", "", each[1].path)))

    def operation(self, method: str, path: str) -> Operation | None:
        """Return the operation that serves a method at an address."""
        mine = [operation for its_method, operation in self._operations if its_method == method.lower()]
        exact = (each for each in mine if each.pattern.fullmatch(path))
        loose = (each for each in mine if each.path.endswith("}") and each.loose_pattern.fullmatch(path))
        return next(exact, None) or next(loose, None)

    def breaches(self, method: str, path: str, answered: Answered, asked: Asked | None = None) -> list[str]:
        """Return the breaches of the document, in words.

        A refused request is not checked. Addresses that the document does not have may only
        be refused, as the shared routes about health are not in it.
        """
        operation = self.operation(method, path)
        if operation is None:
            return [] if answered.status >= 400 or path.startswith("/healthz/") else ["no such operation"]
        found = list(operation.breaches_of_answer(answered))
        if asked is not None and answered.status not in REFUSED_INPUT:
            found += operation.breaches_of_request(asked)
        if asked is not None and answered.status < 400:
            found += operation.breaches_of_address(path)
        return [f"{method} {path}: {breach}" for breach in found]


class ContractClient(FlaskClient):
    """A test client that fails on a breach of the application's document."""

    def open(self, *args: Any, **named: Any) -> TestResponse:
        """Send a request and compare the answer with the document."""
        answer = super().open(*args, **named)
        application = self.application
        if not isinstance(application, PublishedApp):
            raise TypeError("only an application with a document can be held against it")
        path = answer.request.path
        if answer.request.method in {"HEAD", "OPTIONS"} or path.startswith(
            application.doc_prefix + "/openapi"
        ):
            return answer
        is_json = (answer.mimetype or "").endswith("json")
        answered = Answered(answer.status_code, answer.headers, answer.get_data() if is_json else b"")
        contract = contract_of_app(application)
        breaches = contract.breaches(answer.request.method, path, answered)
        if breaches:
            raise AssertionError("\n".join(breaches))
        return answer


def checked_against_contract(app: PublishedApp) -> PublishedApp:
    """Return the application; its test clients fail on a breach of its document."""
    app.test_client_class = ContractClient
    return app


def watch(app: Flask, contracts: Mapping[str, Contract], breaches: list[str]) -> None:
    """Compare requests and answers of `app` under /api/<service>/ with that service's contract; note breaches."""

    def note(answer: Response) -> Response:
        service = request.path.split("/")[2] if request.path.startswith("/api/") else ""
        answered = Answered(
            answer.status_code, answer.headers, b"" if answer.is_streamed else answer.get_data()
        )
        asked = Asked(dict(request.args.lists()), request.get_data())
        breaches.extend(contracts[service].breaches(request.method, request.path, answered, asked))
        return answer

    app.after_request(note)


def contract_of_app(app: PublishedApp) -> Contract:
    """Return the contract of an application, made once: its document takes longer to write than most answers."""
    made: Contract | None = app.extensions.get(MADE)
    if made is None:
        made = app.extensions[MADE] = contract_of(app.api_doc)
    return made


def contract_of(document: Document) -> Contract:
    """Return the contract of a document, made once."""
    return _contract(json.dumps(document))


@lru_cache(maxsize=32)
def _contract(document: str) -> Contract:
    return Contract(json.loads(document))


def closed_document(document: Document) -> Document:
    """Return the document with its records closed: they have the members that are named, and no others."""
    paths = {
        path: {
            method: {**declared, "responses": _closed(declared["responses"])}
            for method, declared in methods.items()
        }
        for path, methods in document["paths"].items()
    }
    return {**document, "paths": paths, "components": _closed(document["components"])}


def _closed(schema: Any) -> Any:
    if isinstance(schema, list):
        return [_closed(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    closed = {name: _closed(value) for name, value in schema.items()}
    if isinstance(schema.get("properties"), dict) and "type" in schema:
        closed.setdefault("additionalProperties", False)
    return closed


def _typed(value: str, schema: Document) -> object:
    """Return a query value as the type that its schema wants; as text if it can't be that."""
    options = [schema.get("items", schema), *schema.get("anyOf", ())]
    for kind in (option.get("type") for option in options):
        if kind == "boolean" and value in BOOLEANS:
            return BOOLEANS[value]
        if kind in NUMBERS:
            try:
                return NUMBERS[kind](value)
            except ValueError:
                return value
    return value
