"""The text of a digest mail: one line for each notice, where to look, and how to unsubscribe."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from urllib.parse import urlencode

from babel.numbers import get_currency_precision
from dynabench_common.identifiers import new_id

from accounts.mail.domain import Mail, write
from accounts.mail.texts import N_, CatalogueTexts
from accounts.notifications.domain.notices import NamedNotice, NoticeKind

MOST_LINES = 20
UNSUBSCRIBE_PAGE = "/unsubscribe"

SUBJECT = N_("What is new on Dynabench")
GREETING = N_("Hello %(user_name)s,\n\nhere is your news from %(origin)s:\n")
MORE = N_("And %(number)s more.")
ENDING = N_(
    "All notices: %(all)s\n"
    "Choose what you get by mail: %(settings)s\n"
    "Stop these mails with one click: %(unsubscribe)s\n"
)
SOMEWHERE = N_("a round")
ROUND = N_("%(task)s, round %(number)s")
SENTENCES: Mapping[NoticeKind, str] = {
    NoticeKind.EXAMPLE_RESOLVED: N_("%(where)s: people have checked your texts. %(counts)s"),
    NoticeKind.EXAMPLE_DECIDED: N_("%(where)s: the task's owner decided about your texts. %(counts)s"),
    NoticeKind.APPEAL_ANSWERED: N_("%(where)s: your appeals are answered. %(counts)s"),
    NoticeKind.EXAMPLE_ANSWERED: N_("%(where)s: the task's owners wrote to you about your texts."),
    NoticeKind.MENTIONED: N_("%(where)s: you are mentioned in a conversation about a text."),
    NoticeKind.WEEKLY_SUMMARY: N_("Your last week. %(counts)s"),
    NoticeKind.WORK_ASSIGNED: N_("%(where)s: the task's owners assigned work to you. %(counts)s"),
    NoticeKind.ROUND_OPENED: N_("%(where)s is open. Play, or check texts of others."),
    NoticeKind.ROUND_RELEASED: N_("%(where)s, where you took part, is released as a dataset."),
    NoticeKind.GOAL_REACHED: N_(
        "%(where)s has reached its goal of confirmed errors. Thank you for your part in it."
    ),
    NoticeKind.WORK_WAITS: N_("%(where)s: examples wait for your decision. %(counts)s"),
    NoticeKind.MODEL_WAITS: N_("%(where)s: the model %(model)s contains code and waits for your decision."),
    NoticeKind.PAY_LOW: N_(
        "%(where)s: a campaign pays %(hourly)s an hour, less than the floor of %(floor)s. "
        "To reach it, add %(top_up)s to each assignment."
    ),
    NoticeKind.EXCLUSION_APPEALED: N_("%(where)s: a person appeals against being excluded from paid work."),
    NoticeKind.TASK_REQUESTED: N_("People ask for the right to start a task. %(counts)s"),
}
TASK_ANSWERS: Mapping[str, str] = {
    "granted": N_("%(where)s: an administrator gave you the right to start this task."),
    "refused": N_("%(where)s: an administrator refused your request to start this task. The page says why."),
}
VALIDATING: Mapping[str, str] = {
    "paused": N_("%(where)s: the task's owner paused you as a checker. You can appeal there."),
    "resumed": N_("%(where)s: you can check texts again."),
}
MODELS: Mapping[str, str] = {
    "model_waits": N_("%(where)s: your model %(model)s contains code, so the task's owner must decide."),
    "model_deployed": N_("%(where)s: your model %(model)s passed all checks and is ready."),
    "model_refused": N_(
        "%(where)s: your model %(model)s did not pass a check. The page says why and what to do."
    ),
    "model_failed": N_(
        "%(where)s: a check of your model %(model)s failed on our side. It does not count; run it again later."
    ),
    "model_declined": N_("%(where)s: the task's owner declined your model %(model)s. The page says why."),
    "model_retired": N_("%(where)s: the task's owner retired your model %(model)s. The page says why."),
}
TARGETS: Mapping[str, str] = {
    "target_removed": N_(
        "%(where)s: the model %(model)s stopped answering and was removed. The round continues without it."
    ),
    "round_paused": N_("%(where)s: the model %(model)s stopped answering. The round needs it and is paused."),
}
BY_OUTCOME: Mapping[NoticeKind, Mapping[str, str]] = {
    NoticeKind.TARGET_LOST: TARGETS,
    NoticeKind.VALIDATING: VALIDATING,
    NoticeKind.MODEL_CHECKED: MODELS,
    NoticeKind.TASK_ANSWERED: TASK_ANSWERS,
}
"""Sentences of kinds that say something else for each outcome."""
TASK_PAGES: Mapping[NoticeKind, str] = {
    NoticeKind.TASK_REQUESTED: "/people#task-requests",
    NoticeKind.TASK_ANSWERED: "/tasks/new",
}
"""Pages of the right to start a task."""
ABOUT_ROUNDS = frozenset(
    {NoticeKind.ROUND_OPENED, NoticeKind.ROUND_RELEASED, NoticeKind.GOAL_REACHED, NoticeKind.WORK_WAITS}
)
OUTCOMES: Mapping[str, str] = {
    "correct": N_("People agree with you: %(number)s."),
    "incorrect": N_("People disagree with you: %(number)s."),
    "flagged": N_("Found unfit: %(number)s."),
    "disputed": N_("No agreement: %(number)s."),
    "no_claim": N_("People agree on an answer: %(number)s."),
    "asked_anew": N_("Other people are asked: %(number)s."),
    "appealed": N_("Appeals: %(number)s."),
    "question": N_("Questions of authors: %(number)s."),
    "asked": N_("Requests: %(number)s."),
    "tries": N_("Texts that you wrote: %(number)s."),
    "fooled": N_("Fooled a model: %(number)s."),
    "confirmed": N_("Confirmed errors: %(number)s."),
    "answered": N_("Answers of owners: %(number)s."),
    "create": N_("Texts to write: %(number)s."),
    "validate": N_("Texts to check: %(number)s."),
}


@dataclass(frozen=True)
class Reader:
    """The recipient of the mail, and the token to unsubscribe."""

    user_name: str
    email: str
    language: str
    unsubscribe_token: str


@dataclass(frozen=True)
class DigestLetters:
    """Writes mails with notices that lead to the pages at `origin`."""

    origin: str
    texts: CatalogueTexts

    def digest(self, reader: Reader, news: Sequence[NamedNotice], now: datetime) -> Mail:
        """Return the mail; `news` are the notices, newest first. The mail lists the first ones individually."""
        end = self._page(f"{UNSUBSCRIBE_PAGE}?{urlencode({'token': reader.unsubscribe_token})}")
        lines = [self._line(item, reader.language) for item in news[:MOST_LINES]]
        if len(news) > MOST_LINES:
            lines.append(self._said(reader, MORE, number=len(news) - MOST_LINES) + "\n")
        ending = self._said(
            reader,
            ENDING,
            all=self._page("/notices"),
            settings=self._page("/account#notices"),
            unsubscribe=end,
        )
        greeting = self._said(reader, GREETING, user_name=reader.user_name, origin=self.origin)
        body = "\n".join([greeting, *lines, ending])
        mail = write(new_id(), reader.email, self._said(reader, SUBJECT), body, now)
        mail.unsubscribe = end
        return mail

    def _line(self, item: NamedNotice, language: str) -> str:
        counts = [
            self.texts.say(language, OUTCOMES[name]) % {"number": number}
            for name, number in item.counts.items()
            if name in OUTCOMES
        ]
        outcome = next(iter(item.counts), "")
        by_outcome = BY_OUTCOME.get(item.kind)
        sentence = SENTENCES[item.kind] if by_outcome is None else by_outcome.get(outcome, "")
        said = self.texts.say(language, sentence) % {
            "where": self._where(item, language),
            "counts": " ".join(counts),
            "model": item.model or "",
            **_amounts(item),
        }
        return f"* {said.rstrip()}\n  {self._page(_path(item))}\n"

    def _where(self, item: NamedNotice, language: str) -> str:
        task = item.task_title or item.task_slug
        if task and item.round_number:
            return self.texts.say(language, ROUND) % {"task": task, "number": item.round_number}
        return task or self.texts.say(language, SOMEWHERE)

    def _said(self, reader: Reader, text: str, **filled: object) -> str:
        said = self.texts.say(reader.language, text)
        return said % filled if filled else said

    def _page(self, path: str) -> str:
        return self.origin.rstrip("/") + path


def _amounts(item: NamedNotice) -> dict[str, str]:
    """Return the amounts in a notice about a campaign, for example 6.40 GBP, by their names."""
    digits = get_currency_precision(item.currency or "")
    return {
        name: f"{Decimal(item.counts.get(name, 0)).scaleb(-digits):f} {item.currency}"
        for name in ("hourly", "floor", "top_up")
    }


def _path(item: NamedNotice) -> str:
    """Return the page that a notice leads to."""
    subpage = "/fair-play" if item.kind is NoticeKind.EXCLUSION_APPEALED else ""
    for subject, page in (
        (item.campaign_id, f"/tasks/{item.task_slug}/campaigns/{item.campaign_id}{subpage}"),
        (item.example_id, f"/examples/{item.example_id}/thread"),
        (item.submission_id, f"/submissions/{item.submission_id}"),
    ):
        if subject is not None:
            return page
    if item.kind is NoticeKind.VALIDATING or item.round_id is None:
        of_task = f"/tasks/{item.task_slug}" if item.task_slug else "/notices"
        return TASK_PAGES.get(item.kind, of_task)
    if item.kind is NoticeKind.WORK_WAITS and item.task_slug and item.round_number:
        return f"/tasks/{item.task_slug}/rounds/{item.round_number}/work"
    if item.kind in ABOUT_ROUNDS:
        return f"/rounds/{item.round_id}"
    of_round = next(iter(item.counts)) if item.kind is NoticeKind.WORK_ASSIGNED else "tries"
    return f"/rounds/{item.round_id}/{of_round}"
