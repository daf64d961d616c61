"""Every route names a permission of the one table; every service keeps to the one shape."""

import importlib
import tomllib
from pathlib import Path

import pytest
from dynabench_common.permissions import ATTRIBUTE, Permission

from tests.published import WITH_DATABASE, WITH_HTTP, app_of

ROOT = Path(__file__).parents[2]
SERVICES = sorted(path.parent.name for path in (ROOT / "services").glob("*/pyproject.toml"))
OPEN_ENDPOINTS = {"health_live", "health_ready", "static"}
READ_ENVIRONMENT = {"settings.py", "profiles.py", "inside.py"}
"""The last is no part of a service: it runs alone in a sandbox, where it is told its node's address so."""


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
