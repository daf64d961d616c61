"""Refuse changes that break clients of a published OpenAPI document; `--write` publishes the present ones (a release).

`services/api/published` holds the document of each service that clients rely on, without descriptions. Clients ignore
fields that they do not know and accept new words of an enumeration; services refuse unknown fields. So answers may gain
fields and words, and requests may gain optional fields and words. Everything else is a break.
"""

import json
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from tests.published import WITH_DOCUMENT, document_of  # noqa: E402

PUBLISHED = ROOT / "services" / "api" / "published"
TEXTS = frozenset({"description", "summary", "title", "example", "examples"})
UPPER_LIMITS = ("maximum", "maxLength", "maxItems")
LOWER_LIMITS = ("minimum", "minLength", "minItems")
Schema = Mapping[str, Any]


class Comparison:
    """The breaks between a document and a later one."""

    def __init__(self, before: Schema, after: Schema) -> None:
        self._before, self._after = before, after
        self._seen: set[tuple[str, str, bool]] = set()

    def breaks(self) -> Iterator[str]:
        """Yield each break as its place and what changed."""
        for path, operations in self._before["paths"].items():
            for method, operation in operations.items():
                now = self._after["paths"].get(path, {}).get(method)
                place = f"{method.upper()} {path}"
                if now is None:
                    yield f"{place}: removed"
                else:
                    yield from self._operation(place, operation, now)

    def _operation(self, place: str, before: Schema, after: Schema) -> Iterator[str]:
        if before.get("operationId") != after.get("operationId"):
            yield f"{place}: operationId changed"
        yield from self._parameters(place, before, after)
        if "requestBody" in after:
            if "requestBody" not in before:
                if after["requestBody"].get("required"):
                    yield f"{place}: a required body was added"
            else:
                yield from self._content(
                    f"{place} body", before["requestBody"], after["requestBody"], sent=True
                )
        elif "requestBody" in before:
            yield f"{place}: the body was removed"
        for status, answer in before["responses"].items():
            if status not in after["responses"]:
                yield f"{place}: answer {status} was removed"
            else:
                yield from self._content(f"{place} {status}", answer, after["responses"][status], sent=False)

    def _parameters(self, place: str, before: Schema, after: Schema) -> Iterator[str]:
        old = {(each["in"], each["name"]): each for each in before.get("parameters", ())}
        new = {(each["in"], each["name"]): each for each in after.get("parameters", ())}
        for key, parameter in new.items():
            if parameter.get("required") and not old.get(key, {}).get("required"):
                yield f"{place}: the parameter {key[1]} became required"
        for key, parameter in old.items():
            if key not in new:
                yield f"{place}: the parameter {key[1]} was removed"
            else:
                yield from self._schema(
                    f"{place} {key[1]}", parameter["schema"], new[key]["schema"], sent=True
                )

    def _content(self, place: str, before: Schema, after: Schema, *, sent: bool) -> Iterator[str]:
        for media_type, declared in before.get("content", {}).items():
            if media_type not in after.get("content", {}):
                yield f"{place}: {media_type} was removed"
            else:
                now = after["content"][media_type]
                yield from self._schema(place, declared.get("schema", {}), now.get("schema", {}), sent=sent)

    def _schema(self, place: str, before: Schema, after: Schema, *, sent: bool) -> Iterator[str]:
        names = (str(before.get("$ref")), str(after.get("$ref")), sent)
        if "$ref" in before:
            if names in self._seen:
                return
            self._seen.add(names)
        olds = dict(_alternatives(before, self._before))
        news = dict(_alternatives(after, self._after))
        wanted, offered = (olds, news) if sent else (news, olds)
        for kind in wanted:
            if (
                kind not in offered
                and not (kind == "integer" and "number" in offered)
                and "any" not in offered
            ):
                yield f"{place}: {kind} is {'no longer accepted' if sent else 'new in an answer'}"
        for kind in olds.keys() & news.keys():
            yield from self._same_kind(place, olds[kind], news[kind], sent=sent)

    def _same_kind(self, place: str, before: Schema, after: Schema, *, sent: bool) -> Iterator[str]:
        if sent:
            if "enum" in after and not set(after["enum"]) >= set(before.get("enum", [None])):
                yield f"{place}: fewer words are accepted"
            narrower = [key for key in UPPER_LIMITS if after.get(key, 2**63) < before.get(key, 2**63)]
            narrower += [key for key in LOWER_LIMITS if after.get(key, -(2**63)) > before.get(key, -(2**63))]
            yield from (f"{place}: {key} is narrower" for key in narrower)
        required, needed = set(before.get("required", ())), set(after.get("required", ()))
        for name in sorted(needed - required if sent else required - needed):
            yield f"{place}.{name}: {'became required' if sent else 'may be missing now'}"
        for name, field in before.get("properties", {}).items():
            if name not in after.get("properties", {}):
                yield f"{place}.{name}: removed"
            else:
                yield from self._schema(f"{place}.{name}", field, after["properties"][name], sent=sent)
        for part in ("items", "additionalProperties"):
            inside, now = before.get(part), after.get(part)
            if isinstance(inside, dict) and isinstance(now, dict):
                yield from self._schema(f"{place}[]", inside, now, sent=sent)


def _alternatives(schema: Schema, document: Schema) -> Iterator[tuple[str, Schema]]:
    """Yield the kinds of value that a schema allows; several objects have their names in it."""
    while "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        schema = {"x-name": name, **document["components"]["schemas"][name]}
    choices = schema.get("anyOf") or schema.get("oneOf")
    if choices is None:
        yield schema.get("type", "any"), schema
        return
    found = [each for choice in choices for each in _alternatives(choice, document)]
    several = sum(kind == "object" for kind, _ in found) > 1
    for kind, each in found:
        yield (f"object {each.get('x-name', '')}" if several and kind == "object" else kind), each


def without_texts(document: Any) -> Any:
    """Return a document without what only people read. A property may have any name, also `title`."""
    if isinstance(document, dict):
        return {
            key: {name: without_texts(each) for name, each in value.items()}
            if key == "properties"
            else without_texts(value)
            for key, value in document.items()
            if key not in TEXTS or not isinstance(value, str | list)
        }
    return [without_texts(each) for each in document] if isinstance(document, list) else document


def main(arguments: list[str]) -> int:
    """Compare every service's document, or write them; return 1 if one breaks its clients."""
    broken = 0
    for service in WITH_DOCUMENT:
        path, now = PUBLISHED / f"{service}.json", without_texts(document_of(service))
        if "--write" in arguments:
            path.parent.mkdir(exist_ok=True)
            path.write_text(json.dumps(now, sort_keys=True) + "\n", encoding="utf-8")
            continue
        if not path.exists():
            print(f"{service}: no document is published; run scripts/check_openapi.py --write")
            broken = 1
            continue
        for each in Comparison(json.loads(path.read_text(encoding="utf-8")), now).breaks():
            print(f"{service}: {each}")
            broken = 1
    return broken


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
