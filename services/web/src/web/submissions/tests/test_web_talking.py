"""Ways to query a model: on its page and its submission's page per reader, and the lines to copy."""

import json
import shlex
import subprocess
from html import unescape

import pytest
from web_fake_models import MODEL_NAME, SUBMISSION_ID
from web_fake_platform import FakePlatform
from web_visiting import Visitor

PAGE = f"/models/{MODEL_NAME}"
ADDRESS = f"http://localhost/api/gateway/v1/models/{MODEL_NAME}:predict"
SANDBOX = f'href="/tasks/sentiment/sandbox?model={MODEL_NAME}"'
CLOSED = "Closed for now"
LINES = ("curl", "python", "terminal")


def section(visitor: Visitor, path: str = PAGE) -> str:
    answer = visitor.get(path)
    assert answer.status_code == 200
    return str(answer.text.partition('<section id="talk"')[2].partition("</section>")[0])


def lines(visitor: Visitor, name: str) -> str:
    text = section(visitor)
    assert f'data-copy="talk-{name}"' in text
    return unescape(text.partition(f'<code id="talk-{name}">')[2].partition("</code>")[0])


def test_a_stranger_is_asked_to_sign_in_and_led_back(visitor: Visitor, fake: FakePlatform) -> None:
    text = section(visitor)
    assert f'<a href="/sign-in?next={PAGE}">Sign in</a>' in text
    assert ADDRESS in text
    assert SANDBOX not in text
    assert "data-copy" not in text
    assert not any("/gateway/" in path for _, path, _ in fake.calls)


@pytest.mark.parametrize("path", [PAGE, f"/submissions/{SUBMISSION_ID}"])
def test_who_is_signed_in_is_led_to_the_sandbox_and_gets_lines_to_copy(path: str, ada: Visitor) -> None:
    text = section(ada, path)
    assert SANDBOX in text
    assert ADDRESS in text
    assert '<a href="/account">Account</a>' in text
    assert all(f'data-copy="talk-{name}"' in text for name in LINES)
    assert CLOSED not in text


def test_the_sandbox_has_the_model_of_its_address_chosen(ada: Visitor, fake: FakePlatform) -> None:
    fake.models.add("deployed", model="quiet")
    for name in (MODEL_NAME, "quiet-v1"):
        page = ada.get(f"/tasks/sentiment/sandbox?model={name}").text
        assert f'name="target" value="{name}" checked>' in page


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("sentiment-minilm", "sentiment-minilm is in an open round"),
        ("no-such-model", "ask no-such-model right now"),
        ("", ""),
    ],
)
def test_the_sandbox_says_why_it_does_not_choose_a_model(name: str, said: str, visitor: Visitor) -> None:
    visitor.sign_in("ada")
    page = visitor.get(f"/tasks/sentiment/sandbox?model={name}").text
    assert ("Choose another one below." in page) == bool(said)
    assert said in page


@pytest.mark.parametrize("user_name", ["ada", "olga"])
def test_a_model_that_only_answers_is_asked_by_its_submitter_and_owners_of_its_task(
    user_name: str, visitor: Visitor, fake: FakePlatform
) -> None:
    deployed = fake.models.add("deployed", model="quiet")
    visitor.sign_in(user_name)
    for path in ("/models/quiet-v1", f"/submissions/{deployed}"):
        text = section(visitor, path)
        assert 'href="/tasks/sentiment/sandbox?model=quiet-v1"' in text
        assert "Until it is published" in text
    assert "Until it is published" not in section(visitor)


@pytest.mark.parametrize(
    "state", ["draft", "checking", "waiting", "refused", "withdrawn", "retired", "cancelled"]
)
def test_a_submission_that_does_not_answer_says_nothing_of_asking_it(
    state: str, ada: Visitor, fake: FakePlatform
) -> None:
    answer = ada.get(f"/submissions/{fake.models.add(state)}")
    assert answer.status_code == 200
    assert 'id="talk"' not in answer.text
    assert not any("/gateway/" in path for _, path, _ in fake.calls)


@pytest.mark.parametrize("path", [PAGE, f"/submissions/{SUBMISSION_ID}"])
def test_a_target_of_a_round_is_closed_to_its_own_submitter_too(
    path: str, ada: Visitor, fake: FakePlatform
) -> None:
    fake.models.in_the_loop.add(MODEL_NAME)
    text = section(ada, path)
    assert CLOSED in text
    assert "only the owners of its task may ask it" in text
    assert "could test their texts outside the round" in text
    assert SANDBOX not in text
    assert "data-copy" not in text
    assert ADDRESS in text


def test_a_target_of_a_round_stays_open_to_owners_of_its_task(visitor: Visitor, fake: FakePlatform) -> None:
    fake.models.in_the_loop.add(MODEL_NAME)
    visitor.sign_in("olga")
    text = section(visitor)
    assert CLOSED not in text
    assert "only the owners of its task may ask it. Each answer" in text
    assert SANDBOX in text


def test_a_model_that_does_not_fit_its_task_any_more_is_asked_by_programs_alone(
    ada: Visitor, fake: FakePlatform
) -> None:
    fake.workshop.submitted = lambda _task: []
    text = section(ada)
    assert SANDBOX not in text
    assert "t be tried on pages" in text
    assert 'data-copy="talk-curl"' in text


def test_the_page_stands_while_gateway_and_annotation_are_away(ada: Visitor, fake: FakePlatform) -> None:
    fake.fail("GET", "/api/gateway/", 503, times=9)
    fake.fail("GET", "/models$", 503, times=9)
    text = section(ada)
    assert SANDBOX in text
    assert "Example code is not available" in text
    assert "data-copy" not in text


def test_one_that_sleeps_says_how_long_the_first_answer_takes(ada: Visitor, fake: FakePlatform) -> None:
    said = "The first answer may take half a minute; <code>Prefer: wait=30</code> waits for it"
    assert said in section(ada)
    fake.models.start = "always"
    assert "half a minute" not in section(ada)


@pytest.mark.parametrize("fields", [("text",), ("premise", "hypothesis"), ("it's", 'a "b" $c')])
def test_the_lines_ask_with_the_fields_of_the_model(
    fields: tuple[str, ...], ada: Visitor, fake: FakePlatform
) -> None:
    fake.models.fields = fields
    curl, python, terminal = (lines(ada, name) for name in LINES)
    words = shlex.split(curl.replace("\\\n", " ").splitlines()[-1])
    sent = json.loads(words[words.index("-d") + 1])
    [instance] = sent["instances"]
    assert tuple(instance) == fields
    assert all(text.strip() for text in instance.values())
    assert "Prefer: wait=30" in words
    assert ADDRESS in words
    assert "Authorization: Bearer $API_TOKEN" in words
    for written in (curl, terminal):
        checked = subprocess.run(["bash", "-n"], input=written, text=True, capture_output=True, check=False)
        assert checked.stderr == ""
    given = shlex.split(terminal.splitlines()[-1])
    assert given[:4] == ["dynabench", "models", "predict", MODEL_NAME]
    assert (given[4] if len(fields) == 1 else json.loads(given[4])) == (
        instance[fields[0]] if len(fields) == 1 else instance
    )
    names: dict[str, object] = {}
    shaped = [line for line in python.splitlines() if line.startswith("instance = ")]
    exec(compile("\n".join(shaped), "lines", "exec"), names)
    compile(python, "lines", "exec")
    assert names["instance"] == instance
    assert f'predict("{MODEL_NAME}", [instance], wait_seconds=30)' in python
