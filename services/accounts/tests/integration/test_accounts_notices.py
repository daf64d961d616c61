"""From the log to notices: reported once, grouped, in the place of what no longer holds, and to nobody else."""

import re
from datetime import timedelta
from random import Random
from uuid import uuid4

import pytest
from accounts.bootstrap import clean
from accounts.notifications.adapters.projection import NoticeProjection
from accounts.notifications.adapters.tables import notice, notice_example, notice_participant
from accounts.notifications.domain.notices import STALE_AFTER
from dynabench_common.testing import FixedClock
from sqlalchemy import Engine, func, select

from .conftest import Api
from .notice_story import Story, listed, notices_of, of, owner

HOUR = 3600


def test_two_hundred_resolutions_are_one_notice_with_their_counts(api: Api, story: Story) -> None:
    ada, round_id = api.new_person("ada"), story.open_round()
    examples = [story.written(round_id, of(ada)) for _ in range(200)]
    story.tell(*examples)
    for start in range(0, 200, 50):
        story.clock.move(600)
        story.tell(
            *(story.resolved(each, "correct") for each in examples[start : start + 40]),
            *(story.resolved(each, "disputed") for each in examples[start + 40 : start + 50]),
        )
    (found,) = listed(ada)
    assert (found["kind"], found["counts"]) == ("example_resolved", {"correct": 160, "disputed": 40})
    assert (found["task_title"], found["round_number"], found["round_id"]) == ("Sentiment", 1, str(round_id))
    assert found["read_at"] is None


def test_rounds_and_days_are_told_apart(api: Api, story: Story) -> None:
    ada, first, second = api.new_person("ada"), story.open_round(1), story.open_round(2)
    examples = [story.written(round_id, of(ada)) for round_id in (first, first, second)]
    story.tell(*examples, story.resolved(examples[0]), story.resolved(examples[2]))
    story.clock.move(25 * HOUR)
    story.tell(story.resolved(examples[1]))
    assert [each["round_number"] for each in listed(ada)] == [1, 2, 1]


def test_an_event_that_comes_twice_and_a_log_that_is_read_again_tell_nothing(
    api: Api, story: Story, administrator: Api
) -> None:
    ada, olga, round_id = api.new_person("ada"), owner(api, administrator), story.open_round()
    examples = [story.written(round_id, of(ada)) for _ in range(3)]
    again = story.tell(*examples, *(story.resolved(each, "disputed") for each in examples))
    story.tell(story.acted("validator.paused", of(ada)), story.moved(round_id, "released", None))
    second = story.open_round(2)
    story.take_in(again)
    before = [(each["notice_id"], each["position"], each["counts"]) for each in listed(ada)]
    assert [each["kind"] for each in listed(ada)] == [
        *("round_opened", "validating", "round_released", "example_resolved"),
    ]
    ada.again().call("POST", "/me/notices/read", {"up_to": before[0][1]})
    story.clock.move(STALE_AFTER.total_seconds())
    story.forget_inbox()
    story.take_in(story.log)
    assert [(each["notice_id"], each["position"], each["counts"]) for each in listed(ada)] == before
    assert all(each["read_at"] for each in listed(ada))
    assert notices_of(olga) == []
    assert second != round_id


def test_the_order_of_events_plays_no_part(api: Api, story: Story) -> None:
    ada, bob, round_id = api.new_person("ada"), api.new_person("bob"), uuid4()
    examples = [story.written(round_id, of(each)) for each in (ada, bob, ada, bob)]
    records = [story.task(), story.drafted(round_id), story.moved(round_id, "open"), *examples]
    records += [story.resolved(each, "disputed") for each in examples]
    records += [story.withdrawn(examples[0]), story.resolved(examples[0], "correct")]
    records += [story.appealed(examples[1]), story.resolved(examples[1], "incorrect", uuid4())]
    events = [story.event(record) for record in records]
    Random(7).shuffle(events)
    for event in events:
        story.take_in([event])
    assert notices_of(ada) == [("example_resolved", {"correct": 1, "disputed": 1})]
    assert sorted(notices_of(bob)) == [
        ("appeal_answered", {"incorrect": 1}),
        ("example_resolved", {"disputed": 1}),
    ]


