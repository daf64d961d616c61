"""Texts that share a call."""

from gateway.domain.coalescer import (
    EVALUATION_INSTANCES,
    IDLE_SECONDS,
    QUIET_SECONDS,
    Chunk,
    Coalescer,
    Lane,
)


def chunk(size: int = 1, deadline: float = 100.0, lane: Lane = Lane.PEOPLE) -> Chunk:
    return Chunk([{"text": f"sentence {i}"} for i in range(size)], deadline, lane=lane)


def of_evaluation() -> Chunk:
    return chunk(EVALUATION_INSTANCES, lane=Lane.EVALUATION)


def offered(coalescer: Coalescer[Chunk], *chunks: Chunk) -> list[Chunk]:
    for each in chunks:
        coalescer.offer(each)
    return list(chunks)


def test_an_idle_model_is_called_at_once() -> None:
    coalescer: Coalescer[Chunk] = Coalescer(max_calls=2, max_instances=16)
    first, second = offered(coalescer, chunk())[0], chunk()
    assert coalescer.begin_call(0) == [first]
    coalescer.offer(second)
    assert coalescer.begin_call(0) == [second]
    coalescer.offer(chunk())
    assert coalescer.begin_call(0) == []


def test_while_all_workers_are_busy_texts_wait_and_then_travel_together() -> None:
    coalescer: Coalescer[Chunk] = Coalescer(max_calls=1, max_instances=16)
    offered(coalescer, chunk())
    under_way = coalescer.begin_call(0)
    waiting = offered(coalescer, chunk(), chunk(3), chunk())
    assert coalescer.begin_call(0) == []
    coalescer.end_call(under_way)
    assert coalescer.begin_call(0) == waiting
    assert coalescer.waiting == 0


def test_a_call_is_filled_in_order_and_no_chunk_is_split() -> None:
    coalescer: Coalescer[Chunk] = Coalescer(max_calls=2, max_instances=16)
    chunks = offered(coalescer, chunk(10), chunk(6), chunk(1))
    assert coalescer.begin_call(0) == chunks[:2]
    assert coalescer.begin_call(0) == chunks[2:]


def test_what_does_not_fit_waits_and_nothing_overtakes_it() -> None:
    coalescer: Coalescer[Chunk] = Coalescer(max_calls=3, max_instances=16)
    first, large, small = offered(coalescer, chunk(10), chunk(10), chunk(1))
    assert coalescer.begin_call(0) == [first]
    assert coalescer.begin_call(0) == [large, small]


def test_an_expired_chunk_is_never_sent() -> None:
    coalescer: Coalescer[Chunk] = Coalescer(max_calls=1, max_instances=16)
    _, alive = offered(coalescer, chunk(deadline=5.0), chunk(deadline=50.0))
    assert coalescer.begin_call(now=10.0) == [alive]


def test_only_expired_chunks_make_no_call() -> None:
    coalescer: Coalescer[Chunk] = Coalescer(max_calls=1, max_instances=16)
    offered(coalescer, chunk(deadline=5.0))
    assert coalescer.begin_call(now=10.0) == []
    assert coalescer.waiting == 0
    alive = offered(coalescer, chunk(deadline=50.0))
    assert coalescer.begin_call(now=10.0) == alive


def test_a_caller_who_leaves_is_forgotten_once() -> None:
    coalescer: Coalescer[Chunk] = Coalescer(max_calls=1, max_instances=16)
    gone, stays = offered(coalescer, chunk(), chunk())
    coalescer.withdraw(gone)
    coalescer.withdraw(gone)
    assert coalescer.begin_call(0) == [stays]


def test_a_large_request_is_split_into_calls() -> None:
    coalescer: Coalescer[Chunk] = Coalescer(max_calls=1, max_instances=16)
    parts = coalescer.split(chunk(40).instances)
    assert [len(part) for part in parts] == [16, 16, 8]
    assert [instance for part in parts for instance in part] == chunk(40).instances


def test_evaluations_get_everything_while_nobody_else_asks() -> None:
    coalescer: Coalescer[Chunk] = Coalescer(max_calls=2, max_instances=32)
    chunks = offered(coalescer, *(of_evaluation() for _ in range(17)))
    assert coalescer.begin_call(0) == chunks[:4]
    assert coalescer.begin_call(0) == chunks[4:8]
    assert coalescer.begin_call(0) == chunks[8:12]
    assert coalescer.begin_call(0) == []


def test_an_evaluation_waits_at_the_model_only_after_a_while_without_people() -> None:
    coalescer: Coalescer[Chunk] = Coalescer(max_calls=1, max_instances=8)
    evaluated = offered(coalescer, chunk(), *(of_evaluation() for _ in range(4)))[1:]
    coalescer.end_call(coalescer.begin_call(0))
    assert coalescer.begin_call(IDLE_SECONDS - 1) == evaluated[:1]
    assert coalescer.begin_call(IDLE_SECONDS - 1) == []
    assert coalescer.begin_call(IDLE_SECONDS) == evaluated[1:2]
    (later,) = offered(coalescer, chunk())
    coalescer.end_call(evaluated[:1])
    assert coalescer.begin_call(IDLE_SECONDS) == []
    coalescer.end_call(evaluated[1:2])
    assert coalescer.begin_call(IDLE_SECONDS) == [later]


def test_people_go_first_and_leave_evaluations_little_for_a_while() -> None:
    coalescer: Coalescer[Chunk] = Coalescer(max_calls=2, max_instances=32)
    waiting = offered(coalescer, *(of_evaluation() for _ in range(6)))
    (person,) = offered(coalescer, chunk())
    asked = coalescer.begin_call(0)
    assert asked == [person]
    small = coalescer.begin_call(0)
    assert small == waiting[:1]
    coalescer.end_call(asked)
    assert coalescer.begin_call(0) == []
    coalescer.end_call(small)
    assert coalescer.begin_call(1) == waiting[1:2]
    assert coalescer.begin_call(1 + QUIET_SECONDS) == waiting[2:]


def test_a_model_with_one_worker_evaluates_between_people() -> None:
    coalescer: Coalescer[Chunk] = Coalescer(max_calls=1, max_instances=32)
    (person, *evaluated) = offered(coalescer, chunk(), of_evaluation(), of_evaluation())
    asked = coalescer.begin_call(0)
    assert asked == [person]
    coalescer.end_call(asked)
    small = coalescer.begin_call(0)
    assert small == evaluated[:1]
    (later,) = offered(coalescer, chunk())
    coalescer.end_call(small)
    assert coalescer.begin_call(0) == [later]


def test_large_requests_of_evaluations_are_split_small() -> None:
    coalescer: Coalescer[Chunk] = Coalescer(max_calls=1, max_instances=16)
    assert [len(part) for part in coalescer.split(chunk(20).instances, Lane.EVALUATION)] == [8, 8, 4]
    shared: Coalescer[Chunk] = Coalescer(max_calls=1, max_instances=16, evaluation_instances=2)
    assert [len(part) for part in shared.split(chunk(5).instances, Lane.EVALUATION)] == [2, 2, 1]
