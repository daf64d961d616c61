"""View of the notification settings, for the form on the account page."""

from collections.abc import Mapping
from dataclasses import dataclass

from dynabench_client.results.accounts import NoticeSettings

from web.kit.language import N_, _

PACES: Mapping[str, str] = {
    "daily": N_("At most once a day"),
    "weekly": N_("At most once a week"),
    "never": N_("Never"),
}
KINDS: Mapping[str, str] = {
    "example_resolved": N_("Others have checked my examples"),
    "example_decided": N_("A task's owner decided on my examples"),
    "appeal_answered": N_("My appeals are answered"),
    "validating": N_("My checking of examples is paused, or goes on"),
    "round_opened": N_("A round opens in a task in which I took part"),
    "round_released": N_("A round in which I took part is released"),
    "goal_reached": N_("A round in which I took part reaches its goal"),
    "model_checked": N_("My submitted models are checked"),
    "work_waits": N_("Examples wait for my decision"),
    "model_waits": N_("Models with code wait for my decision"),
    "target_lost": N_("A target of my rounds stopped answering"),
}
OWNERS_KINDS = ("work_waits", "model_waits", "target_lost")


@dataclass(frozen=True)
class PaceView:
    """Highest frequency of mails."""

    name: str
    words: str
    is_chosen: bool


@dataclass(frozen=True)
class KindView:
    """A kind of notification, on pages and by mail."""

    name: str
    words: str
    on_page: bool
    by_mail: bool


@dataclass(frozen=True)
class NoticeSettingsView:
    """All choices."""

    paces: list[PaceView]
    kinds: list[KindView]
    is_email_confirmed: bool


def notice_settings_view(settings: NoticeSettings | None, *, owns_a_task: bool) -> NoticeSettingsView | None:
    """Return the choices, without those only for owners; None if they can't be read."""
    if settings is None:
        return None
    return NoticeSettingsView(
        paces=[PaceView(name, _(words), name == settings.mail) for name, words in PACES.items()],
        kinds=[
            KindView(name, _(words), name not in settings.not_on_page, name not in settings.not_by_mail)
            for name, words in KINDS.items()
            if owns_a_task or name not in OWNERS_KINDS
        ],
        is_email_confirmed=settings.is_email_confirmed,
    )
