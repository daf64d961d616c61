"""Flask application of the pages: the shared kit, and every page package found next to it."""

from collections.abc import Iterator
from importlib import import_module
from pkgutil import iter_modules

from dynabench_common.http.service import prepare
from dynabench_common.settings import load
from flask import Blueprint, Flask
from jinja2 import FileSystemLoader, StrictUndefined

import web
from web.bootstrap import build_dependencies
from web.kit import (
    compression,
    errors,
    form,
    isolation,
    language,
    parallel,
    rendering,
    security,
    session,
    sub_path,
)
from web.kit.dependencies import Dependencies, provide
from web.settings import WebSettings

NOT_PAGES = {"entrypoints"}


def create_app(dependencies: Dependencies | None = None) -> Flask:
    """Return the application; without `dependencies` they are built from the environment."""
    needed = dependencies or build_dependencies(load(WebSettings))
    app = Flask("web", static_folder=None, template_folder=None)
    app.jinja_env.undefined = StrictUndefined
    app.jinja_env.loader = FileSystemLoader(list(web.__path__))
    prepare(app, verifier=needed.verifier, ready=needed.check_ready)
    provide(app, needed)
    surroundings = (security, form, session, rendering, parallel, errors)
    for part in (compression, sub_path, language, isolation, *surroundings):
        part.install(app)
    for blueprint in found_blueprints():
        app.register_blueprint(blueprint)
    return app


def found_blueprints() -> Iterator[Blueprint]:
    """Yield the blueprints of the kit and of all page packages: the `blueprint` of each module that has one."""
    for found_package in iter_modules(web.__path__):
        if found_package.ispkg and found_package.name not in NOT_PAGES:
            package = import_module(f"web.{found_package.name}")
            for module in iter_modules(package.__path__):
                found = getattr(import_module(f"{package.__name__}.{module.name}"), "blueprint", None)
                if found is not None:
                    yield found
