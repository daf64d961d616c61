"""Every word on every page comes from the catalogues, or was written by a person and is isolated.

The pages are seen in a language in which each text of the catalogues has brackets, over a platform that prints what
people wrote in wide letters.
"""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import web
from web.kit.language import COOKIE
from web.kit.security import SECOND_FACTOR_PAGE
from web.overview.round import VIEWS
from web_addresses import ROUND, TASK, pages_of
from web_fake_access import CODE as FACTOR_CODE
from web_fake_access import RECOVERY_CODES, SECRET
from web_fake_datasets import DATASET_ID
from web_fake_examples import EXAMPLE_ID
from web_fake_models import MODEL_NAME, SUBMISSION_ID
from web_fake_platform import PASSWORD, FakePlatform
from web_fake_votes import WAITING
from web_fake_work import FORGED, WORKER
from web_people_texts import WIDE, print_wide, unisolated
from web_pseudo import CODE, write_catalogue
from web_texts import forgotten
from web_visiting import Visitor, pages_over
from werkzeug.test import TestResponse

GREAT = "Such a great choice that my dog got most of it."
TRY = {"input.text": GREAT, "input.label": "negative"}
STATES = (
    *("draft", "checking", "waiting", "refused", "deployed"),
    *("published", "withdrawn", "retired", "cancelled", "deleted"),
)
NO_PAGES = {"static", "healthz"}
FILES = (
    "/account/data",
    "/account/export",
    "/examples/<uuid:example_id>/picture.png",
    "/tasks/<slug>/picture.png",
    "/tasks/<slug>/board/picture.png",
    "/tasks/<slug>/board.csv",
    "/tasks/<slug>/board.tex",
    "/tasks/<slug>/board/parts",
    "/tasks/<slug>/board/views/<view_id>",
    "/tasks/<slug>/board/badges/<model>.svg",
    "/tasks/<slug>/board/hub/<model>.yaml",
    "/tasks/<slug>/board/benchmarks/<dataset>/eval.yaml",
    "/tasks/<slug>/rounds/<int:number>/export",
    "/tasks/<slug>/campaigns/<uuid:campaign_id>/payments.csv",
)


class Reader:
    """A person who reads that language and remembers what was not said in it, page by page."""

    def __init__(self, visitor: Visitor, data: set[str]) -> None:
        self.visitor = visitor
        self.data = data
        self.seen: set[str] = set()
        self.found: dict[str, list[str]] = {}
        self.not_isolated: dict[str, list[str]] = {}

    def get(self, path: str, status: int = 200, **headers: str) -> str:
        return self._read(path, self.visitor.get(path, **headers), status)

    def post(self, path: str, status: int = 200, **form: str) -> str:
        return self._read(path, self.visitor.post(path, **form), status)

    def act(self, path: str, **form: str) -> str:
        """Do something, and read the page that it leads to."""
        answer = self.visitor.post(path, **form)
        assert answer.status_code == 303, f"{path}: {answer.status_code} {answer.text[-2000:]}"
        return self.get(answer.headers["Location"])

    def _read(self, path: str, answer: TestResponse, status: int) -> str:
        assert answer.status_code == status, f"{path}: {answer.status_code}"
        self.seen.add(path.partition("?")[0])
        told = forgotten(answer.text, self.data)
        if told:
            self.found.setdefault(path, []).extend(told)
        if not_isolated := unisolated(answer.text):
            self.not_isolated.setdefault(path, []).extend(not_isolated)
        return str(answer.text)


@pytest.fixture
def reading(
    fake: FakePlatform, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Callable[[str], Reader]]:
    """Return who reads the pages, signed in under a name; at the end nothing may have been forgotten."""
    monkeypatch.setattr(web, "__path__", [*web.__path__, str(write_catalogue(tmp_path))])
    print_wide(fake)
    app = pages_over(fake)
    readers: list[Reader] = []

    def reader(user_name: str = "") -> Reader:
        visitor = Visitor(app.test_client())
        visitor.client.set_cookie(COOKIE, CODE)
        if user_name:
            visitor.sign_in(user_name)
        readers.append(Reader(visitor, fake.data))
        return readers[-1]

    yield reader
    found = {path: texts for each in readers for path, texts in each.found.items()}
    assert not found, "\n".join(f"{path}: {texts}" for path, texts in found.items())
    not_isolated = {path: texts for each in readers for path, texts in each.not_isolated.items()}
    assert not not_isolated, "\n".join(
        f"{path}: {text}" for path, texts in not_isolated.items() for text in texts
    )


