"""An address for every page that can be asked for without having done something, by its route."""

from uuid import UUID

from web.kit.security import SECOND_FACTOR_PAGE
from web_fake_datasets import DATASET_ID
from web_fake_examples import EXAMPLE_ID
from web_fake_members import GROUP_ID
from web_fake_model_board import DATASET_ID as BOARD_DATASET_ID
from web_fake_model_board import SNAPSHOT_ID
from web_fake_models import MODEL_NAME, SUBMISSION_ID
from web_fake_platform import FakePlatform

TASK = "/tasks/sentiment"
ROUND = f"{TASK}/rounds/3"


def pages_of(fake: FakePlatform) -> dict[str, str]:
    """Return the addresses by the rules of their routes."""
    base = f"/rounds/{fake.loop.round_id}"
    case = next(iter(fake.owners.cases))
    return {
        **{
            path: path for path in ("/", "/account", "/audit", "/check", "/datasets", "/help/keys", "/rounds")
        },
        **{path: path for path in ("/sign-in", "/sign-up", "/tasks/new", "/forgotten-password")},
        **{path: path for path in ("/new-password", "/confirm-email", "/people", "/first-try")},
        **{path: path for path in ("/notices", "/unsubscribe", "/examples")},
        **{path: path for path in ("/admin", "/admin/models", "/admin/dead-letters")},
        **{f"/examples/<uuid:example_id>{rest}": f"/examples/{EXAMPLE_ID}{rest}" for rest in ("", "/hidden")},
        **pages_of_people(fake),
        **{path: path for path in ("/ranks", "/search", "/account/deletion", SECOND_FACTOR_PAGE)},
        "/<any(about, privacy, terms, licence, contact, docs):name>": "/about",
        **pages_of_datasets_and_models(),
        **{
            f"/rounds/<uuid:round_id>{rest}": f"{base}{rest}"
            for rest in ("", "/contexts", "/create", "/figures", "/preview", "/tries", "/validate", "/widget")
        },
        **{
            f"/tasks/<slug>{rest}": f"{TASK}{rest}"
            for rest in (
                *(
                    "",
                    "/activity",
                    "/audit",
                    "/board",
                    "/people",
                    "/board/compare",
                    "/board/widget",
                    "/contexts",
                    "/datasets/new",
                    "/edit",
                    "/examples",
                    "/gold",
                    "/guidelines",
                    "/members",
                    "/practice",
                    "/training",
                ),
                *("/manage", "/reports", "/rounds", "/sandbox", "/starter", "/validators", "/versions"),
            )
        },
        **{
            f"/tasks/<slug>/rounds/<int:number>{rest}": f"{ROUND}{rest}"
            for rest in (
                *("/measurements", "/measurements/progress", "/next", "/release", "/standing", "/targets"),
                *("/work", "/work/requeue", "/examples", "/campaigns", "/campaigns/new"),
            )
        },
        "/tasks/<slug>/rounds/<int:number>/state/<any(open, paused, closed):state>": f"{ROUND}/state/paused",
        **pages_of_campaigns(fake),
        "/tasks/<slug>/rounds/<int:number>/work/<uuid:example_id>": f"{ROUND}/work/{case}",
        "/examples/<uuid:example_id>/thread": f"/examples/{case}/thread",
        "/tasks/<slug>/rounds/<int:number>/examples/<uuid:example_id>": f"{ROUND}/examples/{case}",
    }


def pages_of_people(fake: FakePlatform) -> dict[str, str]:
    """Return an address for every page of people, groups and invitations."""
    ada = str(fake.people["ada"].person_id)
    fake.desk.nicknames[ada] = "Queen of Irony"
    return {
        "/people/<uuid:person_id>": f"/people/{ada}",
        "/profiles/<uuid:person_id>": f"/profiles/{ada}",
        "/groups": "/groups",
        "/groups/<uuid:group_id>": f"/groups/{GROUP_ID}",
        "/invitation": f"/invitation?token={fake.members.invitations[0]['invitation_id']}",
    }


def pages_of_campaigns(fake: FakePlatform) -> dict[str, str]:
    """Return an address for every page of a campaign, for its owner and for people who may accept its work."""
    campaign = f"{TASK}/campaigns/{fake.campaigns.add()}"
    return {
        **{
            f"/tasks/<slug>/campaigns/<uuid:campaign_id>{rest}": f"{campaign}{rest}"
            for rest in ("", "/edit", "/fair-play", "/ledger", "/pay", "/payments", "/people")
        },
        "/tasks/<slug>/campaigns/<uuid:campaign_id>/state/<any(running, paused, ended):state>": (
            f"{campaign}/state/paused"
        ),
        "/work/<uuid:campaign_id>": f"/work/{fake.work.offer()}",
    }


def pages_of_datasets_and_models() -> dict[str, str]:
    """Return an address for every page of datasets, models and what they score, and of parts of a task."""
    return {
        "/tasks/<slug>/versions/<int:number>": f"{TASK}/versions/1",
        "/tasks/<slug>/board/snapshots/<snapshot_id>": f"{TASK}/board/snapshots/{SNAPSHOT_ID}",
        "/tasks/<slug>/assigned-work": f"{TASK}/assigned-work",
        "/tasks/<slug>/training/<any(create, validate):activity>": f"{TASK}/training/create",
        **{path: path for path in ("/models", "/models/submit")},
        "/models/<name>": f"/models/{MODEL_NAME}",
        **{
            f"/submissions/<uuid:submission_id>{rest}": f"/submissions/{SUBMISSION_ID}{rest}{asked}"
            for rest, asked in (
                ("", ""),
                ("/entry", "?path=handler.py"),
                ("/evaluations", ""),
                ("/steps", ""),
            )
        },
        **{
            f"/evaluations/<uuid:evaluation_id>{rest}": f"/evaluations/{UUID(int=1)}{rest}"
            for rest in ("", "/state")
        },
        "/datasets/scored": "/datasets/scored",
        **{
            f"/datasets/scored/<uuid:dataset_id>{rest}": f"/datasets/scored/{BOARD_DATASET_ID}{rest}{asked}"
            for rest, asked in (
                *(("", ""), ("/state", ""), ("/samples", "")),
                *(("/item", "?id=r2-1"), ("/suspects", "")),
            )
        },
        "/datasets/<uuid:dataset_id>": f"/datasets/{DATASET_ID}",
        "/datasets/<uuid:dataset_id>/measurements": f"/datasets/{DATASET_ID}/measurements",
        "/datasets/<uuid:dataset_id>/measurements/progress": f"/datasets/{DATASET_ID}/measurements/progress",
    }
