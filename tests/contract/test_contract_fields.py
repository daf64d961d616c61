"""Visibility of fields: a table for all answers, and every route asked about one person and one model.

The routes are those of the published documents, so a new field or route is compared at once.
"""

import re
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any
from uuid import uuid4

import pytest
import urllib3
from dynabench_client import Dynabench
from dynabench_common.auth.permissions import ATTRIBUTE, Permission
from dynabench_common.testing import wait_until

from tests.contract.shapes import resolved
from tests.published import WITH_DOCUMENT, app_of, document_of
from tests.scenarios import PASSWORD, PRAISE, NewAnnotator, board, own_task, sign_up, vote, write

OWN_ACCOUNT = {Permission.READ_SELF, Permission.SIGN_UP}
PEOPLE = {Permission.MANAGE_PEOPLE, Permission.GRANT_ROLES}
OWN_EXAMPLES = {Permission.READ_SELF, Permission.READ_EXAMPLE} | {
    Permission.CREATE_EXAMPLE,
    Permission.CHANGE_OWN_EXAMPLE,
}
SUBMISSIONS = {Permission.SUBMIT_MODEL, Permission.DECIDE_ON_MODELS}
SERVICES = {Permission.READ_DECLARED_MODELS, Permission.START_WORKERS}
FIELDS: Mapping[str, set[Permission]] = {
    # Names and mail addresses: people see their own and those of owners, administrators see all. Owners see the names
    # of members, which they were given, and look names up.
    "user_name": OWN_ACCOUNT
    | PEOPLE
    | {Permission.READ_OWNERS, Permission.FIND_PEOPLE, Permission.MANAGE_TASK, Permission.MANAGE_GROUPS},
    "email": {Permission.READ_SELF} | PEOPLE,
    "actor_name": {Permission.READ_AUDIT},
    "disabled_by_name": PEOPLE,
    # Pseudonyms: authors and voters to owners, submitters who are named to everybody.
    "actor_id": {Permission.READ_AUDIT},
    "author_id": OWN_EXAMPLES | {Permission.MANAGE_TASK, Permission.ADJUDICATE, Permission.READ_VALIDATORS},
    "disabled_by": PEOPLE,
    "paused_by": PEOPLE,
    "person_id": OWN_ACCOUNT
    | PEOPLE
    | {Permission.READ_OWNERS, Permission.READ_PUBLIC, Permission.MANAGE_CAMPAIGNS, Permission.MANAGE_TASK}
    | {Permission.FIND_PEOPLE, Permission.MANAGE_GROUPS},
    "submitted_by": SUBMISSIONS | SERVICES | {Permission.READ_MODELS, Permission.READ_PUBLIC},
    "voter_id": {Permission.READ_RESOLUTION, Permission.READ_VALIDATORS},
    # Place and name of a running model and its archive: for services, its submitter and the deciding owners.
    "address": SERVICES,
    "file_name": SUBMISSIONS,
    "serving_name": SUBMISSIONS | SERVICES,
    "webhook": SUBMISSIONS,
    "webhook_secret": SUBMISSIONS,
    "worker_peak_bytes": SERVICES | {Permission.READ_MODELS},
}
"""Each field that names a person or a place, with the permissions of the routes that may answer it."""
TELLING = re.compile(
    r"email|account|address|socket|webhook|_by(_name)?$|(author|actor|person|user|voter|file)_"
)
HARMLESS = {
    "answered_by_all": "a number",
    "from_account": "an account of the ledger",
    "is_email_confirmed": "whether",
    "largest_author_share": "a number",
    "not_by_mail": "kinds of notices",
    "signed_by": "fingerprint of a public key",
    "to_account": "an account of the ledger",
}


@cache
def permissions(service: str) -> Mapping[tuple[str, str], Permission]:
    """Return the permission of each operation by method and path as documents write it."""
    app = app_of(service)
    return {
        (method, re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", rule.rule)): getattr(
            app.view_functions[rule.endpoint], ATTRIBUTE, Permission.READ_PUBLIC
        )
        for rule in app.url_map.iter_rules()
        for method in rule.methods or ()
    }


def names_in(schema: Any) -> Iterator[str]:
    """Yield the name of every field in a resolved schema."""
    if isinstance(schema, dict):
        yield from schema.get("properties", {})
        for each in schema.values():
            yield from names_in(each)
    elif isinstance(schema, list):
        for each in schema:
            yield from names_in(each)


def answered(service: str) -> Iterator[tuple[str, Permission, str]]:
    """Yield each route of a service with its permission and each field that it answers."""
    document = document_of(service)
    for path, operations in document["paths"].items():
        for method, operation in operations.items():
            schemas = [
                content.get("schema", {})
                for status, reply in operation["responses"].items()
                if status.startswith("2")
                for content in reply.get("content", {}).values()
            ]
            for name in set(names_in(resolved(schemas, document))):
                yield f"{method.upper()} {path}", permissions(service)[method.upper(), path], name


@pytest.mark.parametrize("service", WITH_DOCUMENT)
def test_fields_that_name_people_and_places_are_answered_as_the_table_says(service: str) -> None:
    wrong = [
        f"{route} may be asked to {permission}, and answers {name}"
        for route, permission, name in answered(service)
        if (name in FIELDS or TELLING.search(name))
        and name not in HARMLESS
        and permission not in FIELDS.get(name, ())
    ]
    assert wrong == []


