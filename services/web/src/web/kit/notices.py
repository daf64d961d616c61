"""What was just done, as the page after it says."""

from dataclasses import dataclass

QUIET = {"another", "skipped", "voted", "judged"}
NOTICES = {
    "signed-out": "You are signed out.",
    "signed-up": "Your account is there. Sign in with it.",
    "retracted": "The example is retracted. Its try still counts; its fooling does not.",
    "explained": "Your explanation is saved.",
    "decided": "Your decision is stored; the verdict follows from it.",
    "described": "Your answers are saved.",
    "flagged": "Thank you, the context is reported. Here is another one.",
    "another": "Here is another context.",
    "skipped": "Skipped; another person will get it.",
    "voted": "Your answer is stored.",
    "judged": "Thank you. Here is the next one.",
    "undone": "Your answer is taken back. Here is the example again.",
    "changed": "Your new answer stands in the place of the earlier one.",
    "pause-appealed": "Your appeal is sent. The task's owner reads it and decides.",
    "appealed": "Your appeal is sent. The owner's answer will stand beside the votes.",
    "state-open": "The round is open.",
    "state-paused": "The round is paused.",
    "state-closed": "The round is closed.",
    "targets-changed": "The targets are changed. The next try begins a new segment.",
    "adjudicated": "Your decision stands. Here is the next one.",
    "adjudicated-last": "Your decision stands. Nothing else waits in this list.",
    "reversed": "Your decision is taken back; the votes decide again.",
    "requeued": "The examples wait for new votes.",
    "validator-paused": "The person is paused and gets no more examples of this task.",
    "validator-active": "The person may vote again, with a clean slate.",
    "gold-refreshed": "The pool is refreshed.",
    "gold-added": "The attention check is in the pool.",
    "gold-retired": "The item is shown no more.",
    "round-drafted": "The round is there as a draft. Give it contexts, then open it.",
    "task-created": "The task is there. Draft a round to begin.",
    "version-saved": "The new version is in force.",
    "contexts-added": "The contexts are in the round.",
    "token-revoked": "The token is revoked. Programs that use it are refused from now on.",
}


@dataclass(frozen=True)
class NoticeView:
    """What was just done; a quiet one is only told to who can't see that the page has changed."""

    words: str
    is_quiet: bool


def notice(name: str | None) -> NoticeView | None:
    """Return the sentence for what was done before this page; nothing for a name we never gave out."""
    words = NOTICES.get(name or "")
    return NoticeView(words, name in QUIET) if words else None