AFTER_DOING = {
    "/sign-in/with/<name>",
    "/sign-in/with/<name>/done",
    "/work",
    "/work/done/<uuid:assignment_id>",
    "/work/rounds/<uuid:round_id>/<any(create, validate):kind>",
    "/tasks",
    "/rounds/<uuid:round_id>/join",
    "/tasks/<slug>/join",
    "/rounds/<uuid:round_id>/tries/<uuid:example_id>",
    "/rounds/<uuid:round_id>/tries/<uuid:example_id>/badges",
    "/rounds/<uuid:round_id>/validate/back",
    "/rounds/<uuid:round_id>/validate/correction",
    "/tasks/<slug>/rounds/<int:number>/releases/<uuid:release_id>",
    "/tasks/<slug>/rounds/<int:number>/releases/<uuid:release_id>/progress",
}


def test_every_page_is_read_here(fake: FakePlatform) -> None:
    known = {*pages_of(fake), *AFTER_DOING, *FILES}
    rules = {rule.rule for rule in pages_over(fake).url_map.iter_rules() if "GET" in (rule.methods or ())}
    assert {rule for rule in rules if rule.split("/")[1] not in NO_PAGES} == known


def test_pages_that_anybody_reads(reading: Callable[[str], Reader], fake: FakePlatform) -> None:
    guest = reading("")
    for path in (
        "/",
        TASK,
        "/tasks/nli",
        "/tasks/nli/people",
        f"{TASK}/people",
        f"/rounds/{fake.loop.round_id}",
        "/datasets",
        f"/datasets/{DATASET_ID}",
        "/examples",
        f"/examples/{EXAMPLE_ID}",
        f"{TASK}/examples?model=n-gram-b&order=best",
        "/examples?round=0198c0de-0000-7000-8000-000000000000",
        "/models",
        f"/models/{MODEL_NAME}",
        "/sign-in",
        "/sign-up",
        *(f"/{name}" for name in ("about", "privacy", "terms", "licence", "contact", "docs")),
        "/search?q=sentiment",
        "/search?q=zebra",
        "/ranks?period=all",
    ):
        guest.get(path)
    for text in (GREAT, "A sentence to fool it."):
        guest.post("/first-try", text=text, claimed="positive")
    guest.post("/first-try", 422, text=" ", claimed="positive")
    fake.workshop.front = {"model": None, "labels": [], "longest_text": 300}
    guest.get("/")
    guest.get("/sign-in?next=/account&notice=signed-out")
    guest.get("/nothing", 404)
    guest.get("/tasks/unknown", 404)
    guest.post("/sign-in", 401, user_name="ada", password="wrong")
    fake.stop()
    guest.get("/", 503)


@pytest.mark.long
@pytest.mark.parametrize("user_name", ["ada", "olga"])
def test_pages_of_those_who_are_signed_in(
    user_name: str, reading: Callable[[str], Reader], fake: FakePlatform
) -> None:
    reader = reading(user_name)
    fake.desk.notices.tell_everything(fake.loop.round_id)
    for path in pages_of(fake).values():
        answer = reader.visitor.get(path)
        if answer.status_code in {200, 403, 404, 409}:
            reader.get(path, answer.status_code)
    assert len(reader.seen) >= 30


def test_a_second_factor(reading: Callable[[str], Reader], fake: FakePlatform) -> None:
    fake.data |= {SECRET, *RECOVERY_CODES}
    ada, guest, base = reading("ada"), reading(""), SECOND_FACTOR_PAGE
    ada.post(base, 422, current_password="wrong")
    ada.post(base, current_password=PASSWORD)
    ada.post(f"{base}/confirmation", 422, code="000000", uri="otpauth://totp/ada", secret=SECRET)
    ada.post(f"{base}/confirmation", code=FACTOR_CODE)
    ada.get(base)
    ada.post(f"{base}/recovery-codes", 422, code="000000")
    ada.post(f"{base}/recovery-codes", code=FACTOR_CODE)
    ada.get("/account")
    guest.post("/sign-in", user_name="ada", password=PASSWORD)
    guest.post("/sign-in/code", 422, challenge="ada", code="000000")
    olga = reading("olga")
    path = f"/people/{fake.people['ada'].person_id}"
    olga.get(path)
    olga.act(f"{path}/second-factor-reset", reason="lost")
    fake.desk.access.is_required = True
    olga.get(base)
    fake.desk.access.factors.add("ada")
    ada.act(f"{base}/removal", current_password=PASSWORD, code=FACTOR_CODE)
    ada.act(f"/account/sessions/{fake.desk.access.sessions[1]['session_id']}/end")
    ada.act("/account/sessions/end")


