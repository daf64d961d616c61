"""The pages as a Flask application."""

from pathlib import Path

from dynabench_common import http
from dynabench_common.settings import load
from flask import Flask
from jinja2 import StrictUndefined

from web.bootstrap import Dependencies, build_dependencies
from web.entrypoints.http import (
    account,
    assets,
    audit,
    content_notice,
    contexts,
    create,
    datasets,
    decisions,
    editor,
    errors,
    exports,
    form,
    gold,
    inspections,
    measurements,
    own_votes,
    owner_work,
    preferences,
    releases,
    rendering,
    round_actions,
    rounds,
    sandbox,
    security,
    session,
    signing,
    standing,
    standings,
    tasks,
    tries,
    validate,
    validators,
    versions,
)
from web.entrypoints.http.dependencies import provide
from web.settings import WebSettings

PACKAGE = Path(__file__).resolve().parents[2]
PAGES = (
    account,
    assets,
    audit,
    content_notice,
    contexts,
    create,
    datasets,
    decisions,
    editor,
    exports,
    gold,
    inspections,
    measurements,
    own_votes,
    owner_work,
    preferences,
    releases,
    round_actions,
    rounds,
    sandbox,
    signing,
    standing,
    standings,
    tasks,
    tries,
    validate,
    validators,
    versions,
)


def create_app(dependencies: Dependencies | None = None) -> Flask:
    """Return the application; without `dependencies` they are built from the environment."""
    needed = dependencies or build_dependencies(load(WebSettings))
    app = Flask("web", static_folder=None, template_folder="templates", root_path=str(PACKAGE))
    app.jinja_env.undefined = StrictUndefined
    http.prepare(app, verifier=needed.verifier, ready=needed.check_ready)
    provide(app, needed)
    for part in (security, form, session, rendering, errors):
        part.install(app)
    for module in PAGES:
        app.register_blueprint(module.blueprint)
    return app
