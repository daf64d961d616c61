"""Places of files and ports, and the conditions for a start."""

import os
import socket
from pathlib import Path
from typing import Any

import pytest
from dynabench_local import preflight, secret_store
from dynabench_local.layout import MOST_REPLICAS, PORT_SPAN, Layout, checkout, from_environment, offsets, span
from dynabench_local.stack import Stack


@pytest.fixture
def layout(tmp_path: Path) -> Layout:
    return Layout(checkout(), tmp_path, preflight.free_port_base(PORT_SPAN))


@pytest.mark.parametrize("replicas", range(1, MOST_REPLICAS + 1))
def test_every_part_has_a_port_of_its_own_within_the_span(replicas: int) -> None:
    ports = offsets(replicas)
    assert len(set(ports.values())) == len(ports)
    assert max(ports.values()) < span(replicas)


@pytest.mark.parametrize("given", ["0", "three", "-1", str(MOST_REPLICAS + 1)])
def test_a_number_of_replicas_that_is_none_is_refused(monkeypatch: pytest.MonkeyPatch, given: str) -> None:
    monkeypatch.setenv("REPLICAS", given)
    with pytest.raises(ValueError, match="REPLICAS"):
        from_environment()


def test_the_environment_chooses_folder_and_ports(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("DYNABENCH_HOME", str(tmp_path))
    monkeypatch.setenv("PORT_BASE", "9100")
    chosen = from_environment()
    assert (chosen.home, chosen.public_url) == (tmp_path, "http://127.0.0.1:9100")


@pytest.mark.parametrize("given", ["eighty", "80", "70000", "-1"])
def test_a_port_base_that_is_none_is_refused(monkeypatch: pytest.MonkeyPatch, given: str) -> None:
    monkeypatch.setenv("PORT_BASE", given)
    with pytest.raises(ValueError, match="PORT_BASE"):
        from_environment()


@pytest.mark.parametrize(("given", "wanted"), [("", True), ("yes", True), ("no", False)])
def test_the_demonstration_round_can_be_switched_off(
    monkeypatch: pytest.MonkeyPatch, given: str, wanted: bool
) -> None:
    monkeypatch.setenv("DEMO_ROUND", given)
    assert from_environment().demo_round is wanted


def test_another_word_for_the_demonstration_round_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DEMO_ROUND", "maybe")
    with pytest.raises(ValueError, match="DEMO_ROUND"):
        from_environment()


def test_two_copies_have_two_folders(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("DYNABENCH_HOME", raising=False)
    homes = set()
    for base in ("8080", "9080"):
        monkeypatch.setenv("PORT_BASE", base)
        homes.add(from_environment().home)
    assert len(homes) == 2


def test_secrets_are_made_once_and_readable_by_their_user_alone(tmp_path: Path) -> None:
    first = secret_store.load(tmp_path)
    assert secret_store.load(tmp_path) == first
    assert len(set(first.values())) == len(first)
    assert (tmp_path / "secrets.json").stat().st_mode & 0o777 == 0o600


def test_a_taken_port_is_named_with_its_part_and_the_remedy(layout: Layout) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", layout.port("kafka")))
        other.listen()
        (line,) = [line for line in preflight.problems(layout) if "taken" in line]
    assert f"{layout.port('kafka')} (kafka)" in line
    assert "choose another PORT_BASE" in line


@pytest.mark.parametrize(
    ("wanted", "expected"),
    [({"disk_gib": 10**6}, "set DYNABENCH_HOME elsewhere"), ({"memory_gib": 10**6}, "end other programs")],
)
def test_lack_of_space_has_a_remedy(layout: Layout, wanted: dict[str, Any], expected: str) -> None:
    assert any(expected in line for line in preflight.problems(layout, **wanted))


def test_a_folder_too_deep_for_sockets_is_refused(tmp_path: Path) -> None:
    deep = Layout(checkout(), tmp_path / ("d" * 100), 20_000)
    assert any("shorter" in line for line in preflight.problems(deep))


@pytest.mark.parametrize(("uid", "refused"), [(0, True), (1000, False)])
def test_root_needs_a_folder_that_others_may_pass(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, uid: int, refused: bool
) -> None:
    (tmp_path / "closed").mkdir(mode=0o700)
    monkeypatch.setattr(os, "getuid", lambda: uid)
    lines = preflight.problems(Layout(checkout(), tmp_path / "closed" / "home", 20_000))
    assert any("closed to other users" in line for line in lines) is refused


@pytest.mark.parametrize(
    ("name", "given"),
    [
        ("PUBLIC_URL", "bench.example.org"),
        ("PUBLIC_URL", "ftp://bench.example.org"),
        ("PUBLIC_URL", "https://"),
        ("PUBLIC_URL", "https://bench.example.org/?a=b"),
        ("PUBLIC_ORIGINS", "https://one.example, two.example"),
        ("PUBLIC_ORIGINS", "https://one.example/bench"),
    ],
)
def test_an_address_that_browsers_cannot_use_is_refused(
    monkeypatch: pytest.MonkeyPatch, name: str, given: str
) -> None:
    monkeypatch.setenv(name, given)
    with pytest.raises(ValueError, match=name):
        from_environment()


def test_the_public_address_reaches_services_and_store_and_the_platform_goes_on_asking_its_own_edge(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    own = Layout(checkout(), tmp_path, 21_000)
    assert own.public_url == "http://127.0.0.1:21000"
    assert own.origins == ["http://127.0.0.1:21000", "http://localhost:21000"]
    monkeypatch.setenv("PUBLIC_URL", "https://lab.example/bench/")
    monkeypatch.setenv("PUBLIC_ORIGINS", "https://one.example, https://two.example")
    stack = Stack(own)
    origins = "https://lab.example,https://one.example,https://two.example," + ",".join(
        ["http://127.0.0.1:21000", "http://localhost:21000"]
    )
    for service in ("accounts", "web", "scoring"):
        assert stack.environment(service)["PUBLIC_URL"] == "https://lab.example/bench"
    assert stack.environment("web")["PUBLIC_ORIGINS"] == origins
    assert f"-s3.allowedOrigins={origins}" in stack.parts["seaweedfs"].command
    assert stack.client_environment()["DYNABENCH_URL"] == "http://127.0.0.1:21000"
