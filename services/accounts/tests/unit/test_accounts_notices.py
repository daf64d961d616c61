"""Rules of notices: events that share one, notices that end, the text of a mail, the token that ends mails."""

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from uuid import UUID, uuid4

import pytest
from accounts.adapters.signing_keys import private_part
from accounts.mail.senders import as_message
from accounts.mail.texts import CatalogueTexts
from accounts.notifications.adapters.unsubscribe_tokens import KeyedUnsubscribeTokens
from accounts.notifications.domain.notices import (
    OPEN_FOR,
    STALE_AFTER,
    DueNotice,
    NamedNotice,
    Notice,
    NoticeKind,
    begin,
    has_more,
    is_news,
)
from accounts.notifications.service_layer.digest_letter import MODELS, MOST_LINES, DigestLetters, Reader
from joserfc.jwk import OKPKey

NOON = datetime(2026, 11, 4, 12, tzinfo=UTC)
ADA, ROUND = uuid4(), uuid4()
HOUR = timedelta(hours=1)
READER = Reader("ada", "ada@example.org", "en", "a-token")


def notice(outcome: str = "correct") -> Notice:
    return begin(uuid4(), ADA, ROUND, DueNotice(NoticeKind.EXAMPLE_RESOLVED, outcome, NOON))


def test_two_hundred_of_an_hour_are_one_notice() -> None:
    found = notice()
    for number in range(199):
        moment = NOON + number * timedelta(seconds=18)
        assert found.takes_in(moment)
        found.add("disputed" if number % 10 == 0 else "correct", moment)
    assert found.counts == {"correct": 180, "disputed": 20}
    assert found.happened_at == NOON + 198 * timedelta(seconds=18)


def test_nothing_is_added_to_what_was_read_or_mailed_or_began_a_day_ago() -> None:
    read, mailed, old = notice(), notice(), notice()
    read.read_at = mailed.mailed_at = NOON
    assert not read.takes_in(NOON + HOUR)
    assert not mailed.takes_in(NOON + HOUR)
    assert old.takes_in(NOON + OPEN_FOR - HOUR)
    assert not old.takes_in(NOON + OPEN_FOR)


def test_what_came_out_differently_is_taken_back() -> None:
    found = notice()
    found.add("disputed", NOON + HOUR)
    found.take_back("correct")
    assert found.counts == {"disputed": 1}
    found.take_back("disputed")
    assert found.counts == {}
    found.take_back("disputed")
    assert found.counts == {}


@pytest.mark.parametrize(
    ("at", "expected"),
    [
        (NOON, True),
        (NOON - timedelta(seconds=1), False),
        (NOON + timedelta(days=20), True),
        (NOON + timedelta(days=21) - STALE_AFTER, False),
    ],
)
def test_what_happened_before_the_start_or_long_ago_is_no_news(at: datetime, expected: bool) -> None:
    assert is_news(at, started_at=NOON, now=NOON + timedelta(days=21 if at > NOON else 1)) is expected


def test_more_of_any_kind_is_more() -> None:
    assert has_more({"disputed": 2}, {"disputed": 1, "appealed": 1})
    assert not has_more({"disputed": 2, "appealed": 1}, {"disputed": 2})
    assert not has_more({"disputed": 2}, {})


def named(kind: NoticeKind, counts: Mapping[str, int], **more: object) -> NamedNotice:
    known = {
        **{"notice_id": uuid4(), "position": 1, "kind": kind, "counts": counts, "round_id": ROUND},
        **{"round_number": 3, "task_slug": "sentiment", "task_title": "Sentiment 50 %"},
        **{"happened_at": NOON, "read_at": None},
    }
    return NamedNotice(**{**known, **more})  # type: ignore[arg-type]  # the tests choose fitting ones


def letter(*news: NamedNotice) -> str:
    letters = DigestLetters("https://example.org/", CatalogueTexts())
    return str(as_message(letters.digest(READER, news, NOON), "a@example.org").get_content())


