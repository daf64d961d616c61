"""A submission's page: what is shown in each state and to whom, and what each of its forms does."""

import re
from html import unescape

import pytest
from web_fake_models import HOSTILE, SUBMISSION_ID
from web_fake_platform import FakePlatform
from web_fake_submissions import EMPTY_CARD, WHOLE_CARD
from web_visiting import Visitor

CARD = {
    "text": "It is small.\r\n\r\nIt fails on irony.",
    "licence": "MIT",
    "contact": "ada@example.org",
    "languages": "en, de,",
    "parameters": "22713216",
    "trained_on": "sentiment-r2, version 1",
    "paper": "",
}
ROUND_ID = "0198c0de-0000-7000-8000-000000000002"
OWN_FORMS = ("cancellation", "runs", "card", "publication", "withdrawal", "deletion")
OWNERS_FORMS = ("decision", "retirement")


@pytest.fixture
def olga(visitor: Visitor) -> Visitor:
    visitor.sign_in("olga")
    return visitor


def shown(visitor: Visitor, submission_id: str) -> str:
    answer = visitor.get(f"/submissions/{submission_id}")
    assert answer.status_code == 200
    return str(answer.text)


def forms_of(text: str) -> set[str]:
    return set(re.findall(r'action="/submissions/[0-9a-f-]{36}/(\w+)"', text))


def sent_to(fake: FakePlatform, method: str, ending: str) -> list[object]:
    return [body for verb, path, body in fake.calls if verb == method and path.endswith(ending)]


@pytest.mark.parametrize(
    ("state", "words", "forms"),
    [
        ("draft", "Upload not finished", {"cancellation", "deletion"}),
        ("checking", "Being checked", {"cancellation", "runs", "card", "deletion"}),
        ("waiting", "Waiting for the task&#39;s owner", {"cancellation", "card", "deletion"}),
        ("refused", "A check failed", {"runs", "card", "deletion"}),
        ("deployed", "Available, not published", {"card", "publication", "withdrawal", "deletion"}),
        ("published", "Published", {"card", "publication", "withdrawal", "deletion"}),
        ("withdrawn", "Withdrawn", {"card", "deletion"}),
        ("retired", "Retired by the task&#39;s owner", {"card", "deletion"}),
        ("cancelled", "Cancelled", {"deletion"}),
        ("deleted", "Deleted", set()),
    ],
)
def test_a_submitter_may_do_what_the_state_allows(
    state: str, words: str, forms: set[str], ada: Visitor, fake: FakePlatform
) -> None:
    text = shown(ada, fake.models.add(state))
    assert f"</span> {words}</span>" in text
    assert forms_of(text) == forms


@pytest.mark.parametrize(
    ("state", "forms"),
    [
        ("draft", {"deletion"}),
        ("checking", {"runs", "deletion"}),
        ("waiting", {"decision", "deletion"}),
        ("refused", {"runs", "deletion"}),
        ("deployed", {"retirement", "deletion"}),
        ("published", {"retirement", "deletion"}),
        ("retired", {"deletion"}),
        ("deleted", set()),
    ],
)
def test_an_owner_of_the_task_decides_and_takes_away_but_writes_no_card(
    state: str, forms: set[str], olga: Visitor, fake: FakePlatform
) -> None:
    assert forms_of(shown(olga, fake.models.add(state))) == forms


def test_a_model_in_the_loop_stays_and_its_page_says_in_which_rounds(
    ada: Visitor, visitor: Visitor, fake: FakePlatform
) -> None:
    rounds = [
        {"round_id": ROUND_ID, "state": "open", "task": "sentiment", "number": 2},
        {"round_id": SUBMISSION_ID, "state": "draft", "task": None, "number": None},
    ]
    text = shown(ada, submission_id := fake.models.add("published", in_the_loop=rounds))
    assert forms_of(text) == {"card", "publication"}
    assert f'<a href="/rounds/{ROUND_ID}">sentiment, round 2</a>' in text
    assert "A round of unknown number" in text
    assert "ask an owner of the task" in text
    visitor.sign_in("olga")
    text = shown(visitor, submission_id)
    assert forms_of(text) == set()
    assert "remove it from each round first" in text


def test_an_owner_of_the_task_may_do_both_with_a_model_of_their_own(
    olga: Visitor, fake: FakePlatform
) -> None:
    text = shown(olga, fake.models.add("deployed", "olga"))
    assert forms_of(text) == {"card", "publication", "withdrawal", "retirement", "deletion"}


