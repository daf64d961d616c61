"""Sign-in form, and the posted form that it keeps when a session ended before it could be sent.

The kept form is sealed: nobody else at the browser can read it, and it names its owner. After sign-in it is offered to
that owner alone, whole, and never sent by itself. A form that can't be kept whole is refused, and the page says so.
"""

import hashlib
import json
import zlib
from dataclasses import asdict, dataclass
from typing import Any

from flask import Response, request
from joserfc import jwe
from joserfc.errors import JoseError
from joserfc.jwk import OctKey

from web.kit import session
from web.kit.dependencies import dependencies, platform
from web.kit.outcomes import optional
from web.kit.problems import ProblemView
from web.kit.rendering import page
from web.kit.security import HOME, safe_return

NEVER_CARRIED = {"password", "current_password", "new_password", "token", "code", "challenge"}
LONGEST_SEALED = 600_000
"""In characters: a request that signs in may have a million bytes."""
SEAL = {"alg": "dir", "enc": "A256GCM"}


@dataclass(frozen=True)
class CarriedForm:
    """A form on its way through the sign-in form: whose it is, where it was sent, and its fields."""

    owner: str
    path: str
    fields: list[tuple[str, str]]

    def sealed(self) -> str:
        """Return the form as text that only we can read."""
        text = json.dumps(asdict(self)).encode()
        return jwe.encrypt_compact(SEAL, zlib.compress(text), _key())


def sent_form() -> str | None:
    """Return the form that this request holds, sealed; None where it can't be carried whole."""
    owner, path = request.cookies.get(session.PERSON, ""), safe_return(request.full_path.rstrip("?"))
    has_file = any(each.filename for each in request.files.values())
    if not owner or path == HOME or has_file or NEVER_CARRIED & set(request.form):
        return None
    sealed = CarriedForm(owner, path, list(request.form.items(multi=True))).sealed()
    return sealed if len(sealed) <= LONGEST_SEALED else None


def carried_form() -> CarriedForm | None:
    """Return what this request's sign-in form carries; None for nothing that we sealed."""
    try:
        opened = jwe.decrypt_compact(request.form.get("resume", ""), _key())
        found: dict[str, Any] = json.loads(zlib.decompress(opened.plaintext or b""))
    except (JoseError, TypeError, ValueError, zlib.error):
        return None
    return CarriedForm(found["owner"], found["path"], [(name, text) for name, text in found["fields"]])


def _key() -> OctKey:
    secret = f"carried forms {dependencies().settings.service_token}"
    return OctKey.import_key(hashlib.sha256(secret.encode()).digest())


def sender_address() -> str | None:
    """Return where the person is, as the edge saw it: tries are counted by it."""
    return request.headers.get("X-Forwarded-For") or request.remote_addr


def sign_in_page(
    status: int,
    return_to: str,
    carried: str | None,
    *,
    problem: ProblemView | None = None,
    user_name: str = "",
    expired: bool = False,
    is_lost: bool = False,
) -> Response:
    """Return the sign-in form, which leads to `return_to` or to the sealed form `carried`.

    `is_lost` where a form was sent that can't be carried.
    """
    return page(
        "kit/sign_in.html",
        status,
        next=return_to,
        user_name=user_name,
        problem=problem,
        expired=expired,
        is_lost=is_lost,
        resume=carried,
        issuers=optional(platform().accounts.issuers) or (),
    )
