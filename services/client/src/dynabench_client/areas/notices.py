"""The caller's notifications and their settings."""

from collections.abc import Iterable

from dynabench_client.connection import Area, given
from dynabench_client.results.accounts import Notices, NoticeSettings, NoticesRead, Person
from dynabench_client.results.base import Empty

ENGLISH = "en"


class NoticesClient(Area):
    """The accounts client's part for your own notices."""

    service = "accounts"

    def notices(self, *, limit: int | None = None, cursor: str | None = None) -> Notices:
        """List the caller's notifications, newest first, with the number of unread ones."""
        return self._get("/me/notices", Notices, limit=limit, cursor=cursor)

    def read_notices(self, up_to: int) -> NoticesRead:
        """Mark notifications as read up to the `position` of one; those that came or grew since then stay unread."""
        return self._post("/me/notices/read", {"up_to": up_to}, NoticesRead, idempotent=True)

    def notice_settings(self) -> NoticeSettings:
        """Return the settings of the caller's notifications."""
        return self._get("/me/notice-settings", NoticeSettings)

    def set_notice_settings(
        self,
        mail: str,
        *,
        not_on_page: Iterable[str] = (),
        not_by_mail: Iterable[str] = (),
        language: str | None = None,
    ) -> NoticeSettings:
        """Set how often mails are sent (`never`, `daily`, `weekly`), and the kinds to leave out of pages or mails.

        `language` is that of mails; without it it stays as it is.
        """
        chosen = {"mail": mail, "not_on_page": list(not_on_page), "not_by_mail": list(not_by_mail)}
        body = {**chosen, **given(language=language)}
        return self._put("/me/notice-settings", body, NoticeSettings)

    def ask_to_confirm_email(self, *, language: str = ENGLISH) -> None:
        """Send a link to your mail address. After its use, notices are mailed there."""
        self._post("/me/email-confirmation", {"language": language}, Empty)

    def unsubscribe(self, mail_token: str) -> Person:
        """End mails with notices by the token of one of them; nobody need be signed in."""
        reply = self._connection.send(
            self.service,
            "POST",
            "/unsubscriptions",
            body={"token": mail_token},
            idempotent=True,
            signed=False,
        )
        return self._result(reply, Person)
