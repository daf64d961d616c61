"""The longest chain of dependent calls on each main page: each call needs the result of the one before.

Time is not measured. A call's depth is one more than the depth of what its thread knows by then: the state at the
thread's start, and the results for which it has waited.
"""

from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextvars import ContextVar
from typing import Any

import pytest
from dynabench_client.transport import Call, Reply, Transport
from web.kit import parallel
from web.overview.round import VIEWS
from web_fake_datasets import DATASET_ID
from web_fake_figures import my_round
from web_fake_models import MODEL_NAME, SUBMISSION_ID
from web_fake_platform import FakePlatform
from web_visiting import Visitor

MOST = 3
WRITTEN = {"input.text": "A fine day.", "input.label": "negative"}
LEARNED: ContextVar[int] = ContextVar("waits in a row that what this thread knows has taken", default=0)


class CountedFuture(Future[Any]):
    """A result with the waits that it took."""

    waits = 0

    def result(self, timeout: float | None = None) -> Any:
        try:
            return super().result(timeout)
        finally:
            LEARNED.set(max(LEARNED.get(), self.waits))


class CountedPool(ThreadPoolExecutor):
    """A pool whose threads begin with what whoever gave them work knew."""

    def submit(self, work: Callable[..., Any], /, *given: Any, **named: Any) -> Future[Any]:
        counted, known = CountedFuture(), LEARNED.get()

        def run() -> None:
            LEARNED.set(known)
            try:
                found, error = work(*given, **named), None
            except Exception as raised:
                found, error = None, raised
            counted.waits = LEARNED.get()
            if error is None:
                counted.set_result(found)
            else:
                counted.set_exception(error)

        super().submit(run)
        return counted


@pytest.fixture
def waits(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[int]]:
    """Collect, of each call to a service, the how manieth wait in a row it is."""
    collected: list[int] = []
    send = Transport.send

    def counted(self: Transport, call: Call) -> Reply:
        LEARNED.set(LEARNED.get() + 1)
        collected.append(LEARNED.get())
        return send(self, call)

    monkeypatch.setattr(parallel, "ThreadPoolExecutor", CountedPool)
    monkeypatch.setattr(Transport, "send", counted)
    yield collected


def waits_of(page: str, visitor: Visitor, waits: list[int]) -> int:
    """Return the most waits in a row of a page that the process has made before."""
    for _ in range(2):
        waits.clear()
        LEARNED.set(0)
        assert visitor.get(page).status_code == 200, page
    return max(waits)


def test_waits_in_a_row_are_counted_and_not_calls(waits: list[int], visitor: Visitor) -> None:
    def call() -> None:
        visitor.client.application.test_client().get("/datasets/scored")

    LEARNED.set(0)
    call()
    call()
    assert max(waits) == 2
    waits.clear()
    LEARNED.set(0)
    with parallel.ParallelFetch() as parts:
        begun = [parts.read(call) for _ in range(3)]
        assert [part.value() for part in begun] == [None] * 3
    assert max(waits) == 1


@pytest.mark.parametrize("page", ["create", "validate", "", "tries"])
def test_pages_of_a_round_wait_three_times_in_a_row_at_most(
    page: str, ada: Visitor, fake: FakePlatform, waits: list[int]
) -> None:
    assert waits_of(f"/rounds/{fake.loop.round_id}/{page}".rstrip("/"), ada, waits) <= MOST


@pytest.mark.parametrize("kind", ["create", "validate"])
def test_the_bar_of_paid_work_costs_no_further_wait(
    kind: str, visitor: Visitor, fake: FakePlatform, waits: list[int]
) -> None:
    page = visitor.post(f"/work/{fake.work.offer(kind)}").headers["Location"]
    assert waits_of(page, visitor, waits) <= MOST
    assert any(path.endswith("/me/assignments") for _, path, _ in fake.calls)


def test_creating_waits_three_times_in_a_row_where_it_is_asked_who_wrote_before(
    ada: Visitor, fake: FakePlatform, waits: list[int]
) -> None:
    task = fake.loop.add("nli", has_practice=True)
    fake.my_rounds.append({**my_round(task.round_id), "task_slug": task.slug})
    assert waits_of(f"/rounds/{task.round_id}/create", ada, waits) <= MOST
    assert any(path.endswith("/people/me/rounds") for _, path, _ in fake.calls)


def test_creating_waits_three_times_in_a_row_after_a_try_too(
    ada: Visitor, fake: FakePlatform, waits: list[int]
) -> None:
    create = f"/rounds/{fake.loop.round_id}/create"
    context_id = fake.loop.contexts[fake.loop.position]["context_id"]
    made = ada.post(create, context_id=context_id, key="key-1", **WRITTEN)
    assert made.status_code == 303, made.text
    assert waits_of(made.headers["Location"], ada, waits) <= MOST


