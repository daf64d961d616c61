"""Flash messages: confirmations of the last action, shown on the next page."""

from dataclasses import dataclass

from web.kit.language import N_, _

QUIET = {"another", "skipped", "voted", "judged"}
MESSAGES = {
    "signed-out": N_("You are signed out."),
    "signed-up": N_("Your account is there. Sign in with it."),
    "form-lost": N_("What you had sent can't be read any more, and was not stored."),
    "form-of-another": N_(
        "Somebody else had sent a form from this browser. It was not stored, and it is not shown to you."
    ),
    "view-saved": N_("Your weights are saved. Their link is in the list below the board."),
    "view-deleted": N_("Your weights are deleted. Their link leads nowhere now."),
    "board-frozen": N_("The board is frozen: this page will always show it as it is now."),
    "retracted": N_("The example is retracted. Its try still counts; its fooling does not."),
    "explained": N_("Your explanation is saved."),
    "decided": N_("Your decision is stored; the verdict follows from it."),
    "described": N_("Your answers are saved."),
    "flagged": N_("Thank you, the context is reported. Here is another one."),
    "another": N_("Here is another context."),
    "skipped": N_("Skipped; another person will get it."),
    "voted": N_("Your answer is stored."),
    "too-fast": N_(
        "That was faster than anybody reads. Your answer is kept and does not count; another person is asked. "
        "Take your time."
    ),
    "judged": N_("Thank you. Here is the next one."),
    "undone": N_("Your answer is taken back. Here is the example again."),
    "undone-for-good": N_("Your answer is taken back. Another person is asked about that example."),
    "changed": N_("Your new answer stands in the place of the earlier one."),
    "pause-appealed": N_("Your appeal is sent. The task's owner reads it and decides."),
    "appealed": N_("Your appeal is sent. The owner's answer will stand beside the votes."),
    "state-open": N_("The round is open."),
    "state-paused": N_("The round is paused."),
    "state-closed": N_("The round is closed."),
    "targets-changed": N_("The targets are changed. The next try begins a new segment."),
    "adjudicated": N_("Your decision stands. Here is the next one."),
    "adjudicated-last": N_("Your decision stands. Nothing else waits in this list."),
    "reversed": N_("Your decision is taken back; the votes decide again."),
    "vote-given-up": N_("You are not asked about this example any more; here is all that is said of it."),
    "duplicate-overruled": N_("The example counts as any other now."),
    "requeued": N_("The examples wait for new votes."),
    "validator-paused": N_("The person is paused and gets no more examples of this task."),
    "validator-active": N_("The person may vote again, with a clean slate."),
    "gold-refreshed": N_("The pool is refreshed."),
    "gold-added": N_("The attention check is in the pool."),
    "gold-retired": N_("The item is shown no more."),
    "round-drafted": N_("The round is there as a draft. Give it contexts, then open it."),
    "task-created": N_("The task is there. Draft a round to begin."),
    "version-saved": N_("The new version is in force."),
    "contexts-added": N_("The contexts are in the round."),
    "password-changed": N_("Your password is changed. Other browsers are signed out."),
    "notice-settings-saved": N_("Your choices are saved."),
    "notices-read": N_("Everything you were shown is marked as read."),
    "roles-changed": N_("The roles are changed. A role that was taken away may linger for 15 minutes."),
    "person-disabled": N_("The person is out. They are told why when they try to sign in."),
    "person-active": N_("The person may sign in again."),
    "event-requested": N_("The event is sent or taken in again in a moment."),
    "event-discarded": N_("The event is given up. What waited behind it goes on."),
    "known-archive": N_("You sent this archive before. Here is what became of it."),
    "cancelled": N_("It is cancelled, and does not count."),
    "runs-again": N_("The check runs again."),
    "decided-model": N_("Your decision stands, and its submitter is told."),
    "evaluation-runs-again": N_("It is queued again. What was answered already stays."),
    "evaluation-cancelled": N_("The evaluation is ended. It can be run again."),
    "dataset-uploaded": N_("The items are stored. Models are scored on them by themselves."),
    "card-saved": N_("The card is saved."),
    "published": N_("The model is published."),
    "withdrawn": N_("The model is taken back. Its scores stay."),
    "retired-model": N_("The model is taken away. Its scores stay, and its submitter is told."),
    "deleted-model": N_("It is deleted for good. Its scores stay."),
    "token-revoked": N_("The token is revoked. Programs that use it are refused from now on."),
}


@dataclass(frozen=True)
class FlashMessage:
    """Confirmation of the last action; a quiet one is only for people who can't see that the page has changed."""

    words: str
    is_quiet: bool


def flash_message(name: str | None) -> FlashMessage | None:
    """Return the sentence for what was done before this page; nothing for a name we never gave out."""
    words = MESSAGES.get(name or "")
    return FlashMessage(_(words), name in QUIET) if words else None
