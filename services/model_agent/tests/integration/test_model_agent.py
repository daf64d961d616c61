"""The agent's store and interface against a real S3: fetched by digest, refused, full, superseded."""

import hashlib
import json
import os
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from dynabench_archives.model_servers import EPOCH_HEADER, Archive, Pool, Registration, Served
from dynabench_common.http.contracts import checked_against_contract
from dynabench_common.settings import ObjectSettings
from dynabench_common.testing import SERVICE_TOKEN_DIGESTS, Issuer, service_headers, service_token, wait_until
from flask.testing import FlaskClient
from model_agent.bootstrap import Dependencies
from model_agent.entrypoints.http.app import create_app
from model_agent.errors import ArchiveOnItsWay, ModelServerAway, ModelServerRefused
from model_agent.objects import ArchiveObjects
from model_agent.pools import Pools
from model_agent.settings import AgentSettings
from model_agent.store import ArchiveInUse, ArchiveStore, ArchiveUnusable, StoreFull, file_of

SERVICE = service_headers("registry")
LEADS = {**SERVICE, EPOCH_HEADER: "2"}
SHARED = "/agent/v1/pools/shared"


class Server:
    """Fake model server. It serves what is registered; with `error` set, it refuses or is away."""

    def __init__(self) -> None:
        self.held: dict[str, Served] = {}
        self.error: Exception | None = None

    def served(self) -> Mapping[str, Served]:
        if self.error is not None:
            raise self.error
        return self.held

    def register(self, registration: Registration) -> None:
        assert registration.archive is not None
        self.hold(registration.serving_name, registration.archive.file)

    def hold(self, name: str, file: str) -> None:
        self.held[name] = Served(name, file, 1, 1, 10, 1, (), "unix:/run/mini.sock")

    def unregister(self, serving_name: str) -> None:
        if serving_name not in self.held:
            raise ModelServerRefused("status 404: Model not found")
        del self.held[serving_name]

    def scale(self, serving_name: str, workers: int) -> None:
        self.held[serving_name] = replace(self.held[serving_name], min_workers=workers)

    def probe(self, registration: Registration) -> tuple[str, str]:
        return "sha256:m", f"sha256:{'-'.join(registration.fields)}"


class World:
    """A local archive store for 1,000 bytes in front of S3, and a model server."""

    def __init__(self, folder: Path, settings: ObjectSettings) -> None:
        self.objects = ArchiveObjects(settings)
        self.folder = folder
        self.server = Server()
        self.pools = Pools({Pool.SHARED: self.server, Pool.SANDBOXED: "no cgroups"})
        self.store = self.open_store()

    def open_store(self) -> ArchiveStore:
        return ArchiveStore(self.folder / "store", self.objects, 1_000, self.pools.files_in_use)

    def sent(self, content: bytes) -> Archive:
        """Return an archive that S3 has."""
        digest = f"sha256:{hashlib.sha256(content).hexdigest()}"
        source, key = self.folder / "sent", f"served/{uuid4().hex}.mar"
        source.write_bytes(content)
        self.objects.store(source, key)
        return Archive(file_of(digest), digest, "sha256:m", "sha256:h", len(content), key)

    def brought(self, archive: Archive) -> bytes:
        """Return the bytes once they are in the store."""

        def is_there() -> bool:
            try:
                self.store.bring(archive)
            except ArchiveOnItsWay:
                return False
            return True

        wait_until(is_there, 60, "the archive in the store")
        return (self.store.folder / archive.file).read_bytes()

    def files(self) -> set[str]:
        return {path.name for path in self.store.folder.iterdir()}


@pytest.fixture
def world(tmp_path: Path, object_settings: ObjectSettings) -> World:
    return World(tmp_path, object_settings)


def test_an_archive_of_a_deleted_submission_is_removed_once_nobody_serves_it(world: World) -> None:
    archive = world.sent(b"weights" * 50)
    world.brought(archive)
    world.server.hold("mini", archive.file)
    with pytest.raises(ArchiveInUse, match="is served"):
        world.store.remove(archive.file)
    world.server.unregister("mini")
    world.store.remove(archive.file)
    assert world.files() == set()
    world.store.remove(archive.file)


def test_archives_of_the_installation_are_never_removed(world: World) -> None:
    (world.store.folder / "mini.mar").write_bytes(b"weights")
    with pytest.raises(ArchiveInUse, match="belongs to the installation"):
        world.store.remove("mini.mar")
    assert world.files() == {"mini.mar"}


