"""Search filters for a round's examples, as conditions on rows.

Words are searched in an index over the texts of contexts and inputs. The index folds letter case and changes nothing
else, since tasks are in any language. A search for "run" finds "runs", by its prefix, but not "ran".
"""

from collections.abc import Mapping

from sqlalchemy import ColumnElement, Connection, and_, func, literal_column, not_, or_, select, text

from validation.adapters.tables import (
    example,
    example_validation,
    is_pending,
    verdict_of_example,
    written_words,
)
from validation.domain.example_filters import Became, ExampleFilter
from validation.domain.identifiers import RoundId
from validation.domain.owner_work import Disagreement

state = example_validation.c
READ_AS_SPACES = str.maketrans("<>&/@=", "      ")
"""The same expression as in the index."""
COMMON = 2_000
"""Words in so many examples of a round are common: gathering all of them would take longer than reading on."""
DISAGREES: Mapping[Disagreement, ColumnElement[bool]] = {
    Disagreement.AUTHOR: state.author_disagrees,
    Disagreement.VOTERS: state.voters_disagree,
}


def conditions(
    round_id: RoundId, wanted: ExampleFilter, is_hidden: ColumnElement[bool], *, is_common: bool
) -> list[ColumnElement[bool]]:
    """Return the conditions on rows of `example_validation` and `example`; `is_hidden` marks secret claims and votes.

    `is_common` is the result of `are_many` for the words.
    """
    found: list[ColumnElement[bool]] = [state.round_id == round_id]
    if wanted.text is not None:
        having = _has_words(wanted.text) if is_common else _is_gathered(round_id, wanted.text)
        found += [state.retracted.is_(False), having]
    if wanted.verdict is not None:
        found.append(verdict_of_example == wanted.verdict)
    if wanted.became is not None:
        found.append(_became(wanted.became, is_hidden))
    if wanted.tag is not None:
        found.append(example.c.tags.contains([wanted.tag]))
    if wanted.author_id is not None:
        found.append(state.author_id == wanted.author_id)
    if wanted.disagreement is not None:
        found += [DISAGREES[wanted.disagreement], state.retracted.is_(False), not_(is_hidden)]
    return found


def are_many(connection: Connection, round_id: RoundId, given: str) -> bool:
    """Return whether so many examples of the round have the words that the newest of them are soon found."""
    some = select(1).where(example.c.round_id == round_id, _has_words(given)).limit(COMMON).subquery()
    return connection.execute(select(func.count()).select_from(some)).scalar_one() == COMMON


def _has_words(given: str) -> ColumnElement[bool]:
    """Match examples that have each word, or one that begins like it."""
    quoted = (
        word.replace("\\", "\\\\").replace("'", "''") for word in given.translate(READ_AS_SPACES).split()
    )
    words = func.to_tsquery(text("'simple'"), " & ".join(f"'{word}':*" for word in quoted))
    return written_words.bool_op("@@")(words)


def _is_gathered(round_id: RoundId, given: str) -> ColumnElement[bool]:
    """Match examples that have the words, gathered from the index first.

    PostgreSQL estimates that any word prefix is in 2 % of all texts. For a word in no text, it would read the whole
    round from its newest example on.
    """
    having = select(example.c.example_id).where(example.c.round_id == round_id, _has_words(given))
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
