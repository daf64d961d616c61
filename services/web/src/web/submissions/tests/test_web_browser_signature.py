"""The signature of an archive: sent unchanged, or refused at its field before it leaves the browser."""

from collections.abc import Callable

import pytest
from playwright.sync_api import FilePayload, Page, expect
from web_archives import archive, send
from web_fake_platform import FakePlatform

pytestmark = pytest.mark.slow

FORM = "/models/submit?task=sentiment"
BUNDLE = '{"mediaType": "application/vnd.dev.sigstore.bundle.v0.3+json", "of": "ü + & %"}\n'
PUBLIC = "-----BEGIN PUBLIC KEY-----\nMFkw+/==\n-----END PUBLIC KEY-----\n"
PRIVATE = "-----BEGIN EC PRIVATE KEY-----\nMHcC\n-----END EC PRIVATE KEY-----\n"


def file(name: str, content: str) -> FilePayload:
    return {"name": name, "mimeType": "application/octet-stream", "buffer": content.encode()}


@pytest.fixture
def form(sign_in: Callable[..., None], page: Page, fake: FakePlatform) -> Page:
    fake.models.found.clear()
    sign_in(FORM)
    page.get_by_text("Signature (optional)").click()
    return page


def choose(form: Page, bundle: str | None, key: str | None) -> None:
    for name, content in (("signature", bundle), ("public_key", key)):
        form.set_input_files(f"[name={name}]", [] if content is None else [file(f"{name}.txt", content)])


def test_signature_and_key_are_sent_as_they_are(form: Page, fake: FakePlatform) -> None:
    choose(form, BUNDLE, PUBLIC)
    send(form, archive(2))
    form.wait_for_url("**/submissions/*")
    assert fake.models.signatures == [{"bundle": BUNDLE, "public_key": PUBLIC}]


def test_an_archive_goes_without_one(form: Page, fake: FakePlatform) -> None:
    send(form, archive(2))
    form.wait_for_url("**/submissions/*")
    assert fake.models.signatures == [None]


@pytest.mark.parametrize(
    ("bundle", "key", "field", "said"),
    [
        (BUNDLE, None, "public_key", "A signature needs the signer's public key."),
        (None, PUBLIC, "signature", "A public key needs its signature."),
        (BUNDLE, PRIVATE, "public_key", "This is a private key, and it was not sent."),
        (PRIVATE, PUBLIC, "signature", "This is a private key, and it was not sent."),
        (BUNDLE, "k" * 5_000_000, "public_key", "The file is too large for a public key."),
        (BUNDLE * 1_000, PUBLIC, "signature", "The file is too large for a signature."),
        (BUNDLE, "ssh-ed25519 AAAA", "public_key", "The file is not a public key in PEM."),
        ("PK\x03\x04", PUBLIC, "signature", "The file is not a signature."),
    ],
)
def test_what_is_none_is_refused_beside_its_field(
    bundle: str | None, key: str | None, field: str, said: str, form: Page, fake: FakePlatform
) -> None:
    choose(form, bundle, key)
    form.get_by_text("Signature (optional)").click()
    send(form, archive(1))
    expect(form.locator(f'[data-problem-of="{field}"]')).to_contain_text(said)
    expect(form.locator(f"[name={field}]")).to_be_focused()
    expect(form.locator(f"[name={field}]")).to_have_attribute("aria-invalid", "true")
    assert fake.models.signatures == []
    choose(form, BUNDLE, PUBLIC)
    expect(form.locator(f'[data-problem-of="{field}"]')).to_be_hidden()
    form.click("[data-archive-send]")
    form.wait_for_url("**/submissions/*")
    assert fake.models.signatures == [{"bundle": BUNDLE, "public_key": PUBLIC}]


def test_what_the_registry_refuses_of_it_is_told_beside_its_field(form: Page, fake: FakePlatform) -> None:
    fake.fail("POST", "/submissions$", 422, field="signature.public_key")
    choose(form, BUNDLE, PUBLIC)
    send(form, archive(1))
    expect(form.locator('[data-problem-of="public_key"]')).to_be_visible()