def test_others_are_told_that_there_is_no_such_submission(visitor: Visitor, fake: FakePlatform) -> None:
    fake.add_person("eve")
    visitor.sign_in("eve")
    for rest in ("", "/steps", "/entry?path=config.json"):
        answer = visitor.get(f"/submissions/{SUBMISSION_ID}{rest}")
        assert answer.status_code == 404
        assert "No such submission" in answer.text
    for form in OWN_FORMS:
        assert visitor.post(f"/submissions/{SUBMISSION_ID}/{form}", step="contract").status_code == 404
    for form in OWNERS_FORMS:
        answer = visitor.post(f"/submissions/{SUBMISSION_ID}/{form}", reason="Mine now.")
        assert answer.status_code == 403
    assert fake.models.named(SUBMISSION_ID)["state"] == "published"


@pytest.mark.parametrize("form", [*OWN_FORMS, *OWNERS_FORMS, "parts", "completion"])
def test_nothing_is_done_for_other_sites(form: str, ada: Visitor, fake: FakePlatform) -> None:
    before = len(fake.calls)
    headers = {"Sec-Fetch-Site": "cross-site", "Origin": "https://evil.example"}
    answer = ada.client.post(f"/submissions/{SUBMISSION_ID}/{form}", data={"reason": "x"}, headers=headers)
    assert answer.status_code == 403
    assert "Not sent from one of our pages" in answer.text
    assert all(method == "GET" for method, _, _ in fake.calls[before:])


@pytest.mark.parametrize(
    ("fault", "words", "remedy"),
    [
        ("yours", "Correct this and submit again.", "Name the task&#39;s labels in dynabench.json."),
        ("ours", "This is our fault. It did not count against your quota.", "Run the step again."),
        ("owner", "The task&#39;s owner decided this.", "Submit an archive without code."),
    ],
)
def test_a_failed_check_says_whose_fault_it_is_and_what_to_do(
    fault: str, words: str, remedy: str, ada: Visitor, fake: FakePlatform
) -> None:
    text = shown(ada, fake.models.add("refused", fault=fault))
    assert f"<strong>{words}</strong>" in text
    assert remedy in text


def test_checks_run_again_from_one_that_has_run(ada: Visitor, fake: FakePlatform) -> None:
    refused = fake.models.add("refused")
    text = shown(ada, refused)
    steps = re.findall(r'<option value="(\w+)"', text)
    assert steps == ["checksum", "opened", "scanned", "manifest", "contract"]
    assert '<option value="contract" selected>' in text
    answer = ada.post(f"/submissions/{refused}/runs", step="scanned")
    assert answer.headers["Location"] == f"/submissions/{refused}?notice=runs-again"
    assert fake.models.named(refused)["step"] == "scanned"


def test_checks_are_looked_at_again_until_they_have_ended(ada: Visitor, fake: FakePlatform) -> None:
    checking = fake.models.add("checking")
    text = shown(ada, checking)
    assert f'data-poll hx-get="/submissions/{checking}/steps"' in text
    assert "Now: manifest." in text
    steps = ada.get(f"/submissions/{checking}/steps", **{"HX-Request": "true"})
    assert "<h1" not in steps.text
    assert "last active" in steps.text
    fake.models.named(checking)["state"] = "deployed"
    ended = ada.get(f"/submissions/{checking}/steps", **{"HX-Request": "true"})
    assert (ended.text, ended.headers["HX-Refresh"]) == ("", "true")
    assert "data-poll" not in shown(ada, checking)


def test_steps_that_did_not_change_cost_no_bytes(ada: Visitor, fake: FakePlatform) -> None:
    path = f"/submissions/{fake.models.add('refused')}/steps"
    first = ada.get(path)
    again = ada.get(path, **{"If-None-Match": first.headers["ETag"]})
    assert (again.status_code, again.text) == (304, "")


def test_the_page_stands_without_its_log(ada: Visitor, fake: FakePlatform) -> None:
    assert "looks at 4 entries" in shown(ada, SUBMISSION_ID)
    fake.fail("GET", "/log$", 503, times=9)
    assert "The log is empty." in shown(ada, SUBMISSION_ID)


def test_of_a_long_log_the_end_is_shown(ada: Visitor, fake: FakePlatform) -> None:
    fake.models.log = [f"line {number}." for number in range(1200)]
    text = shown(ada, SUBMISSION_ID)
    assert "line 1199." in text
    assert "line 1000." in text
    assert "line 999." not in text


def test_files_of_the_archive_are_listed_and_texts_can_be_read(olga: Visitor, fake: FakePlatform) -> None:
    waiting = fake.models.add("waiting")
    text = shown(olga, waiting)
    entry = f"/submissions/{waiting}/entry?path="
    assert f'<a href="{entry}handler.py">handler.py</a>' in text
    assert f"{entry}words.pkl" not in text
    assert "<strong>pickle, which is code</strong>" in text
    assert "<code>handler.py</code>: it is not on the list of data (code)." in text
    source = olga.get(f"{entry}handler.py").text
    assert "&lt;b&gt;positive&lt;/b&gt;" in source
    for path in ("data.bin", "notes.txt", "no/such/file"):
        answer = olga.get(entry + path)
        assert answer.status_code == 200
        assert "Nothing to show" in answer.text