def test_an_archive_is_fetched_once_by_its_digest(world: World) -> None:
    archive = world.sent(b"weights" * 50)
    with pytest.raises(ArchiveOnItsWay, match="is being fetched"):
        world.store.bring(archive)
    assert world.brought(archive) == b"weights" * 50
    assert world.files() == {archive.file}
    world.store.bring(replace(archive, key="served/that-is-gone.mar"))


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"key": "served/nothing.mar"}, "S3 has no served/nothing.mar"),
        ({"size": 3}, "is longer than 3 bytes"),
        ({"file": f"{'0' * 64}.mar", "sha256": f"sha256:{'0' * 64}"}, f"not sha256:{'0' * 64}"),
        ({"size": 2_000}, r"store is full: 2,000 bytes are needed"),
        ({"file": "other.mar"}, "other.mar is not the name of an archive"),
        ({"file": "../out.mar", "sha256": "sha256:../out"}, "is not the name of an archive"),
        ({"key": None, "file": "absent.mar"}, "absent.mar is not in the model store"),
    ],
)
def test_what_is_not_the_archive_is_refused_and_leaves_nothing(
    world: World, change: dict[str, Any], reason: str
) -> None:
    with pytest.raises(ArchiveUnusable, match=reason):
        world.brought(replace(world.sent(b"weights"), **change))
    assert world.files() == set()


def test_a_failed_fetch_is_tried_again(world: World) -> None:
    archive = world.sent(b"weights")
    with pytest.raises(ArchiveUnusable):
        world.brought(replace(archive, key="served/nothing.mar"))
    assert world.brought(archive) == b"weights"


def test_the_least_recently_used_idle_archive_makes_room(world: World) -> None:
    archives = [world.sent(bytes([number]) * 400) for number in range(3)]
    for age, archive in enumerate(archives[:2]):
        world.brought(archive)
        os.utime(world.store.folder / archive.file, (1_000 + age, 1_000 + age))
    (world.store.folder / "by-itself.mar").write_bytes(b"x" * 5_000)
    world.brought(archives[2])
    assert world.files() == {archives[1].file, archives[2].file, "by-itself.mar"}


def test_what_is_served_is_not_removed_and_a_full_store_says_so(world: World) -> None:
    archives = [world.sent(bytes([number]) * 400) for number in range(3)]
    for number, archive in enumerate(archives[:2]):
        world.brought(archive)
        world.server.hold(f"model-{number}", archive.file)
    with pytest.raises(ArchiveUnusable, match="STORE_BYTES must give more"):
        world.brought(archives[2])
    built = world.folder / "built.mar"
    built.write_bytes(b"y" * 400)
    with pytest.raises(StoreFull, match="200 of them are lacking"):
        world.store.take_in(built, archives[2].sha256)
    world.server.error = ModelServerAway("ReadTimeoutError")
    with pytest.raises(ArchiveUnusable, match="ReadTimeoutError"):
        world.brought(archives[2])
    assert world.files() == {archive.file for archive in archives[:2]}


def test_what_a_killed_agent_left_half_done_goes(world: World) -> None:
    left = world.store.folder / f"{'a' * 64}.mar.partial"
    left.write_bytes(b"half")
    world.open_store()
    assert world.files() == set()


def test_notes_are_read_as_they_change(world: World) -> None:
    store = world.store.folder
    (store / "mini.mar").write_bytes(b"1234567")
    assert world.store.notes() == {"mini.mar": {"size": 7, "note": "there is no mini.mar.json"}}
    for note in ({"sha256": "sha256:a"}, {"sha256": "sha256:other"}):
        (store / "mini.mar.json").write_text(json.dumps(note))
        assert world.store.notes() == {"mini.mar": {"size": 7, "note": note}}
    (store / "mini.mar.json").write_text("[]")
    assert world.store.notes()["mini.mar"]["note"] == "ValueError: it is no object"
    (store / f"{'a' * 64}.mar").write_bytes(b"fetched")
    assert set(world.store.notes()) == {"mini.mar"}


@pytest.fixture
def client(world: World, object_settings: ObjectSettings, issuer: Issuer) -> FlaskClient:
    settings = AgentSettings(
        **object_settings.model_dump(),
        service_token=service_token("agent"),
        service_token_digests=SERVICE_TOKEN_DIGESTS,
        jwks_url="http://127.0.0.1:9/jwks",
        torchserve_management_url="http://127.0.0.1:9",
        torchserve_inference_url="http://127.0.0.1:9",
        torchserve_key_file=world.folder / "key_file.json",
        model_store=world.store.folder,
        serving_python=Path("/usr/bin/python3"),
        packaging_sources="",
        build_folder=world.folder / "builds",
    )
    needed: Any = Dependencies(world.pools, world.store, None, lambda _: ())  # type: ignore[arg-type]
    return checked_against_contract(create_app(settings, needed, issuer.verifier())).test_client()


