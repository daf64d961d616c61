"""The remains of a deleted submission, and a submission's signer, on its page and on the model's."""

from web_fake_models import MODEL_NAME, SUBMISSION_ID
from web_fake_platform import FakePlatform
from web_visiting import Visitor

PAGE = f"/submissions/{SUBMISSION_ID}"


def test_a_deleted_submission_shows_its_tombstone(ada: Visitor, fake: FakePlatform) -> None:
    answer = ada.post(f"{PAGE}/deletion", reason="It <b>repeats</b> letters.")
    assert answer.headers["Location"] == f"{PAGE}?notice=deleted-model"
    text = ada.get(PAGE).text
    assert "Deleted model" in text
    assert "Its submitter deleted it" in text
    assert "<q>It &lt;b&gt;repeats&lt;/b&gt; letters.</q>" in text
    assert "The last of its files are being removed." in text
    assert "Checks" not in text


def test_who_could_see_a_deleted_model_sees_its_tombstone(
    ada: Visitor, visitor: Visitor, fake: FakePlatform
) -> None:
    ada.post(f"{PAGE}/deletion", reason="A better one is there.")
    text = visitor.get(f"/models/{MODEL_NAME}").text
    assert "Deleted model" in text
    assert "A better one is there." in text
    assert "Use the model" not in text


def test_an_owner_needs_a_reason_to_delete(visitor: Visitor, fake: FakePlatform) -> None:
    visitor.sign_in("olga")
    answer = visitor.post(f"{PAGE}/deletion", reason=" ")
    assert answer.status_code == 422
    assert 'aria-describedby="deletion-reason-problem"' in answer.text
    visitor.post(f"{PAGE}/deletion", reason="It repeats its training data.")
    assert "An owner of its task deleted it" in visitor.get(PAGE).text


def test_the_key_of_who_signed_it_is_shown(ada: Visitor, fake: FakePlatform) -> None:
    assert "Signed by" not in ada.get(PAGE).text
    fake.models.named(SUBMISSION_ID)["signed_by"] = "sha256:fd53509d"
    for address in (PAGE, f"/models/{MODEL_NAME}"):
        assert "<code>sha256:fd53509d</code>" in ada.get(address).text