def test_what_happened_before_notices_were_introduced_is_told_to_nobody(
    api: Api, story: Story, administrator: Api
) -> None:
    ada, olga = api.new_person("ada"), owner(api, administrator)
    story.clock.move(-2 * HOUR)
    round_id = story.open_round()
    examples = [story.written(round_id, of(ada)) for _ in range(3)]
    history = [*examples, *(story.resolved(each, "disputed") for each in examples)]
    story.tell(
        *history, story.acted("validator.paused", of(ada)), story.moved(story.open_round(2), "released")
    )
    story.clock.move(2 * HOUR)
    assert (notices_of(ada), notices_of(olga)) == ([], [])
    story.tell(story.resolved(examples[0], "correct", uuid4()))
    assert notices_of(ada) == [("example_decided", {"correct": 1})]


def test_another_resolution_takes_the_place_of_the_first(api: Api, story: Story) -> None:
    ada, round_id = api.new_person("ada"), story.open_round()
    example = story.written(round_id, of(ada))
    story.tell(example, story.resolved(example, "incorrect"))
    story.tell(story.withdrawn(example))
    assert notices_of(ada) == []
    story.tell(story.resolved(example, "correct"))
    ada.call("POST", "/me/notices/read", {"up_to": listed(ada)[0]["position"]})
    story.tell(story.resolved(example, "incorrect", uuid4()))
    assert notices_of(ada) == [("example_decided", {"incorrect": 1})]


def test_what_was_read_takes_in_nothing_more(api: Api, story: Story) -> None:
    ada, round_id = api.new_person("ada"), story.open_round()
    examples = [story.written(round_id, of(ada)) for _ in range(2)]
    story.tell(*examples, story.resolved(examples[0]))
    ada.call("POST", "/me/notices/read", {"up_to": listed(ada)[0]["position"]})
    story.tell(story.resolved(examples[1]))
    newer, older = listed(ada)
    assert (newer["counts"], newer["read_at"]) == ({"correct": 1}, None)
    assert older["read_at"]


def test_an_import_leaves_nothing_behind(api: Api, story: Story, engine: Engine, clock: FixedClock) -> None:
    round_id = story.open_round()
    imported = [story.written(round_id, author) for author in [None, *(uuid4() for _ in range(300))]]
    story.tell(*imported, *(story.voted(each, uuid4()) for each in imported))
    assert count(engine, notice_example) == count(engine, notice_participant) == 0
    story.tell(*(story.resolved(each) for each in imported))
    assert count(engine, notice) == 0
    clock.move(STALE_AFTER.total_seconds() + 1)
    clean(engine, clock.now())
    assert count(engine, notice_example) == 0


def test_old_notices_go(api: Api, story: Story, engine: Engine, clock: FixedClock) -> None:
    ada, round_id = api.new_person("ada"), story.open_round()
    example = story.written(round_id, of(ada))
    story.tell(example, story.resolved(example))
    clean(engine, clock.now())
    assert count(engine, notice) == 1
    clock.move(timedelta(days=181).total_seconds())
    clean(engine, clock.now())
    assert count(engine, notice) == 0
    story.tell(story.resolved(example, "incorrect"))
    with engine.connect() as connection:
        assert connection.scalar(select(notice.c.counts)) == {"incorrect": 1}


def test_an_opened_round_is_told_once_to_who_took_part_before(
    api: Api, story: Story, administrator: Api
) -> None:
    ada, bob, eve, olga = (api.new_person(name) for name in ("ada", "bob", "eve", "olga"))
    first = story.open_round(1)
    example = story.written(first, of(ada))
    story.tell(example, story.voted(example, of(bob)), story.voted(example, of(olga)))
    second = uuid4()
    story.tell(story.drafted(second, 2), story.moved(second, "open", of(olga)))
    story.tell(story.moved(second, "paused"), story.moved(second, "open"))
    for each in (ada, bob):
        assert notices_of(each) == [("round_opened", {})]
        assert listed(each)[0]["round_number"] == 2
    assert (notices_of(eve), notices_of(olga)) == ([], [])
    collected = uuid4()
    story.tell(story.drafted(collected, 3, "imported"), story.moved(collected, "open"))
    assert notices_of(ada) == [("round_opened", {})]