@pytest.mark.parametrize(
    "page",
    [
        "/rounds",
        *(f"/tasks/sentiment/rounds/1/standing?view={view}" for view in VIEWS),
        "/tasks/sentiment/rounds/1/work",
        "/tasks/sentiment/rounds/1/examples",
        "/tasks/sentiment/rounds/1/campaigns",
        "/tasks/sentiment/rounds/1/campaigns/new",
        "/tasks/sentiment",
        "/tasks/sentiment/manage",
        "/tasks/sentiment/edit",
        "/tasks/sentiment/rounds",
    ],
)
def test_pages_of_owners_wait_three_times_in_a_row_at_most(
    page: str, visitor: Visitor, waits: list[int]
) -> None:
    visitor.sign_in("olga")
    assert waits_of(page, visitor, waits) <= MOST


@pytest.mark.parametrize(
    "page", ["", "/edit", "/fair-play", "/ledger", "/pay", "/payments", "/people", "/state/paused"]
)
def test_pages_of_a_campaign_wait_three_times_in_a_row_at_most(
    page: str, visitor: Visitor, fake: FakePlatform, waits: list[int]
) -> None:
    visitor.sign_in("olga")
    assert waits_of(f"/tasks/sentiment/campaigns/{fake.campaigns.add()}{page}", visitor, waits) <= MOST


@pytest.mark.parametrize("page", ["/tasks/new", "/tasks/new?task=sentiment"])
def test_a_new_task_waits_three_times_in_a_row_at_most(
    page: str, visitor: Visitor, fake: FakePlatform, waits: list[int]
) -> None:
    fake.add_person("ira", "owner:irony")
    visitor.sign_in("ira")
    assert waits_of(page, visitor, waits) <= MOST


def test_asking_for_a_task_waits_once(ada: Visitor, waits: list[int]) -> None:
    assert waits_of("/tasks/new", ada, waits) == 1


def test_a_right_that_was_granted_meanwhile_costs_one_wait_of_the_three(
    ada: Visitor, fake: FakePlatform, waits: list[int]
) -> None:
    granted = {
        "state": "granted",
        "answer": "Welcome.",
        "asked_at": "2026-01-08T09:00:00Z",
        "reason": "A course.",
    }
    fake.desk.task_requests[str(fake.people["ada"].person_id)] = {"task_slug": "irony", **granted}
    fake.people["ada"].roles.append("owner:irony")
    waits.clear()
    LEARNED.set(0)
    assert "You can create these tasks: irony." in ada.get("/tasks/new").text
    assert max(waits) == MOST


@pytest.mark.parametrize(
    "page",
    [
        *("/", "/datasets/scored", "/account", "/notices"),
        "/models/submit?task=sentiment",
        f"/submissions/{SUBMISSION_ID}/steps",
        f"/submissions/{SUBMISSION_ID}/entry?path=config.json",
    ],
)
def test_other_pages_wait_once(page: str, ada: Visitor, waits: list[int]) -> None:
    assert waits_of(page, ada, waits) == 1


@pytest.mark.parametrize("page", [f"/models/{MODEL_NAME}", f"/submissions/{SUBMISSION_ID}"])
def test_pages_of_a_model_that_answers_wait_twice_since_its_task_is_asked_about_it(
    page: str, ada: Visitor, waits: list[int]
) -> None:
    assert waits_of(page, ada, waits) == 2


@pytest.mark.parametrize("page", ["/models", "/models?task=sentiment"])
def test_the_models_wait_twice_since_figures_are_read_of_each_tasks_rounds(
    page: str, ada: Visitor, waits: list[int]
) -> None:
    assert waits_of(page, ada, waits) == 2


def test_the_list_of_datasets_waits_twice_since_a_row_is_read_of_each(ada: Visitor, waits: list[int]) -> None:
    assert waits_of("/datasets", ada, waits) == 2


def test_the_page_of_a_dataset_waits_three_times_in_a_row_at_most(ada: Visitor, waits: list[int]) -> None:
    assert waits_of(f"/datasets/{DATASET_ID}", ada, waits) <= MOST


@pytest.mark.parametrize("user_name", ["olga", "root"])
def test_what_waits_for_a_decision_costs_owners_and_administrators_no_further_wait(
    user_name: str, visitor: Visitor, fake: FakePlatform, waits: list[int]
) -> None:
    fake.add_person("root", "admin")
    visitor.sign_in(user_name)
    assert waits_of("/models", visitor, waits) == 2


def test_a_submission_with_a_very_long_log_waits_three_times_in_a_row(
    ada: Visitor, fake: FakePlatform, waits: list[int]
) -> None:
    fake.models.log = [f"line {number}" for number in range(5000)]
    assert waits_of(f"/submissions/{SUBMISSION_ID}", ada, waits) == MOST
