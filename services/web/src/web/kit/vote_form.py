"""An example as it is put before a validator, with what may be answered."""

import json
from collections.abc import Mapping
from dataclasses import dataclass

from dynabench_client.results.validation import Lease

from web.kit import fields
from web.kit.answers import shown_values
from web.kit.configuration import MetadataField, TaskRules, metadata_fields
from web.kit.fields import Asking, FieldView, FormValues, ShownValue
from web.kit.language import _
from web.kit.problems import ProblemView
from web.kit.questions import metadata_questions
from web.kit.votes import ANSWER, FLAG, JUDGEMENTS, answer_field, option_views, shown_claim
from web.kit.words import LabelView


@dataclass(frozen=True)
class VoteForm:
    """An example to answer on, blind, until the lease ends.

    A single choice is answered by its button (`options`). With additional questions, or for other kinds of answer,
    `answer` is a question in the form. With `vote_id` the person has answered on the example before, and the form
    replaces that answer.
    """

    lease_id: str
    kind: str
    context: list[ShownValue]
    written: list[ShownValue]
    options: list[LabelView]
    answer: FieldView | None
    metadata: list[FieldView]
    flag_metadata: list[FieldView]
    markable: Mapping[str, str]
    claim: ShownValue | None
    key: str
    unsure_key: str
    reason: str
    shown: str
    problem: ProblemView | None
    vote_id: str = ""

    @property
    def question(self) -> str:
        """The question above the answers."""
        is_span = self.answer is not None and self.answer.type == "span"
        return _("Mark the answer.") if is_span else _("Which label fits?")

    @property
    def is_problem_in_field(self) -> bool:
        """Return whether the refusal is shown at a field."""
        asked = (*([self.answer] if self.answer else []), *self.metadata, *self.flag_metadata)
        return any(each.problem for each in asked)


def vote_form(
    lease: Lease,
    rules: TaskRules,
    *,
    key: str,
    entered: FormValues | None = None,
    round_number: int = 1,
    reason: str = "",
    problem: ProblemView | None = None,
) -> VoteForm:
    """Return the example on lease. Raises ValueError for a lease without one."""
    if lease.lease_id is None or lease.example is None:
        raise ValueError("this lease holds no example")
    example, asked = lease.example, asked_metadata(lease, round_number)
    options = options_of(lease, rules)
    answer = answer_field(rules, lease.answer_type, options)
    by_button = answer.is_one_label and not any(FLAG not in _votes(each) for each in asked)
    markable = {lease.span_of: f"passage-{lease.span_of}"} if lease.span_of else {}
    asking = Asking(
        control=ANSWER,
        entered=entered or {},
        has_keys=True,
        passages=markable,
        is_required=False,
        problem=problem,
    )
    only_flags = [each for each in asked if _votes(each) == {FLAG}]
    questions = {
        is_flag: metadata_questions(
            [each for each in asked if (each in only_flags) == is_flag],
            entered or {},
            depends_on={} if is_flag else {"vote": ANSWER},
            passages=markable,
            problem=problem,
        )
        for is_flag in (False, True)
    }
    shown = {"context": example.context, "input": example.input}
    return VoteForm(
        lease_id=lease.lease_id,
        kind=lease.vote,
        context=shown_values(example.context, rules),
        written=shown_values(example.input, rules),
        options=option_views(options, rules) if by_button else [],
        answer=None if by_button else fields.ask(answer, asking),
        metadata=questions[False],
        flag_metadata=questions[True],
        markable=markable,
        claim=shown_claim(example.claim_to_judge, rules),
        key=key,
        unsure_key=str(len(options) + 1) if by_button and len(options) < 9 else "0",
        reason=reason,
        shown=json.dumps(shown, ensure_ascii=False),
        problem=problem,
    )


def options_of(lease: Lease, rules: TaskRules) -> tuple[str, ...]:
    """Return what may be chosen."""
    return lease.options or (tuple(JUDGEMENTS) if lease.vote == "judgement" else rules.options)


def asked_metadata(lease: Lease, round_number: int) -> tuple[MetadataField, ...]:
    """Return the additional questions to voters in this round."""
    return tuple(each for each in metadata_fields(lease.metadata_fields) if round_number >= each.from_round)


def _votes(asked: MetadataField) -> set[str]:
    return set(asked.words.get("vote", ()))