def test_a_release_is_told_to_who_took_part_in_the_round(api: Api, story: Story) -> None:
    ada, bob, first = api.new_person("ada"), api.new_person("bob"), story.open_round(1)
    story.tell(story.written(first, of(ada)))
    story.tell(story.moved(first, "closed"), story.moved(first, "released", None))
    story.tell(story.moved(first, "released", None))
    assert notices_of(ada) == [("round_released", {})]
    assert notices_of(bob) == []


def test_owners_are_told_how_much_waits_and_no_more_once_it_is_decided(
    api: Api, story: Story, administrator: Api
) -> None:
    ada, olga, otto = api.new_person("ada"), owner(api, administrator), owner(api, administrator, "otto")
    round_id = story.open_round()
    examples = [story.written(round_id, of(ada)) for _ in range(4)]
    story.tell(*examples, *(story.resolved(each, "disputed") for each in examples[:2]))
    assert notices_of(olga) == notices_of(otto) == [("work_waits", {"disputed": 2})]
    olga.call("POST", "/me/notices/read", {"up_to": listed(olga)[0]["position"]})
    story.tell(story.resolved(examples[0], "correct", of(olga)))
    assert listed(olga)[0]["read_at"]
    assert notices_of(otto) == [("work_waits", {"disputed": 1})]
    story.tell(story.resolved(examples[2], "incorrect"), story.appealed(examples[2]))
    assert notices_of(olga) == [("work_waits", {"appealed": 1, "disputed": 1})]
    assert listed(olga)[0]["read_at"] is None
    story.tell(*(story.resolved(each, "correct", of(olga)) for each in examples))
    assert (notices_of(olga), notices_of(otto)) == ([], [])


def test_a_question_waits_for_owners_and_an_answer_is_told_to_the_author(
    api: Api, story: Story, administrator: Api
) -> None:
    ada, olga, round_id = api.new_person("ada"), owner(api, administrator), story.open_round()
    example = story.written(round_id, of(ada))
    story.tell(example, story.messaged(example, by_author=True))
    assert notices_of(olga) == [("work_waits", {"question": 1})]
    story.tell(story.messaged(example, by_author=False))
    assert notices_of(olga) == []
    assert notices_of(ada) == [("example_answered", {"answered": 1})]
    story.tell(story.messaged(example, by_author=False))
    assert notices_of(ada) == [("example_answered", {"answered": 2})]
    assert notices_of(olga) == []


def test_in_a_released_round_nothing_waits(api: Api, story: Story, administrator: Api) -> None:
    ada, olga, round_id = api.new_person("ada"), owner(api, administrator), story.open_round()
    example = story.written(round_id, of(ada))
    story.tell(example, story.resolved(example, "flagged"))
    assert notices_of(olga) == [("work_waits", {"flagged": 1})]
    story.tell(story.moved(round_id, "released", None))
    assert notices_of(olga) == []


def test_what_waits_is_told_also_where_the_task_is_learned_of_last(
    api: Api, story: Story, administrator: Api
) -> None:
    ada, olga, round_id = api.new_person("ada"), owner(api, administrator), uuid4()
    example = story.written(round_id, of(ada))
    story.tell(example, story.resolved(example, "disputed"))
    assert notices_of(olga) == []
    story.tell(story.drafted(round_id))
    story.tell(story.task())
    assert notices_of(olga) == [("work_waits", {"disputed": 1})]


def test_who_is_no_owner_any_more_is_told_nothing_of_it(api: Api, story: Story, administrator: Api) -> None:
    ada, olga, round_id = api.new_person("ada"), owner(api, administrator), story.open_round()
    examples = [story.written(round_id, of(ada)) for _ in range(2)]
    story.tell(*examples, story.resolved(examples[0], "disputed"))
    administrator.call("PUT", f"/people/{olga.person_id}/roles", {"roles": []})
    story.tell(story.resolved(examples[1], "disputed"))
    assert notices_of(olga) == []


def test_a_voter_is_told_of_a_pause_and_of_its_end(api: Api, story: Story) -> None:
    ada = api.new_person("ada")
    story.tell(story.task(), story.acted("validator.paused", of(ada)))
    assert notices_of(ada) == [("validating", {"paused": 1})]
    assert (listed(ada)[0]["task_slug"], listed(ada)[0]["task_title"]) == ("sentiment", "Sentiment")
    story.tell(story.acted("validator.reinstated", of(ada)), story.acted("validator.unheard_of", of(ada)))
    assert notices_of(ada) == [("validating", {"resumed": 1})]