def test_signing_in_with_an_issuer(reading: Callable[[str], Reader], fake: FakePlatform) -> None:
    fake.desk.access.issuers.append({"name": "campus", "title": "Example University"})
    fake.data.add("Example University")
    guest, ada = reading(""), reading("ada")
    guest.get("/sign-in")
    guest.get("/sign-in/with/campus/done?state=forged", 401)
    ada.get("/account")
    ada.post("/account/issuers/campus", 422, current_password="wrong")
    ada.post("/account/issuers/campus", current_password=PASSWORD)
    ada.get("/account?notice=issuer-linked")
    fake.desk.access.linked.add("campus")
    ada.act("/account/issuers/campus/removal")
    fake.desk.access.without_password.add("ada")
    ada.get("/account")


def test_the_deletion_of_an_account(reading: Callable[[str], Reader], fake: FakePlatform) -> None:
    ada = reading("ada")
    ada.post("/account/deletion", 422, current_password="wrong")
    ada.act("/account/deletion", current_password=PASSWORD)


def test_the_practice_of_a_task(reading: Callable[[str], Reader], fake: FakePlatform) -> None:
    guest = reading("")
    answers = {"nli": ["contradiction", "entailment", "neutral"], "qa": ["stone"], "topics": ["nature"]}
    for slug, given in answers.items():
        practice = f"/tasks/{fake.loop.add(slug, has_practice=True).slug}/practice"
        for item, answer in enumerate(given, start=1):
            guest.get(f"{practice}?item={item}")
            guest.post(practice, 200, item=str(item), **{"practice.value": answer.translate(WIDE)})
        guest.post(practice, 422, item="1")
        guest.get(f"{practice}?item=9")


def test_the_way_of_a_try(reading: Callable[[str], Reader], fake: FakePlatform) -> None:
    ada = reading("ada")
    create = f"/rounds/{fake.loop.round_id}/create"
    context_id = fake.loop.contexts[fake.loop.position]["context_id"]
    ada.post(create, 422, context_id=context_id, key="key-0", **{**TRY, "input.text": " "})
    page = ada.act(create, context_id=context_id, key="key-1", **TRY)
    example_id = next(iter(fake.loop.examples))
    ada.post(f"/examples/{example_id}/inspections", target="sentiment-minilm")
    ada.act(f"/examples/{example_id}/explanations", label="The dog ate it.", model="great")
    ada.get(f"/rounds/{fake.loop.round_id}/tries")
    ada.act(f"/examples/{example_id}/retraction", key=example_id)
    ada.get(f"/rounds/{fake.loop.round_id}/tries")
    assert 'class="verdict' in page
    fake.fail("POST", "/examples$", 503, slug="verdict-undecidable", retry_after=12)
    ada.post(create, 503, context_id=context_id, key="key-2", **TRY)
    fake.loop.rounds[fake.loop.round_id]["state"] = "closed"
    ada.get(create, 409)


@pytest.mark.parametrize("slug", ["nli", "qa", "topics"])
def test_what_is_asked_in_other_tasks(
    slug: str, reading: Callable[[str], Reader], fake: FakePlatform
) -> None:
    ada, made = reading("ada"), fake.loop.add(slug)
    ada.get(f"/rounds/{made.round_id}/create")
    ada.get(f"/rounds/{made.round_id}/validate")
    ada.get(f"/tasks/{slug}")


def test_the_way_of_a_vote(reading: Callable[[str], Reader], fake: FakePlatform) -> None:
    ada = reading("ada")
    validate = f"/rounds/{fake.loop.round_id}/validate"
    ada.get(validate)
    shown = json.dumps({"context": {}, "input": {"text": WAITING[0]}})
    form: dict[str, Any] = {
        "lease_id": fake.loop.queue[0]["lease_id"],
        "kind": "label",
        "key": "v-1",
        "shown": shown,
    }
    ada.post(validate, 422, **form, choice="flag", reason=" ")
    page = ada.post(validate, **form, choice="option:neutral")
    vote_id = next(iter(fake.loop.votes.values()))["vote_id"]
    assert 'class="answered' in page
    assert 'class="reveal' in ada.post(f"{validate}/reveal", vote_id=vote_id)
    ada.visitor.post(f"{validate}/judgement", vote_id=vote_id, agrees="no")
    for path in ("back", "correction"):
        ada.get(f"{validate}/{path}?vote={vote_id}")
    fake.loop.queue.clear()
    ada.get(validate)