def test_a_mail_says_each_in_a_line_with_the_way_there_and_how_to_end_them() -> None:
    text = letter(
        named(NoticeKind.EXAMPLE_RESOLVED, {"correct": 3, "disputed": 1}),
        named(NoticeKind.WORK_WAITS, {"appealed": 2}),
        named(NoticeKind.VALIDATING, {"paused": 1}, round_id=None, round_number=None),
    )
    assert "Hello ada," in text
    assert (
        "* Sentiment 50 %, round 3: people have checked your texts. People agree with you: 3. No agreement: 1."
        in text
    )
    assert f"  https://example.org/rounds/{ROUND}/tries" in text
    assert "  https://example.org/tasks/sentiment/rounds/3/work" in text
    assert "* Sentiment 50 %: the task's owner paused you as a checker" in text
    assert "https://example.org/unsubscribe?token=a-token" in text


@pytest.mark.parametrize("kind", NoticeKind)
def test_every_kind_has_a_sentence_also_while_names_are_missing(kind: NoticeKind) -> None:
    outcomes = {
        NoticeKind.VALIDATING: "resumed",
        NoticeKind.MODEL_CHECKED: "model_refused",
        NoticeKind.TARGET_LOST: "target_removed",
        NoticeKind.TASK_ANSWERED: "granted",
    }
    outcome = outcomes.get(kind, "correct")
    bare = named(kind, {outcome: 1}, round_number=None, task_slug=None, task_title=None)
    words = {NoticeKind.TASK_REQUESTED: "* People ask", NoticeKind.WEEKLY_SUMMARY: "* Your last week."}
    assert words.get(kind, "* a round") in letter(bare)


@pytest.mark.parametrize("outcome", MODELS)
def test_a_mail_leads_to_the_submission_and_names_the_model(outcome: str) -> None:
    submission_id = uuid4()
    told = named(
        NoticeKind.MODEL_CHECKED,
        {outcome: 1},
        round_id=None,
        round_number=None,
        submission_id=submission_id,
        model="minilm-a v3",
    )
    text = letter(told)
    assert "your model minilm-a v3" in text
    assert f"  https://example.org/submissions/{submission_id}" in text


@pytest.mark.parametrize(
    ("currency", "hourly", "floor", "top_up"),
    [("GBP", "6.40 GBP", "9.00 GBP", "0.60 GBP"), ("JPY", "640 JPY", "900 JPY", "60 JPY")],
)
def test_a_mail_about_low_pay_has_its_amounts_and_leads_to_the_campaign(
    currency: str, hourly: str, floor: str, top_up: str
) -> None:
    campaign_id = uuid4()
    pay = {"hourly": 640, "floor": 900, "top_up": 60}
    text = letter(named(NoticeKind.PAY_LOW, pay, campaign_id=campaign_id, currency=currency))
    assert f"a campaign pays {hourly} an hour, less than the floor of {floor}." in text
    assert f"add {top_up} to each assignment." in text
    assert f"  https://example.org/tasks/sentiment/campaigns/{campaign_id}" in text


def test_a_mail_about_an_appeal_leads_to_the_decision() -> None:
    campaign_id = uuid4()
    text = letter(named(NoticeKind.EXCLUSION_APPEALED, {}, campaign_id=campaign_id))
    assert f"  https://example.org/tasks/sentiment/campaigns/{campaign_id}/fair-play" in text


def test_a_long_list_ends_with_how_many_more() -> None:
    text = letter(*(named(NoticeKind.ROUND_OPENED, {}) for _ in range(MOST_LINES + 7)))
    assert text.count("* ") == MOST_LINES
    assert "And 7 more." in text


def test_mail_programs_are_told_how_to_end_them() -> None:
    letters = DigestLetters("https://example.org", CatalogueTexts())
    message = as_message(letters.digest(READER, [named(NoticeKind.ROUND_OPENED, {})], NOON), "a@example.org")
    assert message["List-Unsubscribe"] == "<https://example.org/unsubscribe?token=a-token>"
    assert message["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"


def test_a_token_stands_for_one_person_and_cannot_be_made_up() -> None:
    tokens, others = (
        KeyedUnsubscribeTokens([private_part(OKPKey.generate_key("Ed25519"))]) for _ in range(2)
    )
    issued = tokens.issue(ADA)
    assert tokens.person_of(issued) == ADA
    assert others.person_of(issued) is None
    of_another = KeyedUnsubscribeTokens([private_part(OKPKey.generate_key("Ed25519"))]).issue(UUID(int=5))
    for made_up in ("", "x", "é", issued[:-4], issued + "AAAA", "A" * 43, of_another):
        assert tokens.person_of(made_up) is None
