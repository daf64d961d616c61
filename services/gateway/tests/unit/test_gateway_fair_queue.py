"""Slots for explanations are shared between people."""

from gateway.domain.fair_queue import MOST_WAITING, MOST_WAITING_OF_ONE, FairQueue


def test_one_caller_gets_at_most_half_of_the_slots() -> None:
    queue: FairQueue[str] = FairQueue()
    assert [queue.begin("a", 4) for _ in range(3)] == [True, True, False]
    assert [queue.begin(name, 4) for name in ("b", "c", "d")] == [True, True, False]
    queue.end("b")
    assert not queue.begin("a", 4)


def test_one_place_is_anybodys() -> None:
    queue: FairQueue[str] = FairQueue()
    assert queue.begin("a", 1)
    assert not queue.begin("b", 1)


def test_waiting_work_begins_in_turns() -> None:
    queue: FairQueue[str] = FairQueue()
    assert queue.begin("a", 1)
    for caller, work in (("a", "a1"), ("a", "a2"), ("b", "b1"), ("a", "a3"), ("b", "b2")):
        assert queue.wait(caller, work)
    order = []
    last = "a"
    for _ in range(5):
        queue.end(last)
        begun = queue.next(1)
        assert begun is not None
        order.append(begun)
        last = begun[0]
    assert order == ["a1", "b1", "a2", "b2", "a3"]


def test_a_new_caller_does_not_overtake_a_waiting_one() -> None:
    queue: FairQueue[str] = FairQueue()
    assert queue.begin("a", 2)
    assert queue.begin("b", 2)
    assert queue.wait("c", "c1")
    queue.end("a")
    assert not queue.begin("d", 2)
    assert queue.next(2) == "c1"


def test_the_queue_is_short_for_all_and_for_each() -> None:
    queue: FairQueue[str] = FairQueue()
    assert [queue.wait("a", f"a{n}") for n in range(MOST_WAITING_OF_ONE + 1)][-2:] == [True, False]
    for caller in "bcd":
        assert all(queue.wait(caller, f"{caller}{n}") for n in range(MOST_WAITING_OF_ONE))
    assert queue.waiting == MOST_WAITING
    assert not queue.wait("e", "e1")
    assert queue.leave("b", "b2")
    assert not queue.leave("b", "b2")
    assert queue.wait("e", "e1")
