"""Notices of task owners about the pay of campaigns, and about appeals of their people."""

from uuid import UUID

from dynabench_common.identifiers import new_id
from dynabench_events.crowd import CampaignPayLow, ExclusionAppealed

from .conftest import Api
from .notice_story import Story, listed, notices_of, owner

PAY = {"hourly": 640, "floor": 900, "top_up": 60}


def pay_low(story: Story, round_id: UUID, campaign_id: UUID) -> CampaignPayLow:
    return CampaignPayLow(
        campaign_id=campaign_id,
        round_id=round_id,
        task_slug=story.slug,
        hourly_minor=640,
        floor_minor=900,
        top_up_minor=60,
        currency="GBP",
        found_at=story.now(),
    )


def test_owners_are_notified_of_low_pay_once(api: Api, story: Story, administrator: Api) -> None:
    ada, olga = api.new_person("ada"), owner(api, administrator)
    round_id, campaign_id = story.open_round(2), new_id()
    story.tell(pay_low(story, round_id, campaign_id))
    [notice] = listed(olga)
    assert (notice["kind"], notice["counts"], notice["currency"]) == ("pay_low", PAY, "GBP")
    assert (notice["campaign_id"], notice["task_slug"]) == (str(campaign_id), story.slug)
    assert (notice["round_id"], notice["round_number"]) == (str(round_id), 2)
    assert notices_of(ada) == []
    story.forget_inbox()
    story.take_in(story.log)
    assert len(listed(olga)) == 1


def test_pay_that_is_low_again_and_another_campaign_are_news(
    api: Api, story: Story, administrator: Api
) -> None:
    olga, campaign_id = owner(api, administrator), new_id()
    round_id = story.open_round()
    story.tell(pay_low(story, round_id, campaign_id), pay_low(story, round_id, new_id()))
    story.clock.move(3_600)
    story.tell(pay_low(story, round_id, campaign_id))
    assert len(listed(olga)) == 3


def test_a_notice_leads_to_the_campaign_before_the_round_is_known(
    api: Api, story: Story, administrator: Api
) -> None:
    olga = owner(api, administrator)
    story.tell(pay_low(story, new_id(), new_id()))
    [notice] = listed(olga)
    assert (notice["task_slug"], notice["round_number"]) == (story.slug, None)


def test_owners_are_notified_of_each_appeal_once(api: Api, story: Story, administrator: Api) -> None:
    ada, olga = api.new_person("ada"), owner(api, administrator)
    round_id, campaign_id = story.open_round(2), new_id()
    appeals = []
    for minutes in (1, 2):
        story.clock.move(60 * minutes)
        appeal = ExclusionAppealed(
            assignment_id=new_id(),
            campaign_id=campaign_id,
            round_id=round_id,
            task_slug=story.slug,
            appealed_at=story.now(),
        )
        appeals.append(appeal)
    story.tell(*reversed(appeals))
    assert [(each["kind"], each["counts"]) for each in listed(olga)] == [("exclusion_appealed", {})] * 2
    assert {each["campaign_id"] for each in listed(olga)} == {str(campaign_id)}
    assert notices_of(ada) == []
    story.forget_inbox()
    story.take_in(story.log)
    assert len(listed(olga)) == 2
