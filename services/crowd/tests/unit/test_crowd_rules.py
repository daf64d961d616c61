"""Rules of campaigns and assignments as tables: each row begins with its rule in words."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import pytest
from crowd.domain.assignment import GRACE, Assignment, Why, reason_to_stop
from crowd.domain.campaign import LAUNCH_TIME, Campaign, Terms, entry_url, new_codes
from crowd.domain.errors import AssignmentStateRefused, CampaignStateRefused, LaunchUnderWay, TermsRefused
from dynabench_api.words import CampaignState
from dynabench_events.crowd import AssignmentState, AssignmentStateChanged, Work

NOW = datetime(2026, 1, 5, 12, 0, tzinfo=UTC)
TERMS = Terms(
    work=Work.CREATE,
    title="Write sentences",
    platform="fake",
    units=5,
    places=20,
    reward_minor=150,
    bonus_minor=30,
    screen_out_minor=20,
    currency="GBP",
    minutes=30,
    languages=("en",),
    qualifications=(),
)


def campaign(state: CampaignState = CampaignState.DRAFT, **changes: Any) -> Campaign:
    return Campaign(
        campaign_id=UUID(int=1),
        round_id=UUID(int=2),
        task_slug="sentiment",
        terms=replace(TERMS, **changes),
        state=state,
        codes=new_codes(),
        created_by=UUID(int=3),
        created_at=NOW,
    )


def assignment(state: AssignmentState = AssignmentState.WORKING) -> Assignment:
    return Assignment(
        assignment_id=UUID(int=4),
        campaign_id=UUID(int=1),
        round_id=UUID(int=2),
        work=Work.CREATE,
        person_id=UUID(int=5),
        state=state,
        submission_id="s",
        parameters={},
        is_proved=True,
        accepted_at=NOW,
        deadline=NOW + timedelta(minutes=30),
        changed_at=NOW,
    )


REFUSED = [
    ("an assignment has a unit", {"units": 0}, "units"),
    ("a campaign has a place", {"places": 0}, "places"),
    ("an assignment ends within a day", {"minutes": 1_441}, "minutes"),
    ("nobody pays to work", {"reward_minor": -1}, "reward_minor"),
    ("amounts do not overflow", {"bonus_minor": 10_000_001}, "bonus_minor"),
    ("checkers get no bonus", {"work": Work.VALIDATE}, "bonus_minor"),
    ("the platform pays in the currency", {"currency": "USD"}, "currency"),
    ("a title is more than blanks", {"title": " "}, "title"),
    ("a title fits a line", {"title": "😀" * 201}, "title"),
    ("a language has a name", {"languages": ("",)}, "languages"),
    ("there are at most 20 qualifications", {"qualifications": ("a",) * 21}, "qualifications"),
]


@pytest.mark.parametrize(
    ("change", "field"), [row[1:] for row in REFUSED], ids=[str(row[0]) for row in REFUSED]
)
def test_terms_that_cant_be_used_name_their_field(change: dict[str, Any], field: str) -> None:
    TERMS.check(("GBP",))
    with pytest.raises(TermsRefused) as refused:
        replace(TERMS, **change).check(("GBP",))
    assert refused.value.field == field


DRAFT, RUNNING, PAUSED, ENDED = CampaignState
ALLOWED = {(DRAFT, RUNNING), (RUNNING, PAUSED), (RUNNING, ENDED), (PAUSED, RUNNING), (PAUSED, ENDED)}


@pytest.mark.parametrize("before", CampaignState)
@pytest.mark.parametrize("after", CampaignState)
def test_a_campaign_runs_pauses_and_ends_once(before: CampaignState, after: CampaignState) -> None:
    if (before, after) in ALLOWED:
        campaign(before).ensure_can_become(after)
    else:
        with pytest.raises(CampaignStateRefused):
            campaign(before).ensure_can_become(after)


def test_a_launch_excludes_others_and_changes_for_two_minutes() -> None:
    draft = campaign()
    draft.begin_launch(NOW)
    with pytest.raises(LaunchUnderWay):
        draft.begin_launch(NOW + LAUNCH_TIME - timedelta(seconds=1))
    with pytest.raises(LaunchUnderWay):
        draft.change(TERMS)
    draft.begin_launch(NOW + LAUNCH_TIME)
    draft.launch_failed("the balance is too low")
    draft.begin_launch(NOW)
    draft.launched(NOW)
    assert (draft.state, draft.problem, draft.launching_until) == (RUNNING, None, None)


@pytest.mark.parametrize(
    ("state", "places"), [(DRAFT, 30), (ENDED, 30), (RUNNING, 19), (PAUSED, 19), (RUNNING, 10_001)]
)
def test_places_only_grow_after_the_launch(state: CampaignState, places: int) -> None:
    with pytest.raises(TermsRefused):
        campaign(state).set_places(places)


STATES = AssignmentState
CHANGES = {
    STATES.WORKING: {STATES.SUBMITTED, STATES.RETURNED, STATES.TIMED_OUT, STATES.SCREENED_OUT},
    STATES.SUBMITTED: {STATES.APPROVED, STATES.REJECTED, STATES.RETURNED},
}
OF_PLATFORM = {
    STATES.SUBMITTED: {STATES.TIMED_OUT},
    STATES.TIMED_OUT: {STATES.SUBMITTED, STATES.SCREENED_OUT},
    STATES.RETURNED: {STATES.APPROVED},
    STATES.SCREENED_OUT: {STATES.APPROVED, STATES.REJECTED, STATES.RETURNED, STATES.TIMED_OUT},
    STATES.REJECTED: {STATES.APPROVED},
    STATES.APPROVED: {STATES.REJECTED, STATES.RETURNED, STATES.TIMED_OUT},
}


@pytest.mark.parametrize("before", AssignmentState)
@pytest.mark.parametrize("after", AssignmentState)
@pytest.mark.parametrize("by_platform", [False, True])
def test_an_assignment_changes_as_its_table_allows(
    before: AssignmentState, after: AssignmentState, by_platform: bool
) -> None:
    """Each change is one event; the present state again is none."""
    one = assignment(before)
    permitted = CHANGES.get(before, set()) | (OF_PLATFORM.get(before, set()) if by_platform else set())
    if after is before:
        one.become(after, NOW, by_platform=by_platform)
        assert not one.take_unsaved()
    elif after in permitted:
        one.become(after, NOW, by_platform=by_platform)
        (event,) = one.take_unsaved()
        assert isinstance(event.record, AssignmentStateChanged)
        assert event.record.state is after
    else:
        with pytest.raises(AssignmentStateRefused):
            one.become(after, NOW, by_platform=by_platform)


def test_work_is_late_after_the_grace() -> None:
    one = assignment()
    assert not one.is_late(one.deadline + GRACE)
    assert one.is_late(one.deadline + GRACE + timedelta(seconds=1))
    assert not assignment(STATES.SUBMITTED).is_late(NOW + timedelta(days=1))


ENDS = [
    ("an open round takes tries", Work.CREATE, "open", False, None),
    ("the pages may have no more work", Work.CREATE, "open", True, Why.NOTHING_LEFT),
    ("a closed round takes no tries", Work.CREATE, "closed", False, Why.ROUND_ENDED),
    ("a paused round takes no tries", Work.CREATE, "paused", False, Why.ROUND_ENDED),
    ("a closed round takes votes", Work.VALIDATE, "closed", False, None),
    ("a released round takes no votes", Work.VALIDATE, "released", True, Why.ROUND_ENDED),
]


@pytest.mark.parametrize(
    ("work", "state", "is_empty", "why"), [row[1:] for row in ENDS], ids=[row[0] for row in ENDS]
)
def test_fewer_units_are_enough_if_no_more_can_be_done(
    work: Work, state: str, is_empty: bool, why: Why | None
) -> None:
    assert reason_to_stop(campaign(RUNNING, work=work), state, is_empty=is_empty) is why


def test_codes_differ_and_the_address_is_of_the_pages() -> None:
    codes = new_codes()
    assert len(set(codes.values())) == len(codes) == 3
    assert entry_url(UUID(int=1), "https://bench.example.org/").startswith(
        "https://bench.example.org/work/00000000"
    )
