"""The reconciler's next step, as a table: each row under the sentence that it proves."""

from dataclasses import replace

import pytest
from dynabench_archives.model_servers import Archive, Registration, Served, Worker
from registry.domain.plan import Action, GiveUp, Probe, Register, Scale, Unregister, plan
from registry.domain.registration_records import FIRST_PAUSE_SECONDS, RegistrationRecord

NOW = 1_000.0
ARCHIVE = Archive("mini.mar", sha256="aa", model_digest="sha256:m", handler_digest="sha256:h")
WANTED = Registration("mini", ARCHIVE, ("text",), 2, False, 4, 1, 10, explains=False)
FIRST_WORKER = replace(WANTED, workers=1)
EXPLAINER = Registration("mini-explain", ARCHIVE, ("text",), 0, True, 1, 1, 60, explains=True)
USED_EXPLAINER = replace(EXPLAINER, workers=1)
READY, STARTING = Worker(41, "READY"), Worker(42, "UNLOADING")
HELD = Served("mini", "mini.mar", 4, 1, 10, min_workers=2, workers=(READY, READY))
OTHER = replace(FIRST_WORKER, serving_name="other")
IDLE_EXPLAINER = Served("mini-explain", "mini.mar", 1, 1, 60, min_workers=0, workers=())


def known(**changes: object) -> RegistrationRecord:
    return RegistrationRecord(**{"sha256": "aa", "is_answering": True, **changes})  # type: ignore[arg-type]