VISITOR, ANNOTATOR, FOREIGN_OWNER, OWNER, ADMIN = "visitor", "annotator", "foreign owner", "owner", "admin"
BOARDS = "/leaderboard/v1/.*/people"
SEEN_AT: Mapping[str, Mapping[str, str]] = {
    "user name of the author": {ADMIN: "/accounts/v1/(people|audit)"},
    "mail address of the author": {ADMIN: "/accounts/v1/people"},
    "user name of the voter": {ADMIN: "/accounts/v1/(people|audit)"},
    "id of the author": {
        **dict.fromkeys((VISITOR, ANNOTATOR, FOREIGN_OWNER), BOARDS),
        **dict.fromkeys((OWNER, ADMIN), ""),
    },
    "id of the voter": {**dict.fromkeys((OWNER, ADMIN), "")},
    "model that is not published": {**dict.fromkeys((OWNER, ADMIN), "/registry/")},
    "file of the model": {**dict.fromkeys((OWNER, ADMIN), "/registry/")},
}
"""The roles that may read each field, with a pattern of the routes; roles without a row may read it nowhere."""


@pytest.fixture(scope="module")
def world(platform: Any) -> dict[str, Any]:
    """An example with an appeal against a vote, a model before its upload, and people who read."""
    url = platform.url
    admin = Dynabench(url, user_name="admin", password=platform.sign_ins()["admin"]["password"])
    task = own_task(url, admin, policy={"fixed": {"votes": 1, "agree": 1}})
    author, voter, reader = (sign_up(url) for _ in range(3))
    round_id = task.open_round()
    example = write(author.client, round_id, PRAISE.format("quiche"), "negative")
    vote(voter.client, round_id, {example.example_id: "positive"})
    author.client.validation.appeal(example.example_id, "It is irony.")
    model = f"hush-{uuid4().hex[:8]}"
    begun = author.client.registry.submit(task.slug, model, f"{model}-of-mine.mar", 1_000_000)
    wait_until(lambda: admin.accounts.audit(task=task.slug).items, what="the appeal in the audit log")
    wait_until(lambda: board(admin, round_id).tries == 1, what="the author on the board")
    secrets = {
        "user name of the author": author.user_name,
        "mail address of the author": author.email,
        "user name of the voter": voter.user_name,
        "id of the author": author.person_id,
        "id of the voter": voter.person_id,
        "model that is not published": model,
        "file of the model": f"{model}-of-mine.mar",
    }
    readers = {ANNOTATOR: reader, FOREIGN_OWNER: own_task(url, admin).owner, OWNER: task.owner}
    tokens = {name: _token(url, each) for name, each in readers.items()}
    password = platform.sign_ins()["admin"]["password"]
    tokens[ADMIN] = Dynabench(url).accounts.sign_in("admin", password).access_token
    known = {
        "slug": task.slug,
        "task": task.slug,
        "round_id": round_id,
        "example_id": example.example_id,
        "object_id": example.example_id,
        "person_id": author.person_id,
        "submission_id": begun.submission.submission_id,
        "name": model,
        "model": model,
        "author": "all",
        "mine": "false",
        "limit": "200",
    }
    return {"url": url, "secrets": secrets, "tokens": tokens, "known": known}


def _token(url: str, person: NewAnnotator) -> str:
    return Dynabench(url).accounts.sign_in(person.user_name, PASSWORD).access_token


def replies(world: Mapping[str, Any], token: str | None) -> Iterator[tuple[str, str, str]]:
    """Yield the answer of each reading route: its path, the request, and the text of the reply.

    Each is asked with all filters and without any.
    """
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    known = world["known"]
    for service in WITH_DOCUMENT:
        for path, operations in document_of(service)["paths"].items():
            if "get" not in operations:
                continue
            address = re.sub(r"{(\w+)}", lambda found: known.get(found[1], str(uuid4())), path)
            filters = [
                each["name"] for each in operations["get"].get("parameters", ()) if each["in"] == "query"
            ]
            wanted = {name: known[name] for name in filters if name in known}
            for fields in ({}, wanted) if wanted else ({},):
                answer = urllib3.request(
                    "GET", world["url"] + address, headers=headers, fields=fields, timeout=60
                )
                yield path, f"{address} {fields}", answer.data.decode("utf-8", "replace")


@pytest.mark.long
@pytest.mark.parametrize("reader", [VISITOR, ANNOTATOR, FOREIGN_OWNER, OWNER, ADMIN])
def test_every_route_keeps_people_and_models_from_whom_they_do_not_concern(
    world: dict[str, Any], reader: str
) -> None:
    read = list(replies(world, world["tokens"].get(reader)))
    answered_fields = {
        f"{secret}: GET {path}"
        for path, sent, text in read
        for secret, value in world["secrets"].items()
        if value in text
        and value not in sent
        and (reader not in SEEN_AT[secret] or not re.search(SEEN_AT[secret][reader], path))
    }
    assert answered_fields == set()
    if reader == ADMIN:
        everywhere = " ".join(text for *_, text in read)
        assert [secret for secret, value in world["secrets"].items() if value not in everywhere] == []
