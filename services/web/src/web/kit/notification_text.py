"""Notifications about a person's work: a sentence, the outcome, and a link."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from dynabench_client.results.accounts import Notice

from web.kit import isolation
from web.kit.language import N_, NC_, _, ngettext
from web.kit.money import money
from web.kit.numbers import TimeView, count, moment
from web.kit.words import Word, in_words

OUTCOME = "what came out of examples"
OUTCOMES: Mapping[str, Word] = {
    "correct": Word(NC_("what came out of examples", "People agree with you"), "✓", "correct"),
    "incorrect": Word(NC_("what came out of examples", "People disagree with you"), "✕", "incorrect"),
    "no_claim": Word(NC_("what came out of examples", "People agree on an answer"), "✓", "correct"),
    "flagged": Word(NC_("what came out of examples", "Found unfit"), "⚑", "flagged"),
    "disputed": Word(NC_("what came out of examples", "No agreement"), "≠", "disputed"),
    "asked_anew": Word(NC_("what came out of examples", "Asked again"), "↻", "disputed"),
    "appealed": Word(NC_("what came out of examples", "Appeals"), "!", "disputed"),
    "question": Word(NC_("what came out of examples", "Questions of authors"), "?", "disputed"),
}
WEEK_OUTCOMES: Mapping[str, Word] = {
    "fooled": Word(NC_("what came out of examples", "Fooled a model"), "◆", "fooled"),
    "confirmed": Word(NC_("what came out of examples", "Confirmed"), "✓", "correct"),
    **{name: OUTCOMES[name] for name in ("incorrect", "flagged", "disputed")},
    "answered": Word(NC_("what came out of examples", "Answers to your questions"), "?", "correct"),
}
"""The same in the summary of a week."""
DECIDED_OUTCOMES: Mapping[str, Word] = {
    **OUTCOMES,
    "correct": Word(NC_("what came out of examples", "You were right"), "✓", "correct"),
    "incorrect": Word(NC_("what came out of examples", "You were wrong"), "✕", "incorrect"),
}
"""The same where one person decided."""
BY_OWNER = ("example_decided", "appeal_answered")


@dataclass(frozen=True)
class OutcomeView:
    """Outcome and its frequency; a notification about one example has no number."""

    word: Word
    number: str


@dataclass(frozen=True)
class NotificationView:
    """A rendered notification; a person who has seen it has read up to `position`."""

    position: int
    sentence: str
    outcomes: list[OutcomeView]
    address: str
    link: str
    when: TimeView | None
    is_new: bool


def notifications(notices: Iterable[Notice]) -> list[NotificationView]:
    """Return rendered notifications, in the same order."""
    return [
        NotificationView(
            position=notice.position,
            sentence=SENTENCES.get(notice.kind, _something)(notice),
            outcomes=_outcomes(notice),
            address=_address(notice),
            link=_link(notice.kind),
            when=moment(notice.happened_at),
            is_new=notice.read_at is None,
        )
        for notice in notices
    ]


def newest_position(notices: Iterable[Notice]) -> int:
    """Return the position of the newest notification; 0 for none."""
    return max((notice.position for notice in notices), default=0)


def _where(notice: Notice) -> str:
    task = isolation.name(notice.task_title or notice.task_slug)
    if task and notice.round_number:
        return _("%(task)s, round %(number)s", task=task, number=notice.round_number)
    return task or _("a round")


def _many(notice: Notice) -> int:
    return sum(notice.counts.values())


def _resolved(notice: Notice) -> str:
    return ngettext(
        "%(where)s: people have checked one of your texts.",
        "%(where)s: people have checked %(num)s of your texts.",
        _many(notice),
        where=_where(notice),
    )


def _decided(notice: Notice) -> str:
    return ngettext(
        "%(where)s: the task's owner decided about one of your texts.",
        "%(where)s: the task's owner decided about %(num)s of your texts.",
        _many(notice),
        where=_where(notice),
    )


def _answered(notice: Notice) -> str:
    return ngettext(
        "%(where)s: your appeal is answered.",
        "%(where)s: %(num)s of your appeals are answered.",
        _many(notice),
        where=_where(notice),
    )


def _validating(notice: Notice) -> str:
    if "paused" in notice.counts:
        return _(
            "%(task)s: the task's owner paused you as a checker. You can appeal.",
            task=_where(notice),
        )
    return _("%(task)s: you can check texts again.", task=_where(notice))


def _opened(notice: Notice) -> str:
    return _("%(where)s is open. You took part in an earlier round of this task.", where=_where(notice))


def _released(notice: Notice) -> str:
    return _("%(where)s, where you took part, is released as a dataset.", where=_where(notice))


def _goal(notice: Notice) -> str:
    return _(
        "%(where)s has reached its goal of %(goal)s confirmed errors.",
        where=_where(notice),
        goal=count(notice.counts.get("goal")),
    )


def _waits(notice: Notice) -> str:
    return ngettext(
        "%(where)s: one example waits for your decision.",
        "%(where)s: %(num)s examples wait for your decision.",
        _many(notice),
        where=_where(notice),
    )


MODEL_NEWS: Mapping[str, str] = {
    "model_waits": N_("%(where)s: your model %(model)s contains code. An owner of the task must allow it."),
    "model_deployed": N_("%(where)s: your model %(model)s passed all checks and is ready."),
    "model_refused": N_("%(where)s: your model %(model)s did not pass a check."),
    "model_failed": N_("%(where)s: a check of your model %(model)s failed on our side. It does not count."),
    "model_declined": N_("%(where)s: an owner of the task declined your model %(model)s."),
    "model_retired": N_("%(where)s: an owner of the task retired your model %(model)s."),
}


def _model_checked(notice: Notice) -> str:
    words = MODEL_NEWS.get(next(iter(notice.counts), ""))
    if words is None:
        return _something(notice)
    return _(words, where=_where(notice), model=isolation.name(notice.model))


def _model_waits(notice: Notice) -> str:
    return _(
        "%(where)s: the model %(model)s contains code and waits for your decision.",
        where=_where(notice),
        model=isolation.name(notice.model),
    )


TARGET_NEWS: Mapping[str, str] = {
    "target_removed": N_(
        "%(where)s: the model %(model)s stopped answering and was removed. The round continues without it."
    ),
    "round_paused": N_("%(where)s: the model %(model)s stopped answering. The round needs it and is paused."),
}


def _target_lost(notice: Notice) -> str:
    words = TARGET_NEWS.get(next(iter(notice.counts), ""))
    if words is None:
        return _something(notice)
    return _(words, where=_where(notice), model=isolation.name(notice.model))


def _task_requested(notice: Notice) -> str:
    return ngettext(
        "One person asks for the right to start a task.",
        "%(num)s people ask for the right to start a task.",
        _many(notice),
    )


TASK_ANSWERS: Mapping[str, str] = {
    "granted": N_("%(where)s: you may now start this task."),
    "refused": N_("%(where)s: an administrator refused your request to start this task."),
}


def _task_answered(notice: Notice) -> str:
    words = TASK_ANSWERS.get(next(iter(notice.counts), ""))
    return _something(notice) if words is None else _(words, where=_where(notice))


def _example_answered(notice: Notice) -> str:
    return _("%(where)s: the task's owners wrote to you about your texts.", where=_where(notice))


def _work_assigned(notice: Notice) -> str:
    if "validate" in notice.counts:
        return ngettext(
            "%(where)s: you have a text to check.",
            "%(where)s: you have %(num)s texts to check.",
            _many(notice),
            where=_where(notice),
        )
    return ngettext(
        "%(where)s: you have a text to write.",
        "%(where)s: you have %(num)s texts to write.",
        _many(notice),
        where=_where(notice),
    )


def _mentioned(notice: Notice) -> str:
    return _("%(where)s: you are mentioned in a conversation about a text.", where=_where(notice))


def _week(notice: Notice) -> str:
    tries = notice.counts.get("tries", 0)
    if not tries:
        return _("Your last week: there are results of your earlier texts.")
    return ngettext("Your last week: you wrote one text.", "Your last week: you wrote %(num)s texts.", tries)


def _pay_low(notice: Notice) -> str:
    hourly, floor, top_up = (
        money(notice.counts.get(name, 0), notice.currency or "") for name in ("hourly", "floor", "top_up")
    )
    return _(
        "%(where)s: a campaign pays %(hourly)s an hour, less than the floor of %(floor)s. "
        "To reach it, add %(top_up)s to each assignment.",
        where=_where(notice),
        hourly=hourly,
        floor=floor,
        top_up=top_up,
    )


def _exclusion_appealed(notice: Notice) -> str:
    return _("%(where)s: a person appeals against being excluded from paid work.", where=_where(notice))


def _something(notice: Notice) -> str:
    return _("There is news from %(where)s.", where=_where(notice))


SENTENCES: Mapping[str, Callable[[Notice], str]] = {
    "example_resolved": _resolved,
    "example_decided": _decided,
    "appeal_answered": _answered,
    "validating": _validating,
    "round_opened": _opened,
    "round_released": _released,
    "goal_reached": _goal,
    "work_waits": _waits,
    "model_checked": _model_checked,
    "model_waits": _model_waits,
    "target_lost": _target_lost,
    "task_requested": _task_requested,
    "task_answered": _task_answered,
    "example_answered": _example_answered,
    "work_assigned": _work_assigned,
    "weekly_summary": _week,
    "mentioned": _mentioned,
    "pay_low": _pay_low,
    "exclusion_appealed": _exclusion_appealed,
}


PAGES: Mapping[str, str] = {
    "task_requested": "/people#task-requests",
    "task_answered": "/tasks/new",
    "weekly_summary": "/#own-rounds",
}


def _outcomes(notice: Notice) -> list[OutcomeView]:
    known = DECIDED_OUTCOMES if notice.kind in BY_OWNER else OUTCOMES
    known = WEEK_OUTCOMES if notice.kind == "weekly_summary" else known
    return [
        OutcomeView(in_words(word, OUTCOME), count(notice.counts[name]) if _many(notice) > 1 else "")
        for name, word in known.items()
        if notice.counts.get(name)
    ]


def _address(notice: Notice) -> str:
    """Return the link of a notification: to the round or task if nothing closer is known."""
    subpage = "/fair-play" if notice.kind == "exclusion_appealed" else ""
    for subject, page in (
        (notice.campaign_id, f"/tasks/{notice.task_slug}/campaigns/{notice.campaign_id}{subpage}"),
        (notice.submission_id, f"/submissions/{notice.submission_id}"),
        (notice.example_id, f"/examples/{notice.example_id}/thread"),
    ):
        if subject is not None:
            return page
    if notice.kind in PAGES:
        return PAGES[notice.kind]
    if notice.round_id is None:
        return f"/tasks/{notice.task_slug}" if notice.task_slug else "/"
    if notice.kind == "work_waits" and notice.task_slug and notice.round_number:
        return f"/tasks/{notice.task_slug}/rounds/{notice.round_number}/work"
    own_tries = "/tries" if notice.kind in ("example_resolved", "example_answered", *BY_OWNER) else ""
    own_work = f"/{next(iter(notice.counts))}" if notice.kind == "work_assigned" else ""
    return f"/rounds/{notice.round_id}{own_tries}{own_work}"


LINKS: Mapping[str, str] = {
    **dict.fromkeys(("work_waits", "model_waits", "task_requested", "exclusion_appealed"), N_("Decide")),
    **dict.fromkeys(("example_resolved", *BY_OWNER), N_("See the votes")),
    "model_checked": N_("See the checks"),
    **dict.fromkeys(("task_answered", "example_answered"), N_("See the answer")),
    "validating": N_("See the task"),
    "work_assigned": N_("Start to work"),
    "weekly_summary": N_("See my rounds"),
    "mentioned": N_("See the conversation"),
    "pay_low": N_("See the campaign"),
}


def _link(kind: str) -> str:
    return _(LINKS[kind]) if kind in LINKS else _("See the round")