def test_examples_of_other_tasks(reading: Callable[[str], Reader], fake: FakePlatform) -> None:
    guest = reading("")
    for slug, written, claimed in (
        ("nli", {"hypothesis": "It dreams."}, "neutral"),
        ("hate-speech", {"text": "They should go home."}, "hateful"),
    ):
        fake.loop.add(slug)
        example = f"/examples/{fake.showcase.add(slug, {}, written, claimed)}"
        guest.get(example)
        guest.post(f"{example}/words", target=f"{slug}-a".translate(WIDE))
    fake.loop.add("qa")
    answer = {"start": 0, "end": 3, "text": "The"}
    passage, question = {"passage": "The mill burned down."}, {"question": "What burned?"}
    guest.get(f"/examples/{fake.showcase.add('qa', passage, question, answer)}")
    guest.get("/examples")
    fake.showcase.items.clear()
    guest.get("/examples")
    guest.get(f"{TASK}/examples")


def test_reports_about_examples(reading: Callable[[str], Reader], fake: FakePlatform) -> None:
    ada, olga = reading("ada"), reading("olga")
    example, reports = f"/examples/{EXAMPLE_ID}", f"{TASK}/reports"
    olga.get(reports)
    ada.post(f"{example}/reports", 422, reason=" ")
    ada.act(f"{example}/reports", reason="It names my neighbour.")
    olga.get(reports)
    olga.post(f"{reports}/{EXAMPLE_ID}", 422, decision="keep", reason=" ")
    olga.act(f"{reports}/{EXAMPLE_ID}", decision="keep", reason="It names nobody.")
    olga.act(f"{example}/hidden", reason="It names somebody.")
    olga.act(f"{example}/shown")
    olga.act(f"{reports}/{EXAMPLE_ID}", decision="hide", reason="It names somebody.")
    olga.get(reports)
    olga.act(f"{reports}/{EXAMPLE_ID}", decision="show", reason="It names nobody.")


def test_the_way_of_paid_work(reading: Callable[[str], Reader], fake: FakePlatform) -> None:
    worker, campaign_id = reading(""), fake.work.offer()
    for state in ("draft", "running", "paused", "ended"):
        worker.get(f"/work/{fake.work.offer('validate', state=state, is_open=False)}")
    reading("ada").get(f"/work/{campaign_id}")
    worker.post(f"/work/{campaign_id}?{WORKER}={FORGED}", 403)
    create = worker.visitor.post(f"/work/{campaign_id}?{WORKER}=w1").headers["Location"]
    worker.get(create)
    for path in (f"/work/rounds/{fake.loop.round_id}/create", f"{create}?example=x", "/", "/ranks"):
        worker.get(path)
    assignment_id = fake.work.change(done=1)
    worker.post(f"/work/assignments/{assignment_id}/completion", 409)
    for changes in ({"can_finish": True}, {"deadline": "2026-01-01T00:00:00Z"}, {"done": 2}):
        fake.work.change(**changes)
        worker.get(create)
        worker.get(f"/work/done/{assignment_id}")
    fake.fail("GET", "/api/crowd/", 503)
    worker.get(create)
    worker.act(f"/work/assignments/{assignment_id}/completion")
    for state in ("approved", "rejected", "returned", "timed_out", "screened_out"):
        fake.work.change(state=state, back_url=None)
        worker.get(f"/work/done/{assignment_id}")
        worker.get(create)
    fake.work.change(state="working")
    fake.loop.rounds[fake.loop.round_id]["state"] = "closed"
    worker.get(create, 409)
    fake.end_sessions()
    worker.visitor.client.delete_cookie("dynabench_access")
    worker.get(create, 401)


