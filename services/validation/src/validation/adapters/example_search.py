"""What people look for among a round's examples, as conditions on rows.

Words are looked up in an index over what is written in contexts and inputs. It keeps them in one case and otherwise as
they are, since tasks are in any language: "run" finds "runs" because it begins so, and not "ran".
"""

from collections.abc import Mapping

from dynabench_tasks.resolution import Resolution
from dynabench_tasks.votes import VoteKind
from sqlalchemy import ColumnElement, and_, case, distinct, func, literal_column, not_, or_, select, text

from validation.adapters.queue_filters import verdict_of_example
from validation.adapters.tables import example, example_validation, is_pending, vote, written_words
from validation.domain.example_filters import Became, ExampleFilter
from validation.domain.identifiers import RoundId
from validation.domain.owner_work import Disagreement

state = example_validation.c
votes_on_it = and_(vote.c.example_id == state.example_id, vote.c.counted)
answer = case((vote.c.kind == VoteKind.FLAG, VoteKind.FLAG.value), else_=vote.c.option)
MAY_DISAGREE: Mapping[Disagreement, ColumnElement[bool]] = {
    Disagreement.VOTERS: and_(
        state.votes_counted > 1,
        select(func.count(distinct(answer))).where(votes_on_it).scalar_subquery() > 1,
    ),
    Disagreement.AUTHOR: and_(
        state.votes_counted > 0,
        not_(
            select(1)
            .where(votes_on_it, vote.c.kind != VoteKind.FLAG)
            .where(or_(vote.c.option == example.c.claimed, vote.c.option == Resolution.CORRECT))
            .exists()
        ),
    ),
}
"""Matches all examples whose votes disagree and few others; how votes do is for the task's rules to say."""


def conditions(
    round_id: RoundId, wanted: ExampleFilter, is_hidden: ColumnElement[bool]
) -> list[ColumnElement[bool]]:
    """Return what rows of `example_validation` and `example` must be like; `is_hidden` marks what is kept secret."""
    found: list[ColumnElement[bool]] = [state.round_id == round_id]
    if wanted.text is not None:
        found += [state.retracted.is_(False), _has_words(round_id, wanted.text)]
    if wanted.verdict is not None:
        found.append(verdict_of_example == wanted.verdict)
    if wanted.became is not None:
        found.append(_became(wanted.became, is_hidden))
    if wanted.tag is not None:
        found.append(example.c.tags.contains([wanted.tag]))
    if wanted.author_id is not None:
        found.append(state.author_id == wanted.author_id)
    if wanted.disagreement is not None:
        found += [MAY_DISAGREE[wanted.disagreement], state.retracted.is_(False), not_(is_hidden)]
    return found


def _has_words(round_id: RoundId, given: str) -> ColumnElement[bool]:
    """Match examples that have each word, or one that begins like it.

    They are gathered from the index first. PostgreSQL takes any beginning of a word to be in 2 % of all texts, and
    would read the round from its newest example on until it has found enough of a word that is in none.
    """
    quoted = (word.replace("\\", "\\\\").replace("'", "''") for word in given.split())
    words = func.to_tsquery(text("'simple'"), " & ".join(f"'{word}':*" for word in quoted))
    having = select(example.c.example_id).where(
        example.c.round_id == round_id, written_words.bool_op("@@")(words)
    )
    gathered = having.cte("with_words").prefix_with("MATERIALIZED")
    return state.example_id.in_(select(gathered.c.example_id))


def _became(wanted: Became, is_hidden: ColumnElement[bool]) -> ColumnElement[bool]:
    """Match what became of examples; one that the reader may still vote on seems to wait."""
    if wanted is Became.RETRACTED:
        return state.retracted
    stands = state.retracted.is_(False)
    if wanted is Became.WAITING:
        return and_(stands, or_(is_pending, is_hidden))
    if wanted is Became.UNASKED:
        return and_(stands, state.wanted.is_(False), state.resolution.is_(None), not_(is_hidden))
    return and_(stands, state.resolution == literal_column(f"'{wanted.value}'"), not_(is_hidden))
