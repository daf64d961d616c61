"""A plain link: any platform that sends people to an address with an id, and takes them back with a code.

Platforms of this kind are configuration: names of the parameters, and a template of the address back. The owner starts
and ends recruiting on the platform, and pays there. A platform with a shared secret may sign its links.
"""

import hashlib
import hmac
import re
import time
from collections.abc import Mapping, Sequence
from string import Formatter
from typing import Literal
from urllib.parse import quote, urlencode, urlsplit

from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator

from crowd.adapters.platforms.configuration import Currency, PlatformConfiguration, SecretFile
from crowd.domain.platforms import (
    Entry,
    EntryOver,
    EntryRefused,
    Payment,
    Refused,
    RejectionCategory,
    Study,
    Submission,
)

CODE = "code"
LONGEST_ID = 200
PLACEHOLDER = re.compile(r"[A-Za-z_][A-Za-z0-9_-]*")
AGAIN = "Open the study on your platform again"


class LinkParameters(BaseModel):
    """Names of the parameters in the platform's links."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    worker: str = Field(min_length=1)
    session: str | None = None
    study: str | None = None
    expires: str | None = None
    signature: str | None = None


class LinkConfiguration(PlatformConfiguration):
    """Settings of a platform with plain links."""

    kind: Literal["link"]
    currencies: tuple[Currency, ...] = Field(min_length=1)
    parameters: LinkParameters
    return_address: str | None = None
    secret_file: SecretFile | None = None

    @field_validator("return_address")
    @classmethod
    def _host_is_fixed(cls, template: str | None) -> str | None:
        """Refuse a template whose host depends on a parameter: a worker could choose where the page leads."""
        if template is None:
            return None
        parts = urlsplit(template)
        if parts.scheme not in {"https", "http"} or not parts.netloc or "{" in parts.netloc:
            raise ValueError("must begin with https:// and a host. Put {code} and parameters behind the host")
        try:
            placeholders = _placeholders(template)
        except ValueError as err:
            raise ValueError(f"has a brace without its partner ({err}). Write {{code}}") from err
        if not all(PLACEHOLDER.fullmatch(each) for each in placeholders):
            raise ValueError("has an unusable name in braces. Write {code}, or the name of a parameter")
        return template

    @model_validator(mode="after")
    def _signature_is_whole(self) -> "LinkConfiguration":
        """Refuse a signature without a secret, an expiry, or the campaign that it holds for."""
        names = self.parameters
        parts = (self.secret_file, names.signature, names.expires, names.study)
        is_signed = self.secret_file is not None or names.signature is not None
        if is_signed and None in parts:
            raise ValueError(
                "a signed link needs secret_file and the parameters signature, expires and study. "
                "Give all four, or neither secret_file nor signature"
            )
        return self


class PlainLink:
    """One platform with plain links. People count as proved only if it signs its links."""

    pays = False
    pays_once = False
    is_test = False

    def __init__(self, configuration: LinkConfiguration) -> None:
        self.name = configuration.name
        self.title = configuration.title
        self.currencies: Sequence[str] = configuration.currencies
        self._names = configuration.parameters
        self._template = configuration.return_address
        secret = configuration.secret_file
        self._secret = secret.get_secret_value().encode() if secret else None
        self.proves_people = self._secret is not None

    def find_study(self, campaign_id: str) -> str | None:
        """Return the campaign's id: the owner makes the study on the platform by hand."""
        return campaign_id

    def create_study(self, study: Study) -> str:
        """Return the campaign's id."""
        return study.campaign_id

    def study_url(self, study_id: str) -> str | None:
        """Return None: nothing is known of the study on the platform."""
        return None

    def publish(self, study_id: str) -> None:
        """Do nothing: the owner recruits on the platform."""

    def pause(self, study_id: str) -> None:
        """Do nothing: the campaign itself takes nobody in."""

    def is_paused(self, study_id: str) -> bool:
        """Return False: nobody can ask the platform."""
        return False

    def stop(self, study_id: str) -> None:
        """Do nothing."""

    def set_places(self, study_id: str, places: int) -> None:
        """Do nothing: the campaign itself counts places."""

    def cost_minor(self, reward_minor: int, places: int, currency: str) -> int:
        """Return the rewards alone: fees of the platform are not known."""
        return reward_minor * places

    def check_entry(self, parameters: Mapping[str, str]) -> Entry:
        """Read the ids of the link, and check its signature if the platform signs.

        The study is empty if the link names none. Without a session the worker's id stands in its place.
        """
        names = self._names
        worker = _id(parameters, names.worker)
        session = _id(parameters, names.session) if names.session else worker
        study = _id(parameters, names.study) if names.study else ""
        if self._secret is not None:
            self._check_signature(parameters, self._secret)
        for each in _placeholders(self._template or "") - {CODE}:
            _id(parameters, each)
        entry = Entry(study, worker, session, is_proved=self.proves_people)
        if self._has_expired(parameters):
            raise EntryOver(f"it has expired. {AGAIN}", entry)
        return entry

    def back_url(
        self, study_id: str, submission_id: str, code: str, parameters: Mapping[str, str]
    ) -> str | None:
        """Return the template with the code and the entry's parameters."""
        if self._template is None:
            return None
        values = {
            CODE: code,
            **{name: parameters.get(name, "") for name in _placeholders(self._template) - {CODE}},
        }
        return self._template.format(**{name: quote(value, safe="") for name, value in values.items()})

    def submissions(self, study_id: str) -> Sequence[Submission]:
        """Return nothing: the platform can't be asked."""
        return ()

    def approve(self, study_id: str, submission_ids: Sequence[str]) -> None:
        """Do nothing: the owner approves and pays on the platform."""

    def reject(self, study_id: str, submission_id: str, category: RejectionCategory, reason: str) -> None:
        """Do nothing: the owner rejects on the platform."""

    def prepare(self, payments: Sequence[Payment]) -> str:
        """Refuse: the owner pays by hand."""
        raise Refused(f"{self.title} is paid by hand")

    def pay(self, reference: str, payments: Sequence[Payment]) -> None:
        """Refuse: the owner pays by hand."""
        raise Refused(f"{self.title} is paid by hand")

    def bonuses(self, study_id: str, submission_ids: Sequence[str]) -> Mapping[str, Sequence[int]]:
        """Return nothing: the platform can't be asked."""
        return {}

    def read_notice(self, headers: Mapping[str, str], body: bytes) -> str | None:
        """Refuse: the platform sends no webhooks."""
        raise EntryRefused(f"{self.title} sends no webhooks")

    def _check_signature(self, parameters: Mapping[str, str], secret: bytes) -> None:
        names = self._names
        signed = {
            name: parameters.get(name, "")
            for name in (names.worker, names.session, names.study, names.expires)
            if name is not None
        }
        given = parameters.get(names.signature or "", "").lower().encode()
        if not hmac.compare_digest(signature(signed, secret).encode(), given):
            raise EntryRefused(f"it was changed, or your platform did not sign it. {AGAIN}")

    def _has_expired(self, parameters: Mapping[str, str]) -> bool:
        if self._secret is None:
            return False
        expires = parameters.get(self._names.expires or "", "")
        return not (expires.isascii() and expires.isdecimal()) or int(expires) < time.time()


def signature(signed: Mapping[str, str], secret: bytes) -> str:
    """Return the hexadecimal HMAC-SHA256 of the parameters as a query, sorted by name."""
    return hmac.new(secret, urlencode(sorted(signed.items())).encode(), hashlib.sha256).hexdigest()


def _id(parameters: Mapping[str, str], name: str) -> str:
    value = parameters.get(name, "")
    if not value:
        raise EntryRefused(f"it lacks the parameter {name}. {AGAIN}")
    if len(value) > LONGEST_ID or not value.isprintable():
        raise EntryRefused(
            f"its parameter {name} is longer than {LONGEST_ID} characters, or unreadable. {AGAIN}"
        )
    return value


def _placeholders(template: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(template) if name is not None}
