"""Administration of people, and your own password and mail address."""

from collections.abc import Iterable

from dynabench_client.connection import Area, segment
from dynabench_client.results.accounts import (
    AppSetup,
    HiddenNickname,
    KnownPerson,
    ListedPerson,
    MailCounts,
    NamedPerson,
    NewPasswordChosen,
    Nickname,
    NicknameReport,
    OpenTaskRequest,
    OwnEmail,
    OwnNickname,
    OwnSession,
    OwnTaskRequest,
    PeopleCounts,
    Person,
    RecoveryCodes,
    SecondFactor,
    TaskRequest,
)
from dynabench_client.results.base import Empty, Page

ENGLISH = "en"


def forwarded(address: str | None) -> dict[str, str]:
    """Return the header that names whose tries are counted, where a program acts for people elsewhere."""
    return {} if address is None else {"X-Forwarded-For": address}


class PeopleClient(Area):
    """The part of the accounts service's client that is about people.

    `language` is that of mails; without a catalogue they are in English.
    """

    service = "accounts"

    def people(
        self,
        *,
        user_name: str | None = None,
        search: str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> Page[ListedPerson]:
        """List people, or those with `search` in user name or mail address; for administrators."""
        return self._get(
            "/people", Page[ListedPerson], user_name=user_name, search=search, limit=limit, cursor=cursor
        )

    def person(self, person_id: str) -> KnownPerson:
        """Return what is known of a person; for administrators."""
        return self._get(f"/people/{segment(person_id)}", KnownPerson)

    def people_counts(self) -> PeopleCounts:
        """Count people; for administrators."""
        return self._get("/people/counts", PeopleCounts)

    def named(self, user_names: Iterable[str]) -> tuple[NamedPerson, ...]:
        """Return the people with these user names, up to 100; unknown ones are left out. For owners."""
        return self._list("/people/named", NamedPerson, user_name=list(user_names))

    def nicknames(self, person_ids: Iterable[str]) -> tuple[Nickname, ...]:
        """Return the nicknames of up to 200 people; people without a shown one are left out."""
        return self._list("/nicknames", Nickname, person_id=list(person_ids))

    def my_nickname(self) -> OwnNickname:
        """Return your own nickname."""
        return self._get("/me/nickname", OwnNickname)

    def set_nickname(self, nickname: str) -> OwnNickname:
        """Choose the nickname by which others see you; an empty one removes it."""
        return self._put("/me/nickname", {"nickname": nickname}, OwnNickname)

    def report_nickname(self, person_id: str, reason: str) -> None:
        """Report a nickname to the administrators."""
        self._post(f"/people/{segment(person_id)}/nickname-reports", {"reason": reason}, Empty)

    def nickname_reports(self) -> tuple[NicknameReport, ...]:
        """List the reported nicknames; for administrators."""
        return self._list("/nickname-reports", NicknameReport)

    def hidden_nicknames(
        self, *, limit: int | None = None, cursor: str | None = None
    ) -> Page[HiddenNickname]:
        """List the hidden nicknames; for administrators."""
        return self._get("/hidden-nicknames", Page[HiddenNickname], limit=limit, cursor=cursor)

    def set_nickname_state(self, person_id: str, state: str, reason: str) -> None:
        """Hide a nickname (`hidden`) or show it again (`shown`); for administrators."""
        body = {"state": state, "reason": reason}
        self._put(f"/people/{segment(person_id)}/nickname-state", body, Empty)

    def my_task_request(self) -> TaskRequest | None:
        """Return your last request for the right to start a task; None without one."""
        return self._get("/me/task-request", OwnTaskRequest).request

    def ask_for_task(self, task_slug: str, reason: str) -> TaskRequest | None:
        """Ask the administrators for the right to start a task with this address."""
        body = {"task_slug": task_slug, "reason": reason}
        return self._put("/me/task-request", body, OwnTaskRequest).request

    def task_requests(self) -> tuple[OpenTaskRequest, ...]:
        """List the open requests for the right to start a task, oldest first; for administrators."""
        return self._list("/task-requests", OpenTaskRequest)

    def answer_task_request(self, person_id: str, task_slug: str, state: str, answer: str) -> None:
        """Grant (`granted`) or refuse (`refused`) a person's request, with a sentence; for administrators."""
        body = {"task_slug": task_slug, "state": state, "answer": answer}
        self._put(f"/people/{segment(person_id)}/task-request", body, Empty)

    def set_roles(self, person_id: str, roles: Iterable[str]) -> Person:
        """Replace a person's roles; for administrators."""
        return self._put(f"/people/{segment(person_id)}/roles", {"roles": list(roles)}, Person)

    def change_roles(
        self, person_id: str, *, grant: Iterable[str] = (), revoke: Iterable[str] = (), reason: str = ""
    ) -> KnownPerson:
        """Give roles and take others away, whatever else the person holds; for administrators."""
        body = {"grant": list(grant), "revoke": list(revoke), "reason": reason}
        return self._post(f"/people/{segment(person_id)}/role-changes", body, KnownPerson)

    def reset_second_factor(self, person_id: str, reason: str) -> None:
        """Turn off the lost second factor of a person; for administrators."""
        self._post(f"/people/{segment(person_id)}/second-factor-reset", {"reason": reason}, Empty)

    def second_factor(self) -> SecondFactor:
        """Return whether your sign-in needs a code."""
        return self._get("/me/second-factor", SecondFactor)

    def start_second_factor(self, current_password: str) -> AppSetup:
        """Get a secret for an authenticator app."""
        return self._post("/me/second-factor", {"current_password": current_password}, AppSetup)

    def confirm_second_factor(self, code: str, *, language: str = ENGLISH) -> tuple[str, ...]:
        """Confirm the app with its first code, and return the recovery codes; your other sessions end."""
        return self._put("/me/second-factor", {"code": code, "language": language}, RecoveryCodes).codes

    def renew_recovery_codes(self, code: str) -> tuple[str, ...]:
        """Return new recovery codes; the old ones end."""
        return self._post("/me/recovery-codes", {"code": code}, RecoveryCodes).codes

    def remove_second_factor(self, current_password: str, code: str, *, language: str = ENGLISH) -> None:
        """Turn your second factor off."""
        body = {"current_password": current_password, "code": code, "language": language}
        self._post("/me/second-factor/removal", body, Empty)

    def my_sessions(self) -> tuple[OwnSession, ...]:
        """List your running sessions: the current one, then those used last."""
        return self._list("/me/sessions", OwnSession)

    def end_session(self, session_id: str) -> None:
        """End one of your sessions."""
        self._delete(f"/me/sessions/{segment(session_id)}", Empty)

    def end_other_sessions(self) -> None:
        """End all your sessions except the current one."""
        self._delete("/me/sessions", Empty)

    def set_person_state(self, person_id: str, state: str, reason: str) -> KnownPerson:
        """Keep a person out (`disabled`) or let them in again (`active`); for administrators."""
        body = {"state": state, "reason": reason}
        return self._put(f"/people/{segment(person_id)}/state", body, KnownPerson)

    def mail_counts(self) -> MailCounts:
        """Count the mails that wait and those that were given up."""
        return self._get("/mails/counts", MailCounts)

    def email(self) -> str:
        """Return your mail address."""
        return self._get("/me/email", OwnEmail).email

    def delete_account(self, current_password: str, code: str = "", *, withdraws_texts: bool) -> None:
        """Delete your account; `code` is of the second factor, if there is one."""
        body = {"current_password": current_password, "code": code, "withdraws_texts": withdraws_texts}
        self._post("/me/deletion", body, Empty)

    def change_password(self, current_password: str, new_password: str, *, language: str = ENGLISH) -> None:
        """Change your password; your other sessions end."""
        body = {"current_password": current_password, "new_password": new_password, "language": language}
        self._put("/me/password", body, Empty)

    def change_email(self, email: str, current_password: str, *, language: str = ENGLISH) -> None:
        """Send a link to another mail address, which becomes yours when the link is used."""
        body = {"email": email, "current_password": current_password, "language": language}
        self._post("/me/email-changes", body, Empty)

    def confirm_email(self, link_token: str, *, language: str = ENGLISH) -> Person:
        """Use the link to a new mail address."""
        body = {"token": link_token, "language": language}
        reply = self._connection.send(self.service, "POST", "/email-confirmations", body=body, signed=False)
        return self._result(reply, Person)

    def ask_for_new_password(
        self, email: str, *, language: str = ENGLISH, address: str | None = None
    ) -> None:
        """Request a mail with a link to a new password; the answer does not say whether an account has this address.

        `address` is the person's network address for the rate limit, if a program acts for people elsewhere.
        """
        body = {"email": email, "language": language}
        self._connection.send(
            self.service, "POST", "/password-resets", body=body, headers=forwarded(address), signed=False
        )

    def choose_new_password(
        self, link_token: str, password: str, *, language: str = ENGLISH
    ) -> NewPasswordChosen:
        """Choose a new password by the link of a mail; all sessions end."""
        body = {"token": link_token, "password": password, "language": language}
        reply = self._connection.send(self.service, "POST", "/new-passwords", body=body, signed=False)
        return self._result(reply, NewPasswordChosen)
