"""Pages about the site. An operator's Markdown replaces the text that the product brings."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from dynabench_common.auth.permissions import Permission, requires
from flask import Blueprint, Response, request
from markupsafe import Markup

from web.kit.dependencies import dependencies, platform
from web.kit.language import N_, _
from web.kit.markdown import render_markdown
from web.kit.operations import SERVICES
from web.kit.parallel import Part, page_reads
from web.kit.rendering import page

TITLES: Mapping[str, str] = {
    "about": N_("About Dynabench"),
    "privacy": N_("Privacy"),
    "terms": N_("Terms of use"),
    "licence": N_("Licence of what you write"),
    "contact": N_("Contact"),
    "docs": N_("Documents"),
}
MOST_READ, MOST_WORDS = 200, 10

blueprint = Blueprint("site", __name__)


@dataclass(frozen=True)
class Found:
    """A task, model or dataset that a search found."""

    address: str
    name: str
    kind: str


@blueprint.get("/<any(about, privacy, terms, licence, contact, docs):name>")
@requires(Permission.USE_PAGES)
def get_site_page(name: str) -> Response:
    """Show a page about the site: the operator's text, or the product's own."""
    return page(
        "site/page.html",
        name=name,
        title=_(TITLES[name]),
        text=_text_of_operator(name),
        services=[each for each in SERVICES if each != "crowd" or dependencies().settings.crowd_url],
    )


def _text_of_operator(name: str) -> Markup | None:
    """Return the operator's text of a page; None without one."""
    settings = dependencies().settings
    given = {
        "about": settings.site_about,
        "privacy": settings.site_privacy,
        "terms": settings.site_terms,
        "licence": settings.site_licence,
        "contact": settings.site_contact,
        "docs": settings.site_docs,
    }[name]
    return render_markdown(given) if given.strip() else None


@blueprint.get("/search")
@requires(Permission.USE_PAGES)
def get_search() -> Response:
    """List the tasks, models and datasets whose names contain all words."""
    words = request.args.get("q", "").casefold().split()[:MOST_WORDS]
    client, reads = platform(), page_reads()
    tasks = reads.read(client.annotation.tasks, limit=MOST_READ)
    models = reads.read(client.registry.published_models, limit=MOST_READ)
    datasets = reads.read(client.datasets.datasets, limit=MOST_READ)
    known = [
        *((f"/tasks/{each.slug}", each.title or each.slug, _("Task")) for each in _items(tasks)),
        *((f"/models/{each.name}", each.model or each.name, _("Model")) for each in _items(models)),
        *(
            (f"/datasets/{each.dataset_id}", each.title or each.name, _("Dataset"))
            for each in _items(datasets)
        ),
    ]
    found = [Found(*each) for each in known if words and all(word in each[1].casefold() for word in words)]
    return page("site/search.html", query=request.args.get("q", ""), found=found)


def _items(part: Part[Any]) -> Sequence[Any]:
    """Return what could be read; a service that does not answer leaves its kind out."""
    found = part.value()
    return found.items if found else ()