def test_what_owners_do(reading: Callable[[str], Reader], fake: FakePlatform) -> None:
    olga = reading("olga")
    for state in ("open", "closed"):
        olga.get(f"{ROUND}/state/{state}")
    olga.post(f"{ROUND}/targets", 422, target="sentiment-cnn", reason=" ")
    for kind in ("disputed", "flagged", "appealed", "question", "low_posterior"):
        olga.get(f"{ROUND}/work?kind={kind}")
    fake.loop.rounds[fake.loop.round_id]["state"] = "closed"
    olga.get(f"{ROUND}/release")
    olga.post(f"{ROUND}/release", 409, description="Our first round.")
    olga.act(f"{ROUND}/release", description="Our first round.", accept_unresolved="1")
    for view in VIEWS:
        olga.get(f"{ROUND}/standing?view={view}")


def test_campaigns_in_every_state(reading: Callable[[str], Reader], fake: FakePlatform) -> None:
    olga = reading("olga")
    olga.get(f"{ROUND}/campaigns")
    olga.post(f"{ROUND}/campaigns/new", 422, title="Fool it", units="many")
    for state in ("draft", "running", "paused", "ended"):
        campaign = f"{TASK}/campaigns/{fake.campaigns.add(state, problem='The balance is too low.')}"
        for rest in ("", "/people", "/people?state=working", "/pay", "/payments", "/ledger"):
            olga.get(f"{campaign}{rest}")
        olga.get(f"{campaign}/fair-play")
        if state != "draft":
            fake.campaigns.add_evidence(campaign.rpartition("/")[2], "We share a flat.")
            olga.get(f"{campaign}/fair-play")
        for following in ("running", "paused", "ended"):
            olga.get(f"{campaign}/state/{following}")
    by_hand = f"{TASK}/campaigns/{fake.campaigns.add(platform='sona', currency='EUR', reward_minor=10)}"
    for rest in ("", "/edit", "/pay", "/payments"):
        olga.get(f"{by_hand}{rest}")
    olga.post(f"{by_hand}/places", 422, places="many")
    olga.post(f"{by_hand}/top-up", 422, amount="many")


@pytest.mark.parametrize("user_name", ["ada", "olga"])
def test_submissions_in_every_state(
    user_name: str, reading: Callable[[str], Reader], fake: FakePlatform
) -> None:
    reader = reading(user_name)
    for state in STATES:
        submission = f"/submissions/{fake.models.add(state, user_name)}"
        reader.get(submission)
        reader.get(f"{submission}/steps")
    for fault in ("ours", "owner"):
        reader.get(f"/submissions/{fake.models.add('refused', user_name, fault=fault)}")
    reader.get(f"/submissions/{SUBMISSION_ID}/entry?path=notes.txt")
    reader.get("/models?task=sentiment")
    reader.get("/models/submit?task=sentiment")
    reader.post("/models/submit", 422, task="sentiment", model="mini")
    fake.models.found.clear()
    reader.get("/models")
    reader.get("/models?task=nli&page=9")


def test_what_the_scan_found_and_why_a_check_failed(
    reading: Callable[[str], Reader], fake: FakePlatform
) -> None:
    ada = reading("ada")
    page = ada.get(f"/submissions/{fake.models.add('waiting')}")
    assert "<code>handler.py</code>: ⟦" in page
    assert "not on the list" not in page
    assert "Leave it" not in page
    for said in ("config.json: it is encrypted", "The build took longer than 1200 s."):
        page = ada.get(f"/submissions/{fake.models.add('refused', reason=said)}")
        assert said not in page
    assert "1200" in page


def test_the_way_of_a_submission(reading: Callable[[str], Reader], fake: FakePlatform) -> None:
    ada, olga = reading("ada"), reading("olga")
    waiting, deployed = (f"/submissions/{fake.models.add(state)}" for state in ("waiting", "deployed"))
    olga.act(f"{waiting}/decision", approve="no", reason="It sends texts elsewhere.")
    ada.act(f"{waiting}/runs", step="contract")
    ada.act(f"{waiting}/cancellation")
    ada.post(f"{waiting}/cancellation", 409)
    ada.post(f"{deployed}/publication", 422)
    ada.post(f"{deployed}/card", 422, parameters="many")
    ada.act(f"{deployed}/card", text="Small.", licence="MIT", contact="ada", languages="en")
    ada.act(f"{deployed}/publication", anonymous="1")
    olga.get(f"/models/{fake.models.named(deployed.rpartition('/')[2])['serving_name']}")
    olga.post(f"{deployed}/retirement", 422, reason=" ")
    olga.act(f"{deployed}/retirement", reason="It is no use.")
