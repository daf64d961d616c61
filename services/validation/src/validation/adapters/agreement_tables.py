"""Tables of agreement and of evidence about votes; all follow from votes and can be rebuilt from them.

Sums are stored as the worker has counted them so far. A transaction that changes an example's votes or its resolution
adds a row to `agreement_change`. The worker then subtracts the example's former share, stored in `agreement_share`, and
adds its current one. So no voter waits for a row of sums that another voter writes. A reader adds the few changes that
are not counted yet (`agreement_sums`).
"""

from sqlalchemy import BigInteger, Column, DateTime, Double, Identity, Index, Integer, Table, Text, Uuid
from sqlalchemy.dialects.postgresql import JSONB

from validation.adapters.tables import metadata

agreement_change = Table(
    "agreement_change",
    metadata,
    Column("change_id", BigInteger, Identity(), primary_key=True),
    Column("round_id", Uuid, nullable=False),
    Column("example_id", Uuid, nullable=False),
)
Index("ix_agreement_change_round_id", agreement_change.c.round_id)

agreement_share = Table(
    "agreement_share",
    metadata,
    Column("example_id", Uuid, primary_key=True),
    Column("round_id", Uuid, nullable=False),
    Column("groups", JSONB, nullable=False),
    Column("sums", JSONB, nullable=False),
    Column("voters", JSONB, nullable=False),
)
"""Shares of an example in the sums of each of its groups: `groups` are `[kind, name]`, `sums`
`[measure, size, option, amount]` and `voters` `[voter_id, votes, compared, same]`.
"""

agreement_sum = Table(
    "agreement_sum",
    metadata,
    Column("round_id", Uuid, primary_key=True),
    Column("group_kind", Text, primary_key=True),
    Column("group_name", Text, primary_key=True),
    Column("measure", Text, primary_key=True),
    Column("size", Integer, primary_key=True),
    Column("option", Text, primary_key=True),
    Column("amount", BigInteger, nullable=False),
)

agreement_voter = Table(
    "agreement_voter",
    metadata,
    Column("round_id", Uuid, primary_key=True),
    Column("group_kind", Text, primary_key=True),
    Column("group_name", Text, primary_key=True),
    Column("voter_id", Uuid, primary_key=True),
    Column("votes", Integer, nullable=False),
    Column("compared", Integer, nullable=False),
    Column("same", Integer, nullable=False),
)
"""Per voter of a group: votes, and in halves the votes comparable with others' and those that agreed with them.
The nil id stands for all unknown voters.
"""

posterior = Table(
    "posterior",
    metadata,
    Column("example_id", Uuid, primary_key=True),
    Column("round_id", Uuid, nullable=False),
    Column("label", Text, nullable=False),
    Column("p", Double, nullable=False),
    Column("computed_at", DateTime(timezone=True), nullable=False),
)
"""The option that is most probably true, a flag as `flag`, and its probability. It does not change the resolution."""
Index("ix_posterior_round_id_p", posterior.c.round_id, posterior.c.p)

voter_confusion = Table(
    "voter_confusion",
    metadata,
    Column("round_id", Uuid, primary_key=True),
    Column("voter_id", Uuid, primary_key=True),
    Column("votes", Integer, nullable=False),
    Column("errors", Double, nullable=False),
    Column("confusion", JSONB, nullable=False),
)
"""Errors of a voter: `errors` of the votes are expected to be wrong; `confusion` has, for each true option, the
probability of each option that the voter ever chose.
"""

agreeing_pair = Table(
    "agreeing_pair",
    metadata,
    Column("round_id", Uuid, primary_key=True),
    Column("a", Uuid, primary_key=True),
    Column("b", Uuid, primary_key=True),
    Column("examples", Integer, nullable=False),
    Column("agreed", Integer, nullable=False),
    Column("expected", Double, nullable=False),
    Column("p_adjusted", Double, nullable=False),
)

one_author_voter = Table(
    "one_author_voter",
    metadata,
    Column("round_id", Uuid, primary_key=True),
    Column("voter_id", Uuid, primary_key=True),
    Column("author_id", Uuid, nullable=False),
    Column("confirmed", Integer, nullable=False),
    Column("of_author", Integer, nullable=False),
    Column("expected", Double, nullable=False),
    Column("p_adjusted", Double, nullable=False),
)

round_evidence = Table(
    "round_evidence",
    metadata,
    Column("round_id", Uuid, primary_key=True),
    Column("changed_at", DateTime(timezone=True)),
    Column("computed_at", DateTime(timezone=True)),
    Column("seconds", Double, nullable=False, server_default="0"),
    Column("model", JSONB),
    Column("reason", Text),
)
"""Time of the first change of votes that the evidence lacks, null if it includes all; time and duration of its
computation; the average voter as `{options, shares, confusion, examples, has_converged}`, or the reason for none.
"""
Index(
    "ix_round_evidence_changed_at",
    round_evidence.c.changed_at,
    postgresql_where=round_evidence.c.changed_at.is_not(None),
)
