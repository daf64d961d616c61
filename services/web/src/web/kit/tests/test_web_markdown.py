"""Instructions come from an owner and are shown to everybody: nothing in them may act."""

import pytest
from web.kit.markdown import render_markdown


def test_text_is_marked_up() -> None:
    html = render_markdown("## Labels\n\n- **positive**: praise\n\n| a | b |\n|---|---|\n| 1 | 2 |")
    assert "<h3>Labels</h3>" in html
    assert "<li><strong>positive</strong>: praise</li>" in html
    assert "<td>2</td>" in html


@pytest.mark.parametrize(
    "text",
    [
        "<script>alert(1)</script>",
        "<img src=x onerror=alert(1)>",
        "a <b onclick=alert(1)>b</b>",
        "<!-- c --><iframe src=//evil.example></iframe>",
    ],
)
def test_html_is_shown_as_text(text: str) -> None:
    html = render_markdown(text)
    assert "<script" not in html
    assert "<img" not in html
    assert "<iframe" not in html
    assert "<b " not in html


@pytest.mark.parametrize(
    "target", ["javascript:alert(1)", "JaVaScRiPt:alert(1)", "data:text/html,x", "vbscript:x"]
)
def test_addresses_that_act_are_no_links(target: str) -> None:
    assert "href" not in render_markdown(f"[go]({target})")


def test_links_send_no_referrer() -> None:
    assert 'rel="noopener noreferrer nofollow"' in render_markdown("[go](https://example.org)")


def test_images_are_not_loaded() -> None:
    assert "<img" not in render_markdown("![a picture](https://example.org/a.png)")


def test_headings_sink_below_the_page_and_stop_at_six() -> None:
    html = render_markdown("# one\n\n###### six")
    assert "<h2>one</h2>" in html
    assert "<h6>six</h6>" in html
