"""Texts of mails. They go through the catalogues of this service; the English text is the key."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from urllib.parse import urlencode

from dynabench_common.identifiers import new_id

from accounts.domain.link import LIFETIME
from accounts.domain.person import Person
from accounts.mail.domain import Mail, write
from accounts.mail.texts import N_, CatalogueTexts

PASSWORD_PAGE = "/new-password"  # noqa: S105 - the address of a page
EMAIL_PAGE = "/confirm-email"

NEW_PASSWORD = (
    N_("Choose a new password for Dynabench"),
    N_(
        "Hello %(user_name)s,\n\n"
        "somebody, probably you, asked for a new password for your account at %(origin)s.\n"
        "Choose it here within an hour. The link works once:\n\n"
        "%(link)s\n\n"
        "If it was not you, do nothing. Your password stays the same.\n"
    ),
)
NEW_PASSWORDS = (
    NEW_PASSWORD[0],
    N_(
        "Hello,\n\n"
        "somebody, probably you, asked for a new password at %(origin)s. Several accounts there have this address.\n"
        "Choose it within an hour for the account that you mean. Each link works once:\n\n"
        "%(link)s\n\n"
        "If it was not you, do nothing. All passwords stay the same.\n"
    ),
)
PASSWORD_CHANGED = (
    N_("Your password for Dynabench was changed"),
    N_(
        "Hello %(user_name)s,\n\n"
        "the password of your account at %(origin)s was changed. Other browsers were signed out.\n\n"
        "If it was not you, choose a new password at once:\n\n"
        "%(link)s\n"
    ),
)
CONFIRM_EMAIL = (
    N_("Confirm your e-mail address for Dynabench"),
    N_(
        "Hello %(user_name)s,\n\n"
        "somebody, probably you, entered this e-mail address for your account at %(origin)s.\n"
        "Confirm it here within an hour. The link works once:\n\n"
        "%(link)s\n\n"
        "If it was not you, do nothing. We will not use the address.\n"
    ),
)
EMAIL_CHANGED = (
    N_("Your e-mail address for Dynabench was changed"),
    N_(
        "Hello %(user_name)s,\n\n"
        "the e-mail address of your account at %(origin)s was changed. We send no more mail to this address.\n\n"
        "If it was not you, write to the administrators at once.\n"
    ),
)
ISSUER_LINKED = (
    N_("You can sign in to Dynabench with another account"),
    N_(
        "Hello %(user_name)s,\n\n"
        "your account at %(origin)s was linked to an account at %(issuer)s. You can sign in with it now.\n\n"
        "If it was not you, remove the link on the page of your account, and choose a new password at once:\n\n"
        "%(link)s\n"
    ),
)
SECOND_FACTOR_ON = (
    N_("Your account for Dynabench has a second factor"),
    N_(
        "Hello %(user_name)s,\n\n"
        "signing in to your account at %(origin)s now needs a code of your app. Other browsers were signed out.\n\n"
        "If it was not you, write to the administrators at once.\n"
    ),
)
SECOND_FACTOR_OFF = (
    N_("Your account for Dynabench has no second factor any more"),
    N_(
        "Hello %(user_name)s,\n\n"
        "signing in to your account at %(origin)s needs no code any more.\n\n"
        "If it was not you, choose a new password at once:\n\n"
        "%(link)s\n"
    ),
)


@dataclass(frozen=True)
class Letters:
    """Writes mails that lead to the pages at `origin`."""

    origin: str
    texts: CatalogueTexts

    def new_password(self, secrets: Sequence[tuple[Person, str]], language: str, now: datetime) -> Mail:
        """Return the one mail to an address with the link of each of its accounts to choose a new password by."""
        links = [(person, self._page(PASSWORD_PAGE, token=secret)) for person, secret in secrets]
        person, link = links[0]
        texts = NEW_PASSWORD
        if len(links) > 1:
            texts, link = NEW_PASSWORDS, "\n\n".join(f"{each.user_name}:\n{page}" for each, page in links)
        subject, body = self._said(texts, person, language, link)
        return write(new_id(), person.email, subject, body, now, LIFETIME)

    def password_changed(self, person: Person, language: str, now: datetime) -> Mail:
        """Return the notice that the password is another one."""
        subject, body = self._said(PASSWORD_CHANGED, person, language, self._page("/forgotten-password"))
        return write(new_id(), person.email, subject, body, now)

    def confirm_email(self, person: Person, email: str, secret: str, language: str, now: datetime) -> Mail:
        """Return the mail to a new address with the link that confirms it."""
        link = self._page(EMAIL_PAGE, token=secret)
        subject, body = self._said(CONFIRM_EMAIL, person, language, link)
        return write(new_id(), email, subject, body, now, LIFETIME)

    def email_changed(self, person: Person, old: str, language: str, now: datetime) -> Mail:
        """Return the notice to the address that a person had before."""
        subject, body = self._said(EMAIL_CHANGED, person, language, "")
        return write(new_id(), old, subject, body, now)

    def issuer_linked(self, person: Person, issuer: str, language: str, now: datetime) -> Mail:
        """Return the notice that an issuer was linked."""
        link = self._page("/forgotten-password")
        subject, body = self._said(ISSUER_LINKED, person, language, link, issuer=issuer)
        return write(new_id(), person.email, subject, body, now)

    def second_factor_on(self, person: Person, language: str, now: datetime) -> Mail:
        """Return the notice that sign-in needs a code."""
        subject, body = self._said(SECOND_FACTOR_ON, person, language, "")
        return write(new_id(), person.email, subject, body, now)

    def second_factor_off(self, person: Person, language: str, now: datetime) -> Mail:
        """Return the notice that sign-in needs no code any more."""
        subject, body = self._said(SECOND_FACTOR_OFF, person, language, self._page("/forgotten-password"))
        return write(new_id(), person.email, subject, body, now)

    def _page(self, path: str, **query: str) -> str:
        return self.origin.rstrip("/") + path + (f"?{urlencode(query)}" if query else "")

    def _said(
        self, texts: tuple[str, str], person: Person, language: str, link: str, **more: str
    ) -> tuple[str, str]:
        filled = {"user_name": person.user_name, "origin": self.origin, "link": link, **more}
        subject, body = (self.texts.say(language, text) % filled for text in texts)
        return subject, body