def test_an_owner_lets_a_program_run_with_a_reason(olga: Visitor, fake: FakePlatform) -> None:
    waiting = fake.models.add("waiting")
    answer = olga.post(f"/submissions/{waiting}/decision", approve="yes", reason="I read it.")
    assert answer.headers["Location"] == f"/submissions/{waiting}?notice=decided-model"
    assert sent_to(fake, "POST", "/decision") == [{"approve": True, "reason": "I read it."}]


def test_an_owner_declines_a_program(olga: Visitor, fake: FakePlatform) -> None:
    waiting = fake.models.add("waiting")
    olga.post(f"/submissions/{waiting}/decision", approve="no", reason="It sends texts elsewhere.")
    assert sent_to(fake, "POST", "/decision") == [{"approve": False, "reason": "It sends texts elsewhere."}]
    assert "The task&#39;s owner decided this." in shown(olga, waiting)


def test_a_decision_without_any_choice_lets_nothing_run(olga: Visitor, fake: FakePlatform) -> None:
    waiting = fake.models.add("waiting")
    olga.post(f"/submissions/{waiting}/decision", reason="I pressed no button.")
    assert sent_to(fake, "POST", "/decision") == [{"approve": False, "reason": "I pressed no button."}]


def test_a_card_is_written_as_it_was_typed(ada: Visitor, fake: FakePlatform) -> None:
    deployed = fake.models.add("deployed")
    answer = ada.post(f"/submissions/{deployed}/card", **CARD)
    assert answer.headers["Location"] == f"/submissions/{deployed}?notice=card-saved"
    [body] = sent_to(fake, "PUT", "/card")
    assert body == {
        "text": "It is small.\n\nIt fails on irony.",
        "licence": "MIT",
        "contact": "ada@example.org",
        "languages": ["en", "de"],
        "parameters": 22713216,
        "trained_on": ["sentiment-r2", "version 1"],
    }
    text = shown(ada, deployed)
    assert "The card has all that a published model needs." in text
    assert 'value="22713216"' in text


def test_fields_that_a_card_lacks_are_named_in_words(ada: Visitor, fake: FakePlatform) -> None:
    card = {**EMPTY_CARD, "licence": "MIT"}
    text = shown(ada, fake.models.add("deployed", card=card))
    assert "Still missing: what it is for and where it fails, languages, contact." in text
    assert "To publish the model, add to its card: what it is" in text


@pytest.mark.parametrize("parameters", ["many", "-1", "2.5", "٣", "1" * 5000])
def test_a_number_of_parameters_that_is_none_is_refused_beside_its_field(
    parameters: str, ada: Visitor, fake: FakePlatform
) -> None:
    answer = ada.post(f"/submissions/{SUBMISSION_ID}/card", **{**CARD, "parameters": parameters})
    assert answer.status_code == 422
    assert 'aria-describedby="card-parameters-problem card-parameters-help"' in answer.text
    assert 'id="card-parameters-problem"><span aria-hidden="true">▲</span> The number of' in answer.text
    assert f'value="{parameters}"' in answer.text
    assert "It is small." in answer.text
    assert sent_to(fake, "PUT", "/card") == []


@pytest.mark.parametrize(
    ("field", "at"),
    [("licence", "licence"), ("languages.0", "languages"), ("body.trained_on[2]", "trained_on")],
)
def test_a_refused_card_keeps_what_was_typed_and_says_why_beside_the_field(
    field: str, at: str, ada: Visitor, fake: FakePlatform
) -> None:
    fake.fail("PUT", "/card$", 422, field=field, detail="It can't be that.")
    answer = ada.post(f"/submissions/{SUBMISSION_ID}/card", **CARD)
    assert answer.status_code == 422
    assert f'id="card-{at}-problem"><span aria-hidden="true">▲</span> It can&#39;t be that.' in answer.text
    assert answer.text.count("It can&#39;t be that.") == 1
    assert 'value="MIT"' in answer.text
    assert 'id="problem"' not in answer.text


def test_a_refusal_about_no_field_of_the_page_stands_above_it(ada: Visitor, fake: FakePlatform) -> None:
    fake.fail("PUT", "/card$", 422, field="nothing.of.ours", detail="It can't be that.")
    answer = ada.post(f"/submissions/{SUBMISSION_ID}/card", **CARD)
    assert 'id="problem"' in answer.text
    assert 'value="MIT"' in answer.text