def test_who_is_disabled_is_told_nothing(api: Api, story: Story, administrator: Api, engine: Engine) -> None:
    ada, round_id = api.new_person("ada"), story.open_round()
    example = story.written(round_id, of(ada))
    story.tell(example)
    state = {"state": "disabled", "reason": "A test."}
    assert administrator.call("PUT", f"/people/{ada.person_id}/state", state).status_code == 200
    story.tell(story.resolved(example), story.acted("validator.paused", of(ada)))
    story.tell(story.moved(round_id, "released", None))
    story.open_round(2)
    assert count(engine, notice) == 0


def test_nothing_told_names_who_voted_or_decided(api: Api, story: Story) -> None:
    ada, bob, olga = (api.new_person(name) for name in ("ada", "bob", "olga"))
    round_id = story.open_round()
    example = story.written(round_id, of(ada))
    story.tell(example, story.voted(example, of(bob)), story.resolved(example, "disputed"))
    story.tell(story.resolved(example, "incorrect", of(olga)), story.acted("validator.paused", of(ada)))
    text = ada.call("GET", "/me/notices").get_data(as_text=True)
    for hidden in (bob.person_id, olga.person_id, "bob", "olga", "negative", "Too many differ"):
        assert hidden not in text
    assert notices_of(bob) == []


@pytest.mark.parametrize("size", [1, 7, 1000])
def test_batches_of_any_size_come_to_the_same(size: int, api: Api, story: Story) -> None:
    ada, round_id = api.new_person("ada"), story.open_round()
    examples = [story.written(round_id, of(ada)) for _ in range(20)]
    records = [*examples, *(story.resolved(each) for each in examples)]
    records += [story.resolved(each, "incorrect") for each in examples[:5]]
    events = [story.event(record) for record in records]
    for start in range(0, len(events), size):
        story.take_in(events[start : start + size])
    assert notices_of(ada) == [("example_resolved", {"correct": 15, "incorrect": 5})]


def test_who_took_part_is_noted_also_where_the_first_attempt_failed(
    api: Api, story: Story, engine: Engine
) -> None:
    ada, round_id = api.new_person("ada"), story.open_round()
    projection = NoticeProjection(story.clock)
    votes = [story.event(story.voted(story.written(round_id, None), of(ada))) for _ in range(4)]
    with pytest.raises(ZeroDivisionError), engine.begin() as connection:
        projection.apply(connection, votes[:1])
        raise ZeroDivisionError
    for vote in votes:
        with engine.begin() as connection:
            projection.apply(connection, [vote])
    assert count(engine, notice_participant) == 1


def count(engine: Engine, table: object) -> int:
    with engine.connect() as connection:
        return connection.scalar(select(func.count()).select_from(table)) or 0  # type: ignore[arg-type]


def test_a_person_is_told_of_assigned_work(api: Api, story: Story) -> None:
    ada, round_id = api.new_person("ada"), story.open_round()
    story.tell(story.acted("work.assigned", of(ada), round_id, activity="create", units="10"))
    story.tell(story.acted("work.withdrawn", of(ada), round_id, activity="create", units="10"))
    (found,) = listed(ada)
    assert (found["kind"], found["counts"]) == ("work_assigned", {"create": 10})
    assert (found["task_title"], found["round_id"]) == ("Sentiment", str(round_id))


def test_owners_alone_are_told_that_they_are_mentioned(api: Api, story: Story, administrator: Api) -> None:
    ada, bob, olga = api.new_person("ada"), api.new_person("bob"), owner(api, administrator)
    example = story.written(story.open_round(), of(ada))
    story.tell(example)
    everybody = (of(bob), of(olga), of(ada), uuid4())
    story.tell(story.messaged(example, by_author=True, mentioned=everybody))
    assert notices_of(ada) == notices_of(bob) == []
    found = next(each for each in listed(olga) if each["kind"] == "mentioned")
    assert found["example_id"] == str(example.example_id)
    assert not re.search(rf"\bada\b|{ada.person_id}", str(found))