def registration(sent: Archive, **change: Any) -> dict[str, Any]:
    return {
        "serving_name": "mini-v1",
        "archive": vars(sent),
        "fields": ["text"],
        "workers": 1,
        "on_demand": True,
        "batch_size": 1,
        "max_batch_delay_milliseconds": 1,
        "response_timeout_seconds": 10,
        "explains": False,
        **change,
    }


@pytest.fixture
def send(client: FlaskClient) -> Callable[..., tuple[int, Any]]:
    def sent(method: str, path: str, body: object = None, headers: Any = LEADS) -> tuple[int, Any]:
        answer = client.open(path, method=method, json=body, headers=headers)
        return answer.status_code, answer.get_json()

    return sent


def test_a_pool_is_commanded_over_http(world: World, send: Callable[..., tuple[int, Any]]) -> None:
    body = registration(world.sent(b"weights"))
    status, problem = send("POST", f"{SHARED}/registrations", body)
    assert (status, problem["type"]) == (409, "/problems/archive-on-its-way")
    wait_until(lambda: send("POST", f"{SHARED}/registrations", body)[0] == 202, 60, "the registration")
    status, answer = send("GET", f"{SHARED}/served")
    (served,) = answer["served"]
    assert (served["serving_name"], served["file"]) == ("mini-v1", body["archive"]["file"])
    assert (served["min_workers"], served["address"]) == (1, "unix:/run/mini.sock")
    assert send("PUT", f"{SHARED}/registrations/mini-v1/workers", {"workers": 0})[0] == 202
    assert send("GET", f"{SHARED}/served")[1]["served"][0]["min_workers"] == 0
    assert send("POST", f"{SHARED}/registrations/mini-v1/probe", body)[1] == {
        "model_digest": "sha256:m",
        "handler_digest": "sha256:text",
    }
    assert send("DELETE", f"{SHARED}/registrations/mini-v1")[0] == 202
    status, problem = send("DELETE", f"{SHARED}/registrations/mini-v1")
    assert (status, problem["type"]) == (422, "/problems/model-server-refused")


def test_a_reconciler_that_was_superseded_commands_nothing(
    world: World, send: Callable[..., tuple[int, Any]]
) -> None:
    world.server.hold("mini-v1", "mini.mar")
    later, earlier = {**SERVICE, EPOCH_HEADER: "3"}, {**SERVICE, EPOCH_HEADER: "2"}
    workers = f"{SHARED}/registrations/mini-v1/workers"
    assert send("PUT", workers, {"workers": 1}, later)[0] == 202
    status, problem = send("PUT", workers, {"workers": 0}, earlier)
    assert (status, problem["type"]) == (409, "/problems/reconciler-superseded")
    assert send("DELETE", f"{SHARED}/registrations/mini-v1", None, earlier)[0] == 409
    assert send("PUT", workers, {"workers": 0}, SERVICE)[1]["type"] == "/problems/epoch-missing"
    assert world.server.held["mini-v1"].min_workers == 1


def test_a_pool_that_is_not_there_says_why(send: Callable[..., tuple[int, Any]]) -> None:
    status, problem = send("GET", "/agent/v1/pools/sandboxed/served")
    assert (status, problem["type"]) == (409, "/problems/pool-absent")
    assert problem["detail"] == "there is no pool sandboxed here: no cgroups"
    assert send("GET", "/agent/v1/pools/other/served")[0] == 422


def test_a_model_server_that_is_away_is_told(world: World, send: Callable[..., tuple[int, Any]]) -> None:
    world.server.error = ModelServerAway("NewConnectionError")
    status, problem = send("GET", f"{SHARED}/served")
    assert (status, problem["type"]) == (503, "/problems/model-server-away")
    assert send("GET", "/healthz/ready", headers={})[0] == 503


@pytest.mark.parametrize(
    "change",
    [
        {"serving_name": "../mini"},
        {"serving_name": "mini?url=evil"},
        {"fields": ["text", "Text\n"]},
        {"workers": 65},
        {
            "archive": {
                "file": "../../etc/passwd",
                "sha256": "a",
                "model_digest": "",
                "handler_digest": "",
                "size": 1,
            }
        },
        {"more": 1},
    ],
)
def test_strange_registrations_are_refused(
    world: World, send: Callable[..., tuple[int, Any]], change: dict[str, Any]
) -> None:
    body = registration(world.sent(b"weights"), **change)
    assert send("POST", f"{SHARED}/registrations", body)[0] == 422
    assert world.server.held == {}


def test_only_services_are_let_in(send: Callable[..., tuple[int, Any]], issuer: Issuer) -> None:
    assert send("GET", f"{SHARED}/served", headers={})[0] == 401
    assert send("GET", f"{SHARED}/served", headers=issuer.headers(uuid4(), ("admin",)))[0] == 403
    assert send("GET", "/agent/v1/notes", headers={"Authorization": "Bearer guessed"})[0] == 401