ROWS: list[tuple[str, list[Registration], list[Served], dict[str, RegistrationRecord], list[Action]]] = [
    ("what is wanted and missing is registered with one worker", [WANTED], [], {}, [Register(FIRST_WORKER)]),
    ("what answers as wanted is left alone", [WANTED], [HELD], {"mini": known()}, []),
    (
        "what nobody wants is unregistered",
        [],
        [HELD],
        {},
        [Unregister("mini", "not to be served")],
    ),
    ("without an archive nothing is registered", [replace(WANTED, archive=None)], [], {}, []),
    (
        "a model whose archive has vanished goes on serving",
        [replace(WANTED, archive=None)],
        [HELD],
        {"mini": known()},
        [],
    ),
    (
        "another archive under the same file name replaces the model",
        [WANTED],
        [HELD],
        {"mini": known(sha256="bb")},
        [Unregister("mini", "the archive has changed"), Register(FIRST_WORKER)],
    ),
    (
        "another file replaces the model",
        [WANTED],
        [replace(HELD, file="old.mar")],
        {"mini": known()},
        [Unregister("mini", "it holds old.mar"), Register(FIRST_WORKER)],
    ),
    (
        "another batch size replaces the model",
        [WANTED],
        [replace(HELD, batch_size=8)],
        {"mini": known()},
        [Unregister("mini", "its batch_size is 8"), Register(FIRST_WORKER)],
    ),
    (
        "when the first worker answers, the others are started",
        [WANTED],
        [replace(HELD, min_workers=1, workers=(READY,))],
        {"mini": known()},
        [Scale("mini", 2)],
    ),
    (
        "until the first worker answers, the others wait",
        [WANTED],
        [replace(HELD, min_workers=1, workers=(STARTING,))],
        {"mini": known(is_answering=False, waiting_since=NOW)},
        [],
    ),
    (
        "second workers wait for the first worker of every model that always runs",
        [WANTED, OTHER],
        [replace(HELD, min_workers=1, workers=(READY,))],
        {"mini": known()},
        [Register(OTHER)],
    ),
    (
        "a model that has failed before is not waited for",
        [WANTED, OTHER],
        [replace(HELD, min_workers=1, workers=(READY,))],
        {"mini": known(), "other": RegistrationRecord(failures=1)},
        [Scale("mini", 2), Register(OTHER)],
    ),
    (
        "nor one without an archive",
        [WANTED, replace(OTHER, archive=None)],
        [replace(HELD, min_workers=1, workers=(READY,))],
        {"mini": known()},
        [Scale("mini", 2)],
    ),
    (
        "a model that comes later takes no worker away from the others",
        [WANTED, OTHER],
        [HELD],
        {"mini": known()},
        [Register(OTHER)],
    ),
    (
        "fewer workers are wanted at once",
        [FIRST_WORKER, OTHER],
        [HELD],
        {"mini": known()},
        [Scale("mini", 1), Register(OTHER)],
    ),
    (
        "what starts on demand comes after what always runs, and waits for it",
        [USED_EXPLAINER, OTHER],
        [],
        {},
        [Register(OTHER)],
    ),
    (
        "what starts on demand and is registered waits too",
        [OTHER, USED_EXPLAINER],
        [IDLE_EXPLAINER],
        {"mini-explain": known()},
        [Register(OTHER)],
    ),
    (
        "what runs on demand already is left alone while others start",
        [OTHER, USED_EXPLAINER],
        [replace(IDLE_EXPLAINER, min_workers=1, workers=(READY,))],
        {"mini-explain": known()},
        [Register(OTHER)],
    ),
    (
        "a model that an earlier registry registered is asked what it is",
        [WANTED],
        [HELD],
        {},
        [Probe(WANTED)],
    ),
    (
        "a model without workers that an earlier registry registered can't be asked, and is forgotten",
        [EXPLAINER],
        [IDLE_EXPLAINER],
        {},
        [Unregister("mini-explain", "its content is unknown, and no worker could tell")],
    ),
    (
        "what nobody asks for need not be registered",
        [EXPLAINER],
        [],
        {},
        [],
    ),
    (
        "what starts on demand is registered when it is first asked for",
        [USED_EXPLAINER],
        [],
        {},
        [Register(USED_EXPLAINER)],
    ),
    (
        "an explainer that nobody wants has no workers",
        [EXPLAINER],
        [IDLE_EXPLAINER],
        {"mini-explain": known()},
        [],
    ),
    (
        "a wanted explainer gets workers",
        [USED_EXPLAINER],
        [IDLE_EXPLAINER],
        {"mini-explain": known()},
        [Scale("mini-explain", 1)],
    ),
    (
        "an explainer that is no longer used loses its workers",
        [EXPLAINER],
        [replace(IDLE_EXPLAINER, min_workers=1, workers=(READY,))],
        {"mini-explain": known()},
        [Scale("mini-explain", 0)],
    ),
    (
        "the first ready worker is probed",
        [WANTED],
        [replace(HELD, workers=(READY, STARTING))],
        {"mini": known(is_answering=False)},
        [Probe(WANTED)],
    ),
    (
        "workers that start are waited for",
        [WANTED],
        [replace(HELD, workers=(STARTING,))],
        {"mini": known(is_answering=False, waiting_since=NOW - 119)},
        [],
    ),
    (
        "workers that start for too long are given up",
        [WANTED],
        [replace(HELD, workers=(STARTING,))],
        {"mini": known(is_answering=False, waiting_since=NOW - 121)},
        [GiveUp("mini", "no worker was ready within 120 s")],
    ),
    (
        "while the platform keeps them from starting, their time does not begin",
        [WANTED],
        [replace(HELD, workers=(), waits_for="no node has room")],
        {"mini": known(is_answering=False, waiting_since=NOW - 121, blocked_since=NOW - 600)},
        [],
    ),
    (
        "where the platform keeps them from it for very long, it is named",
        [WANTED],
        [replace(HELD, workers=(), waits_for="no node has room")],
        {"mini": known(is_answering=False, blocked_since=NOW - 601)},
        [GiveUp("mini", "it waits for the platform: no node has room")],
    ),
    (
        "workers that end again and again are given up early",
        [WANTED],
        [replace(HELD, workers=(STARTING,))],
        {"mini": known(is_answering=False, waiting_since=NOW - 20, pids={1, 2, 3, 4, 5, 6})},
        [GiveUp("mini", "its workers end while they load the model; TorchServe's log says why")],
    ),
    (
        "workers that end while they answer are given up for that, not for loading",
        [WANTED],
        [replace(HELD, workers=(STARTING,))],
        {
            "mini": known(
                is_answering=False,
                waiting_since=NOW - 20,
                pids={1, 2, 3, 4, 5, 6},
                failed_probes=1,
                reason="a probe fails",
            )
        },
        [GiveUp("mini", "a probe fails")],
    ),
    (
        "what failed is unregistered and left alone",
        [WANTED],
        [HELD],
        {"mini": known(retry_at=NOW + 1)},
        [Unregister("mini", "failed")],
    ),
    ("what failed is not tried before its time", [WANTED], [], {"mini": known(retry_at=NOW + 1)}, []),
    (
        "what failed is tried when its time has come",
        [WANTED],
        [],
        {"mini": known(retry_at=NOW)},
        [Register(FIRST_WORKER)],
    ),
]


@pytest.mark.parametrize(
    ("wanted", "served", "records", "expected"), [row[1:] for row in ROWS], ids=[row[0] for row in ROWS]
)
def test_plan(
    wanted: list[Registration],
    served: list[Served],
    records: dict[str, RegistrationRecord],
    expected: list[Action],
) -> None:
    held = {each.serving_name: each for each in served}
    assert plan(wanted, held, records, NOW, 120.0) == expected


def test_crashed_workers_start_a_new_wait() -> None:
    record = known()
    crashed = {"mini": replace(HELD, workers=(STARTING,))}
    assert plan([WANTED], crashed, {"mini": record}, NOW, 120.0) == []
    assert not record.is_answering
    assert record.waiting_since == NOW
    assert plan([WANTED], {"mini": HELD}, {"mini": record}, NOW + 7, 120.0) == [Probe(WANTED)]


def test_pauses_double_and_success_forgets() -> None:
    record = RegistrationRecord()
    for expected in (FIRST_PAUSE_SECONDS, 2 * FIRST_PAUSE_SECONDS, 4 * FIRST_PAUSE_SECONDS):
        record.failed("it is broken", NOW)
        assert record.retry_at == NOW + expected
        assert record.pauses(NOW + expected - 1)
        assert not record.pauses(NOW + expected)
    record.answered()
    assert (record.failures, record.reason, record.retry_at) == (0, None, None)
