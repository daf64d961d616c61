"""Flash messages: confirmations of the last action, shown on the next page."""

from dataclasses import dataclass

from web.kit.language import N_, _

QUIET = {"another", "skipped", "voted", "judged"}
MESSAGES = {
    "signed-out": N_("You are signed out."),
    "starter-made": N_(
        "The starter model is being checked. After that you can choose it as a model to fool."
    ),
    "invited": N_("You are invited to play. Create an account to begin."),
    "signed-up": N_("Your account is ready. Sign in with it."),
    "form-lost": N_("Your form can't be read any more, and nothing was saved. Fill it in again."),
    "form-of-another": N_(
        "Somebody else sent a form from this browser. It was not saved, and you can't see it."
    ),
    "view-saved": N_("Your weights are saved. Their link is in the list below the board."),
    "view-deleted": N_("Your weights are deleted. Their link no longer works."),
    "board-frozen": N_("The board is frozen: this page will always show it as it is now."),
    "retracted": N_("Your text is retracted. It still counts as an attempt, but not as fooling."),
    "explained": N_("Your reasons are saved."),
    "decided": N_("Your decision is saved. It sets the verdict."),
    "described": N_("Your answers are saved."),
    "own-hidden": N_("Your text is hidden. Another owner or an administrator closes the reports about it."),
    "nickname-saved": N_("Your nickname is saved."),
    "nickname-decided": N_("The reports of this nickname are closed."),
    "nickname-shown": N_("Everybody can see the nickname again."),
    "task-asked": N_("Your request is sent. You will get a notice with the answer."),
    "task-answered": N_("Your answer is sent to the person."),
    "reported": N_("Thank you. Your report is sent."),
    "flagged": N_("Thank you, the text is reported. Here is the next one."),
    "another": N_("Here is the next text."),
    "skipped": N_("Skipped. Another person will get it."),
    "voted": N_("Your answer is saved."),
    "too-fast": N_(
        "That was quicker than anyone can read, so this vote does not count. "
        "No harm done: take your time on the next one."
    ),
    "judged": N_("Thank you. Here is the next one."),
    "undone": N_("Your answer is undone. Here is the text again."),
    "undone-for-good": N_("Your answer is undone. Another person will check that text."),
    "changed": N_("Your new answer replaces the earlier one."),
    "pause-appealed": N_("Your appeal is sent. The task's owner decides."),
    "appealed": N_("Your appeal is sent. You will see the owner's answer beside the votes."),
    "joined": N_("You are a member of this task now."),
    "member-added": N_("The person is a member now."),
    "member-removed": N_("The person is no longer a member, also in open browsers."),
    "group-added": N_("The people of the group are members now."),
    "group-removed": N_("The group is removed from the task."),
    "group-joined": N_("The person is in the group now."),
    "group-left": N_("The person is no longer in the group."),
    "group-deleted": N_("The group is deleted."),
    "invitation-withdrawn": N_("The link no longer works. Its members stay."),
    "message-sent": N_("Your message is sent."),
    "state-open": N_("The round is open."),
    "state-paused": N_("The round is paused."),
    "state-closed": N_("The round is closed."),
    "targets-changed": N_("The models are changed. The next try begins a new segment."),
    "adjudicated": N_("Your decision is saved. Here is the next example."),
    "adjudicated-last": N_("Your decision is saved. This list is empty now."),
    "reversed": N_("Your decision is undone. The votes decide again."),
    "vote-given-up": N_("You are not asked about this example any more; here is all that is said of it."),
    "duplicate-overruled": N_("The example counts as any other now."),
    "requeued": N_("The examples wait for new votes."),
    "validator-paused": N_("The person is paused and gets no more examples of this task."),
    "validator-active": N_("The person can check again. Earlier failures no longer count."),
    "work-assigned": N_("The work is assigned. The people get a notice."),
    "work-withdrawn": N_("The work is withdrawn. Texts that are done stay."),
    "work-reassigned": N_("The work is reassigned. The person gets a notice."),
    "gold-refreshed": N_("The known answers are up to date."),
    "gold-added": N_("The attention check is added."),
    "gold-retired": N_("The item is retired. Nobody gets it any more."),
    "example-reported": N_("Thank you. The task's owners read your report."),
    "example-shown": N_("Everybody can see the example again."),
    "example-hidden": N_("The example is hidden everywhere, and its reports are closed."),
    "example-still-hidden": N_("The author hides the example too, so it stays hidden."),
    "example-kept": N_("The example stays public, and its reports are closed."),
    "round-drafted": N_("The round is drafted. Add contexts to it, then open it."),
    "task-created": N_("The task is created. Draft its first round."),
    "version-saved": N_("The new version is in force."),
    "preview-empty": N_("Add contexts first. Then you can see the preview."),
    "contexts-added": N_("The contexts are added to the round."),
    "password-changed": N_("Your password is changed. Other browsers are signed out."),
    "notice-settings-saved": N_("Your choices are saved."),
    "notices-read": N_("The notices that you saw are marked as read."),
    "roles-changed": N_("The roles are changed. A removed role may still work for 15 minutes."),
    "person-disabled": N_("The account is disabled. The person sees the reason at the next sign-in."),
    "person-active": N_("The account is enabled. The person can sign in again."),
    "event-requested": N_("The event is retried in a moment."),
    "event-discarded": N_("The event is discarded. Events behind it continue."),
    "known-archive": N_("You sent this archive before. Here is its result."),
    "cancelled": N_("The submission is cancelled and does not count."),
    "runs-again": N_("The check runs again."),
    "decided-model": N_("Your decision is stored, and the submitter is told."),
    "evaluation-runs-again": N_("The evaluation is queued again. Existing answers stay."),
    "evaluation-cancelled": N_("The evaluation is cancelled. You can run it again."),
    "dataset-uploaded": N_("The items are stored. Models are scored on them automatically."),
    "card-saved": N_("The card is saved."),
    "published": N_("The model is published."),
    "withdrawn": N_("The model is withdrawn. Its scores stay."),
    "retired-model": N_("The model is retired. Its scores stay, and the submitter is told."),
    "deleted-model": N_("The model is deleted. Its scores stay."),
    "campaign-drafted": N_("The campaign is a draft. Check it, then launch it."),
    "campaign-saved": N_("The draft is saved."),
    "campaign-deleted": N_("The draft is deleted."),
    "campaign-running": N_("The campaign is running. The platform invites people."),
    "campaign-paused": N_("The campaign is paused. Nobody new can accept."),
    "campaign-ended": N_("The campaign is ended. People who work now can finish."),
    "places-added": N_("The places are added."),
    "topped-up": N_("The top-up is owed to everybody who has handed in work."),
    "assignment-approved": N_("The work is approved. Its reward is owed."),
    "assignments-approved": N_("All work that was handed in is approved. Its rewards are owed."),
    "assignment-rejected": N_("The work is rejected. The person reads your reason."),
    "assignment-screened-out": N_("The person is screened out."),
    "person-excluded": N_("The person is excluded from this task's campaigns."),
    "no-concern": N_("You found no concern. The person can work on."),
    "appeal-sent": N_("Your appeal is sent. The task's owner answers it here."),
    "payments-made": N_("The payments are on their way. The list shows which ones the platform has made."),
    "payments-listed": N_("The payments are listed. Make them, then mark each one as paid."),
    "payment-confirmed": N_("The payment is marked as paid."),
    "payment-denied": N_("The payment is marked as not paid. Its amount is owed again."),
    "second-factor-off": N_("The second factor is off. Signing in needs only the password."),
    "second-factor-reset": N_("The second factor is off. The person gets a mail."),
    "session-ended": N_("The browser is signed out."),
    "sessions-ended": N_("All other browsers are signed out."),
    "account-deleted": N_("Your account is deleted."),
    "issuer-linked": N_("The accounts are linked. You can sign in with both."),
    "issuer-unlinked": N_("The link is removed."),
    "token-revoked": N_("The token is revoked. Programs can't use it any more."),
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
