"""Every route names a permission of the table; every service follows the common shape."""

import contextlib
import importlib
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

import pytest
from dynabench_common.auth.permissions import ATTRIBUTE, Permission
from dynabench_common.http.schemas import Input, Parameters
from pydantic import BaseModel, TypeAdapter, ValidationError

from tests.published import WITH_DATABASE, WITH_DOCUMENT, WITH_HTTP, app_of, document_of

ROOT = Path(__file__).parents[2]
SERVICES = sorted(path.parent.name for path in (ROOT / "services").glob("*/pyproject.toml"))
OPEN_ENDPOINTS = {"health_live", "health_ready", "static"}
READ_ENVIRONMENT = {"settings.py", "profiles.py", "init.py"}
"""The last is no part of a service: it runs in a sandbox and reads its node's address there."""


@pytest.mark.parametrize("service", WITH_HTTP)
def test_every_route_names_its_permission(service: str) -> None:
    app = app_of(service)
    without = []
    for rule in app.url_map.iter_rules():
        if rule.endpoint in OPEN_ENDPOINTS or rule.endpoint.startswith("openapi"):
            continue
        if not isinstance(getattr(app.view_functions[rule.endpoint], ATTRIBUTE, None), Permission):
            without.append(f"{rule.endpoint} {rule.rule}")
    assert without == []


def test_no_parameter_takes_text_that_postgresql_does_not() -> None:
    for service in WITH_DOCUMENT:
        app_of(service)
    checked, takes = 0, []
    for model in _parameters(BaseModel):
        for name, field in model.model_fields.items():
            kind: Any = Annotated[field.annotation, field]
            adapter: TypeAdapter[Any] = TypeAdapter(kind)
            checked += 1
            for given in ("a\x00b", ["a\x00b"]):
                with contextlib.suppress(ValidationError):
                    adapter.validate_python(given)
                    takes.append(f"{model.__module__}.{model.__name__}.{name}")
    assert checked > 100
    assert takes == []


def _parameters(base: type[BaseModel]) -> Iterator[type[BaseModel]]:
    """Yield the models of queries and of parts of addresses."""
    for model in base.__subclasses__():
        is_address = ".entrypoints" in model.__module__ and model.__name__.endswith("Path")
        if is_address or (issubclass(model, Parameters) and not issubclass(model, Input)):
            yield model
        yield from _parameters(model)


@pytest.mark.parametrize("service", WITH_DATABASE)
def test_services_with_tables_have_the_one_shape(service: str) -> None:
    source = ROOT / "services" / service / "src" / service
    for part in ["settings.py", "bootstrap.py", "domain", "service_layer", "adapters", "entrypoints/cli.py"]:
        assert (source / part).exists(), f"{service} lacks {part}"
    assert (ROOT / "services" / service / "migrations" / "env.py").exists()
    assert (ROOT / "services" / service / "README.md").exists()


@pytest.mark.parametrize("service", SERVICES)
def test_only_settings_read_the_environment(service: str) -> None:
    source = ROOT / "services" / service / "src"
    readers = [
        str(path.relative_to(ROOT))
        for path in source.rglob("*.py")
        if path.name not in READ_ENVIRONMENT and "os.environ" in path.read_text()
    ]
    assert readers == []


@pytest.mark.parametrize("service", WITH_HTTP)
def test_every_setting_is_documented(service: str) -> None:
    settings = importlib.import_module(f"{service}.settings")
    readme = (ROOT / "services" / service / "README.md").read_text()
    own = [
        cls
        for cls in vars(settings).values()
        if isinstance(cls, type) and cls.__module__ == settings.__name__ and hasattr(cls, "model_fields")
    ]
    assert own
    missing = [name.upper() for cls in own for name in cls.model_fields if name.upper() not in readme]
    assert missing == []


@pytest.mark.parametrize("service", SERVICES)
def test_editable_installs_need_no_extra_package(service: str) -> None:
    with (ROOT / "services" / service / "pyproject.toml").open("rb") as file:
        document = tomllib.load(file)
    assert document["tool"]["hatch"]["build"]["dev-mode-dirs"] == ["src"]


def test_lock_files_hold_hashes_and_no_addresses() -> None:
    for path in (ROOT / "deploy" / "requirements").glob("*.txt"):
        text = path.read_text()
        assert "://" not in text, path.name
        if path.name != "torch.txt":
            assert "--hash=sha256:" in text, path.name


@pytest.mark.parametrize("service", WITH_DOCUMENT)
def test_every_number_that_may_be_sent_has_bounds_that_64_bits_hold(service: str) -> None:
    document = document_of(service)
    unbounded = []
    for path, operations in document["paths"].items():
        for method, operation in operations.items():
            sent = [(parameter["name"], parameter["schema"]) for parameter in operation.get("parameters", ())]
            bodies = operation.get("requestBody", {}).get("content", {})
            sent += [("body", body["schema"]) for body in bodies.values() if "schema" in body]
            for name, schema in sent:
                unbounded += [f"{method} {path}: {place}" for place in _unbounded(schema, document, name)]
    assert unbounded == []


def _unbounded(
    schema: Any, document: dict[str, Any], place: str, within: tuple[str, ...] = ()
) -> Iterator[str]:
    """Yield the places of numbers without limits. A float needs none: the reader of bodies refuses infinite ones."""
    reference = schema.get("$ref")
    if reference in within:
        return
    if reference:
        found = document
        for step in reference.split("/")[1:]:
            found = found[step]
        yield from _unbounded(found, document, place, (*within, reference))
    is_bounded = {"minimum", "exclusiveMinimum"} & set(schema) and {"maximum", "exclusiveMaximum"} & set(
        schema
    )
    if schema.get("type") == "integer" and not (is_bounded or {"enum", "const"} & set(schema)):
        yield place
    for name, part in schema.get("properties", {}).items():
        yield from _unbounded(part, document, f"{place}.{name}", within)
    parts = [schema.get("items"), schema.get("additionalProperties")]
    parts += [part for kind in ("anyOf", "oneOf", "allOf") for part in schema.get(kind, ())]
    for part in parts:
        if isinstance(part, dict):
            yield from _unbounded(part, document, place, within)
