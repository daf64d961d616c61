"""One's own notices over HTTP: pages, marking as read, settings; nobody reads or changes another's."""

import base64
import json
import threading
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any
from uuid import uuid4

import pytest
from accounts.adapters import tables
from accounts.bootstrap import NOTICE_CONSUMER
from accounts.notifications.adapters.projection import TOPICS, NoticeProjection
from accounts.settings import AccountsSettings
from dynabench_common.clock import SystemClock
from dynabench_common.events.consumer import build_consumer
from dynabench_common.testing import EventProbe, wait_until
from dynabench_events import encode

from conftest import Infrastructure

from .conftest import Api
from .notice_story import Story, listed, notices_of, of


def with_news(api: Api, story: Story) -> Api:
    """Return a person who gets a notice of one example."""
    ada = api.new_person("ada")
    example = story.written(story.open_round(), of(ada))
    story.tell(example, story.resolved(example))
    return ada


def test_notices_come_page_by_page_with_what_is_unread_in_all(api: Api, story: Story) -> None:
    ada = api.new_person("ada")
    rounds = [uuid4() for _ in range(5)]
    for round_id in rounds:
        example = story.written(round_id, of(ada))
        story.tell(example, story.resolved(example))
    first = ada.call("GET", "/me/notices?limit=2").get_json()
    assert (len(first["items"]), first["unread"]) == (2, 5)
    second = ada.call("GET", f"/me/notices?limit=2&cursor={first['next_cursor']}").get_json()
    third = ada.call("GET", f"/me/notices?limit=2&cursor={second['next_cursor']}").get_json()
    assert third["next_cursor"] is None
    seen = [each["round_id"] for page in (first, second, third) for each in page["items"]]
    assert seen == [str(round_id) for round_id in reversed(rounds)]


def test_reading_ends_at_what_was_shown(api: Api, story: Story) -> None:
    ada = api.new_person("ada")
    round_id = story.open_round()
    examples = [story.written(round_id, of(ada)) for _ in range(2)]
    story.tell(*examples, story.resolved(examples[0]))
    shown = listed(ada)[0]["position"]
    story.tell(story.resolved(examples[1]))
    left = ada.call("POST", "/me/notices/read", {"up_to": shown})
    assert left.get_json() == {"unread": 1}
    newest = listed(ada)[0]["position"]
    assert ada.call("POST", "/me/notices/read", {"up_to": newest}).get_json() == {"unread": 0}


def test_nobody_reads_or_marks_the_notices_of_another(api: Api, story: Story) -> None:
    ada, bob = with_news(api, story), api.new_person("bob")
    assert bob.call("GET", "/me/notices").get_json() == {"items": [], "next_cursor": None, "unread": 0}
    bob.call("POST", "/me/notices/read", {"up_to": 2**62})
    bob.call("PUT", "/me/notice-settings", {"mail": "never", "not_on_page": ["example_resolved"]})
    assert listed(ada)[0]["read_at"] is None
    assert ada.call("GET", "/me/notice-settings").get_json()["mail"] == "daily"
    for method, path, body in (
        ("GET", "/me/notices", None),
        ("POST", "/me/notices/read", {"up_to": 1}),
        ("GET", "/me/notice-settings", None),
        ("PUT", "/me/notice-settings", {"mail": "never"}),
        ("POST", "/me/email-confirmation", {}),
    ):
        assert api.call(method, path, body).status_code == 401, path


def test_kinds_that_one_wants_on_no_page_are_neither_listed_nor_counted(api: Api, story: Story) -> None:
    ada = with_news(api, story)
    story.tell(story.acted("validator.paused", of(ada)))
    chosen = {"mail": "weekly", "not_on_page": ["example_resolved"], "not_by_mail": ["validating"]}
    answer = ada.call("PUT", "/me/notice-settings", chosen).get_json()
    assert answer == {**chosen, "is_email_confirmed": False}
    assert ada.call("GET", "/me/notice-settings").get_json() == answer
    found = ada.call("GET", "/me/notices").get_json()
    assert ([each["kind"] for each in found["items"]], found["unread"]) == (["validating"], 1)


@pytest.mark.parametrize(
    ("method", "path", "body", "field"),
    [
        ("PUT", "/me/notice-settings", {"mail": "hourly"}, "mail"),
        ("PUT", "/me/notice-settings", {"mail": "daily", "not_on_page": ["nothing"]}, "not_on_page.0"),
        ("PUT", "/me/notice-settings", {}, "mail"),
        ("POST", "/me/notices/read", {"up_to": -1}, "up_to"),
        ("POST", "/me/notices/read", {"up_to": 2**63}, "up_to"),
        ("POST", "/me/notices/read", {}, "up_to"),
        ("GET", "/me/notices?limit=0", None, "limit"),
        ("GET", "/me/notices?cursor=x", None, "cursor"),
    ],
)
def test_bad_input_is_refused_with_its_field(method: str, path: str, body: Any, field: str, api: Api) -> None:
    answer = api.new_person("ada").call(method, path, body)
    assert answer.status_code == 422
    assert answer.get_json()["field"] == field


@pytest.mark.parametrize("position", [["a"], [-1], [2**70], [1, 2], [], [True]])
def test_a_cursor_of_another_list_is_refused(position: list[Any], api: Api) -> None:
    cursor = base64.urlsafe_b64encode(json.dumps(position).encode()).decode().rstrip("=")
    answer = api.new_person("ada").call("GET", f"/me/notices?cursor={cursor}")
    assert (answer.status_code, answer.get_json()["field"]) == (422, "cursor")


@pytest.mark.parametrize("token", ["", "x", "A" * 64])
def test_a_made_up_token_ends_no_mails(token: str, api: Api) -> None:
    answer = api.call("POST", "/unsubscriptions", {"token": token})
    assert (answer.status_code, answer.get_json()["type"]) == (410, "/problems/link-ended")


def test_notices_come_from_kafka_and_a_new_group_tells_nothing_of_the_past(
    api: Api, story: Story, infrastructure: Infrastructure, accounts_settings: AccountsSettings
) -> None:
    prefix = f"{uuid4().hex[:8]}."
    infrastructure.create_topics(prefix)
    settings = accounts_settings.model_copy(update={"kafka_topic_prefix": prefix})
    ada, probe = api.new_person("ada"), EventProbe(settings.kafka_bootstrap_servers, prefix)
    projection, stop = NoticeProjection(SystemClock()), threading.Event()
    consumer = build_consumer(
        story.engine, settings, tables.inbox, tables.dead_letter, NOTICE_CONSUMER, projection, TOPICS
    )
    old, new, round_id = (uuid4() for _ in range(3))

    def publish(*records: Any) -> None:
        for record in records:
            event = story.event(record)
            probe.publish(
                record.topic,
                encode(record),
                record.aggregate_id,
                event.aggregate_version,
                time=record.occurred_at,
            )

    before, after = story.written(round_id, of(ada), old), story.written(round_id, of(ada), new)
    publish(story.task(), story.drafted(round_id), before, after, story.resolved(before, "incorrect"))
    publish(replace(story.resolved(after, "correct"), resolved_at=datetime.now(UTC)))
    thread = threading.Thread(target=consumer.run, args=(stop,))
    thread.start()
    try:
        wait_until(lambda: notices_of(ada), what="the notice to come from the log")
    finally:
        stop.set()
        thread.join()
        probe.close()
    assert notices_of(ada) == [("example_resolved", {"correct": 1})]
