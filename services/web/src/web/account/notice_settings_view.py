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
    "example_resolved": N_("People have checked my texts"),
    "example_decided": N_("A task's owner decided about my texts"),
    "appeal_answered": N_("My appeals are answered"),
    "example_answered": N_("A task's owner wrote to me about my texts"),
    "mentioned": N_("Somebody mentions me in a conversation about a text"),
    "weekly_summary": N_("A summary of my week, if I wrote or there are results"),
    "work_assigned": N_("A task's owner assigns work to me"),
    "validating": N_("I am paused as a checker, or may continue"),
    "round_opened": N_("A round opens in a task where I took part"),
    "round_released": N_("A round where I took part is released"),
    "goal_reached": N_("A round where I took part reaches its goal"),
    "model_checked": N_("My submitted models are checked"),
    "task_answered": N_("My request to start a task is answered"),
    "work_waits": N_("Examples need my decision"),
    "model_waits": N_("Models with code need my decision"),
    "target_lost": N_("A model in my rounds stopped answering"),
    "pay_low": N_("A campaign of mine pays too little"),
    "exclusion_appealed": N_("Somebody appeals against being excluded from paid work"),
    "task_requested": N_("People ask for the right to start a task"),
}
OWNERS_KINDS = frozenset(
    {"mentioned", "work_waits", "model_waits", "target_lost", "pay_low", "exclusion_appealed"}
)
ADMINISTRATORS_KINDS = frozenset({"task_requested"})


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


def notice_settings_view(
    settings: NoticeSettings | None, *, owns_a_task: bool, is_admin: bool
) -> NoticeSettingsView | None:
    """Return the choices, without those that only others can get; None if they can't be read."""
    if settings is None:
        return None
    others = (frozenset() if owns_a_task else OWNERS_KINDS) | (
        frozenset() if is_admin else ADMINISTRATORS_KINDS
    )
    return NoticeSettingsView(
        paces=[PaceView(name, _(words), name == settings.mail) for name, words in PACES.items()],
        kinds=[
            KindView(name, _(words), name not in settings.not_on_page, name not in settings.not_by_mail)
            for name, words in KINDS.items()
            if name not in others
        ],
        is_email_confirmed=settings.is_email_confirmed,
    )
