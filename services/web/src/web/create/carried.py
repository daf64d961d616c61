"""Unsent input of a person, kept when they request another context."""

from dynabench_client.results.annotation import Assignment
from flask import request

from web.create.page import CreatePage, begin_examples
from web.kit.dependencies import platform
from web.kit.fields import FormValues
from web.kit.outcomes import optional
from web.kit.questions import INPUT, METADATA, filled_input, fresh_values, read_input


def unsent(current: CreatePage) -> FormValues:
    """Return the controls to keep for the next context; empty if nothing was typed.

    Marks in a context and an assigned label are not kept, nor is a text that was sent or not changed.
    """
    written, context_id = _typed(current), request.form.get("context_id", "")
    if not written or _was_sent(current, context_id):
        return {}
    rules = current.rules
    marked = [INPUT + each.name for each in rules.input if each.of]
    marked += [METADATA + each.field.name for each in rules.create_metadata if each.field.of]
    if rules.claimed is not None and rules.assigns_label:
        marked.append(INPUT + rules.claimed.name)
    untouched = {INPUT + each.name for each in rules.written if each.is_free_text} - set(written)
    return {
        control: values
        for control, values in current.state.entered.items()
        if control not in untouched
        and not any(control == mark or control.startswith(f"{mark}.") for mark in marked)
    }


def _typed(current: CreatePage) -> dict[str, str]:
    """Return the person's own texts by control."""
    rules, entered = current.rules, current.state.entered
    started: dict[str, str] = {}
    if any(each.starts_from for each in rules.written):
        assigned: Assignment | None = optional(lambda: platform().annotation.assign(current.round.round_id))
        fresh = filled_input(rules, fresh_values(rules, assigned)) if assigned else {}
        started = {control: values[0] for control, values in fresh.items() if values}
    if current.state.perturbed is not None:
        began = filled_input(rules, current.state.perturbed.input)
        started = {control: values[0] for control, values in began.items() if values}
    texts = {
        control: values[0]
        for control in (INPUT + each.name for each in rules.written if each.is_free_text)
        if (values := entered.get(control)) and values[0].strip()
    }
    return {
        control: text for control, text in texts.items() if _plain(text) != _plain(started.get(control, ""))
    }


def _was_sent(current: CreatePage, context_id: str) -> bool:
    texts = read_input(current.rules, current.state.entered, {}).values
    names = [each.name for each in current.rules.written if each.is_free_text]
    found = begin_examples(current.round.round_id).value()
    return any(
        example.context_id == context_id and all(example.input.get(name) == texts.get(name) for name in names)
        for example in (found.items if found else ())
    )


def _plain(text: str) -> str:
    return text.replace("\r\n", "\n").strip()