@pytest.mark.parametrize(("form", "anonymous"), [({}, False), ({"anonymous": "1"}, True)])
def test_a_model_is_published_with_or_without_a_name(
    form: dict[str, str], anonymous: bool, ada: Visitor, fake: FakePlatform
) -> None:
    deployed = fake.models.add("deployed", card=dict(WHOLE_CARD))
    answer = ada.post(f"/submissions/{deployed}/publication", **form)
    assert answer.headers["Location"] == f"/submissions/{deployed}?notice=published"
    assert sent_to(fake, "POST", "/publication") == [{"anonymous": anonymous}]


def test_publishing_without_a_card_says_beside_the_field_what_it_lacks(
    ada: Visitor, fake: FakePlatform
) -> None:
    deployed = fake.models.add("deployed", card={**WHOLE_CARD, "contact": ""})
    answer = ada.post(f"/submissions/{deployed}/publication")
    assert answer.status_code == 422
    assert 'id="card-contact-problem"' in answer.text
    assert 'value="Apache-2.0"' in answer.text
    assert fake.models.named(deployed)["state"] == "deployed"


def test_a_model_is_taken_back_without_a_reason(ada: Visitor, fake: FakePlatform) -> None:
    ada.post(f"/submissions/{SUBMISSION_ID}/withdrawal", reason="")
    assert sent_to(fake, "POST", "/withdrawal") == [{"reason": ""}]
    assert "Withdrawn" in shown(ada, SUBMISSION_ID)


def test_taking_a_model_away_needs_a_reason(olga: Visitor, fake: FakePlatform) -> None:
    answer = olga.post(f"/submissions/{SUBMISSION_ID}/retirement", reason=" ")
    assert answer.status_code == 422
    assert 'aria-describedby="retirement-reason-problem"' in answer.text
    olga.post(f"/submissions/{SUBMISSION_ID}/retirement", reason="It repeats its training data.")
    assert "Retired" in shown(olga, SUBMISSION_ID)


def test_a_reason_outlives_a_refusal(olga: Visitor, fake: FakePlatform) -> None:
    waiting = fake.models.add("waiting")
    fake.fail("POST", "/decision$", 503, times=9)
    answer = olga.post(f"/submissions/{waiting}/decision", approve="yes", reason="I read all of it.")
    assert answer.status_code == 503
    assert ">\nI read all of it.</textarea>" in answer.text


def test_cancelling_is_said_and_what_has_ended_cannot_be_cancelled(ada: Visitor, fake: FakePlatform) -> None:
    checking = fake.models.add("checking")
    answer = ada.post(f"/submissions/{checking}/cancellation")
    assert answer.headers["Location"] == f"/submissions/{checking}?notice=cancelled"
    assert "The submission is cancelled and does not count." in ada.get(answer.headers["Location"]).text
    again = ada.post(f"/submissions/{checking}/cancellation")
    assert again.status_code == 409
    assert "Reload the submission" in again.text


def test_cancelling_is_confirmed_and_said_not_to_count(ada: Visitor, fake: FakePlatform) -> None:
    text = shown(ada, fake.models.add("checking"))
    before, _, confirmed = text.partition(
        '<details class="confirm" id="cancel"><summary>Cancel the submission</summary>'
    )
    assert "/cancellation" not in before
    confirmed = confirmed.partition("</details>")[0]
    assert "It does not count against your quota." in confirmed
    assert "Yes, cancel it</button>" in confirmed


def test_a_draft_says_which_file_to_choose_again(ada: Visitor, fake: FakePlatform) -> None:
    text = shown(ada, fake.models.add("draft", model="mini", file_name="mini & co.mar"))
    assert '<a href="/models/submit?task=sentiment&amp;model=mini">Choose mini &amp; co.mar again</a>' in text


@pytest.mark.parametrize("state", ["refused", "published", "waiting"])
def test_texts_of_submitters_stay_texts(state: str, olga: Visitor, fake: FakePlatform) -> None:
    hostile = fake.models.add_hostile(state, "olga")
    pages = [f"/submissions/{hostile}", f"/submissions/{hostile}/steps", "/models", "/models?task=sentiment"]
    if state == "published":
        pages.append("/models/hostile-v1")
    for page in pages:
        answer = olga.get(page)
        assert answer.status_code == 200
        assert "<script>alert" not in answer.text
    assert HOSTILE in unescape(shown(olga, hostile))
    [entry] = re.findall(r'href="(/submissions/[^"]+entry[^"]+alert[^"]*)"', olga.get(pages[0]).text)
    shown_entry = olga.get(unescape(entry))
    assert "<script>alert" not in shown_entry.text
    assert HOSTILE in unescape(shown_entry.text)


def test_times_are_said_by_the_kit(ada: Visitor) -> None:
    assert 'Started <time datetime="2026-01-07T09:29:00+00:00">7 Jan 09:29</time>.' in shown(
        ada, SUBMISSION_ID
    )
