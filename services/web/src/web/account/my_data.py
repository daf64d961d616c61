"""A person's own data: a file with all of it, and the deletion of the account."""

import json
import zipfile
from collections.abc import Iterator
from tempfile import SpooledTemporaryFile
from typing import IO

from dynabench_common.auth.permissions import Permission, requires
from flask import Blueprint, Response, request

from web.kit import session
from web.kit.dependencies import platform
from web.kit.outcomes import attempt
from web.kit.problems import ProblemView
from web.kit.rendering import download, go_to, page
from web.kit.security import HOME

ZIP = "application/zip"
IN_MEMORY = PIECE = 1 << 20

blueprint = Blueprint("my_data", __name__)


@blueprint.get("/account/data")
@requires(Permission.EXPORT_OWN_WORK)
def get_data() -> Response:
    """Send a ZIP file with what each service keeps about the person, asked with the person's own token."""
    file = SpooledTemporaryFile(IN_MEMORY)  # noqa: SIM115 - the end of the answer closes it
    try:
        _write(file)
    except BaseException:
        file.close()
        raise
    return download(_pieces(file), "my-data.zip", ZIP)


@blueprint.get("/account/deletion")
@requires(Permission.CHANGE_OWN_ACCOUNT)
def get_deletion() -> Response:
    """Name what is deleted and what stays, and ask for confirmation."""
    return _deletion_page()


@blueprint.post("/account/deletion")
@requires(Permission.CHANGE_OWN_ACCOUNT)
def post_deletion() -> Response:
    """Delete the account."""
    password, code = request.form.get("current_password", ""), request.form.get("code", "")
    withdraws = request.form.get("withdraw") == "1"
    accounts = platform().accounts
    outcome = attempt(lambda: accounts.delete_account(password, code, withdraws_texts=withdraws))
    if outcome.problem is not None:
        return _deletion_page(outcome.problem, withdraws=withdraws)
    session.end()
    return go_to(HOME, "account-deleted")


def _deletion_page(problem: ProblemView | None = None, *, withdraws: bool = False) -> Response:
    accounts = platform().accounts
    return page(
        "account/deletion.html",
        problem.status if problem else 200,
        problem=problem,
        withdraws=withdraws,
        has_password=accounts.ways_in().has_password,
        has_factor=accounts.second_factor().is_on,
    )


def _write(file: IO[bytes]) -> None:
    client = platform()
    counts = {
        "rounds": [each.model_dump(mode="json") for each in client.leaderboard.my_rounds()],
        "badges": client.leaderboard.my_badges().model_dump(mode="json"),
    }
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr("counts.json", json.dumps(counts, indent=1, ensure_ascii=False))
        for name, pieces in (
            ("examples-and-votes", client.datasets.export_own()),
            *((each.service, each.own_data()) for each in client.event_services),
        ):
            with packed.open(f"{name}.jsonl", "w") as entry:
                entry.writelines(pieces)


def _pieces(file: IO[bytes]) -> Iterator[bytes]:
    with file:
        file.seek(0)
        while piece := file.read(PIECE):
            yield piece
