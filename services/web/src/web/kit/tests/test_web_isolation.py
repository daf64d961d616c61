"""A person's text is isolated in elements and in attributes, and says its language where the task has one."""

import pytest
from flask import Flask
from web.kit.isolation import name, names, plain, speak, text
from web.kit.language import _
from web_fake_platform import FakePlatform
from web_visiting import Visitor

ADA = '<bdi dir="auto" translate="no">Ada</bdi>'


@pytest.mark.parametrize(
    ("printed", "markup"),
    [
        (name("Ada"), ADA),
        (name("<b>"), '<bdi dir="auto" translate="no">&lt;b&gt;</bdi>'),
        (name(name("Ada")), ADA),
        (name("a\r\nb"), '<bdi dir="auto" translate="no">a&#13;\nb</bdi>'),
        (name(""), ""),
        (name(None), ""),
        (names(["Ada", "Ada"]), f"{ADA}, {ADA}"),
        (_("%(some)s & %(last)s", some=name("Ada"), last="<i>"), f"{ADA} &amp; &lt;i&gt;"),
        (plain(_("%(some)s & %(last)s", some=name("<Ada>"), last="x")), "\u2068&lt;Ada&gt;\u2069 &amp; x"),
        (plain("<plain> words"), "&lt;plain&gt; words"),
    ],
)
def test_texts_are_isolated_once_and_escaped(printed: str, markup: str) -> None:
    assert str(printed) == markup


@pytest.mark.parametrize(
    ("languages", "attributes"),
    [(("ar",), 'dir="auto" translate="no" lang="ar"'), (("en", "de"), 'dir="auto" translate="no"')],
)
def test_a_text_says_its_language_where_the_task_has_one(languages: tuple[str, ...], attributes: str) -> None:
    with Flask("pages").app_context():
        speak(languages)
        assert text("نص") == f"<bdi {attributes}>نص</bdi>"
        assert "lang" not in name("Ada")


def test_the_passage_of_a_round_is_in_the_language_of_its_task(ada: Visitor, fake: FakePlatform) -> None:
    page = ada.get(f"/rounds/{fake.loop.add('qa').round_id}/create").text
    assert 'data-passage dir="auto" translate="no" lang="en"' in page
