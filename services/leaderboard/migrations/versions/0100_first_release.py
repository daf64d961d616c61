"""Create the tables of the first release: facts, sums and boards of models.

Revision ID: 0100
"""

from alembic import op

revision = "0100"
down_revision = None

SCHEMA = """
CREATE TABLE answer (
    example_id uuid NOT NULL,
    "position" integer NOT NULL,
    target text NOT NULL,
    value text NOT NULL,
    wrong boolean NOT NULL,
    missing boolean NOT NULL,
    not_asked boolean DEFAULT false NOT NULL,
    CONSTRAINT pk_answer PRIMARY KEY (example_id, "position")
);

CREATE TABLE author_history (
    round_id uuid NOT NULL,
    pace integer NOT NULL,
    bucket_start timestamptz NOT NULL,
    author_id uuid NOT NULL,
    decided integer NOT NULL,
    fooled integer NOT NULL,
    errors integer NOT NULL,
    confirmed integer NOT NULL,
    fooled_resolved integer DEFAULT 0 NOT NULL,
    fooled_confirmed integer DEFAULT 0 NOT NULL,
    not_fooled integer DEFAULT 0 NOT NULL,
    not_fooled_resolved integer DEFAULT 0 NOT NULL,
    CONSTRAINT pk_author_history PRIMARY KEY (round_id, pace, bucket_start, author_id)
);

CREATE TABLE board_snapshot (
    snapshot_id uuid NOT NULL,
    task_slug text NOT NULL,
    made_by uuid NOT NULL,
    created_at timestamptz NOT NULL,
    as_of timestamptz NOT NULL,
    sha256 text NOT NULL,
    document text NOT NULL,
    CONSTRAINT pk_board_snapshot PRIMARY KEY (snapshot_id)
);
CREATE INDEX ix_board_snapshot_made_by ON board_snapshot (made_by, created_at);
CREATE INDEX ix_board_snapshot_task_slug ON board_snapshot (task_slug, snapshot_id);
CREATE UNIQUE INDEX uq_board_snapshot_sha256 ON board_snapshot (task_slug, sha256);

CREATE TABLE board_view (
    view_id uuid NOT NULL,
    task_slug text NOT NULL,
    owner_id uuid NOT NULL,
    name text NOT NULL,
    choice jsonb NOT NULL,
    created_at timestamptz NOT NULL,
    CONSTRAINT pk_board_view PRIMARY KEY (view_id)
);
CREATE INDEX ix_board_view_task_slug ON board_view (task_slug, view_id);
CREATE UNIQUE INDEX uq_board_view_owner_id ON board_view (owner_id, task_slug, name);

CREATE TABLE build_trouble (
    version integer NOT NULL,
    reason text NOT NULL,
    noted_at timestamptz DEFAULT now() NOT NULL,
    CONSTRAINT pk_build_trouble PRIMARY KEY (version)
);

CREATE TABLE census (
    round_id uuid NOT NULL,
    kind text NOT NULL,
    name text NOT NULL,
    examples integer NOT NULL,
    CONSTRAINT pk_census PRIMARY KEY (round_id, kind, name)
);

CREATE TABLE dead_letter (
    consumer text NOT NULL,
    topic text NOT NULL,
    partition integer NOT NULL,
    "position" bigint NOT NULL,
    reason text NOT NULL,
    sent_at timestamptz NOT NULL,
    key bytea,
    value bytea,
    headers bytea,
    attempts integer DEFAULT 1 NOT NULL,
    requested_at timestamptz,
    CONSTRAINT pk_dead_letter PRIMARY KEY (consumer, topic, partition, "position")
);
CREATE INDEX ix_dead_letter_requested ON dead_letter (consumer) WHERE (requested_at IS NOT NULL);

CREATE TABLE effort (
    round_id uuid NOT NULL,
    subject text NOT NULL,
    milliseconds bigint NOT NULL,
    timed_tries integer NOT NULL,
    CONSTRAINT pk_effort PRIMARY KEY (round_id, subject)
);

CREATE TABLE example (
    example_id uuid NOT NULL,
    try_version integer,
    round_id uuid,
    task_id uuid,
    configuration_version integer,
    segment_id uuid,
    author_id uuid,
    verdict text,
    created_at timestamptz,
    condition text,
    decision_version integer,
    decided_verdict text,
    wrong_targets jsonb,
    decided_at timestamptz,
    retraction_version integer,
    retracted_at timestamptz,
    resolution_version integer,
    outcome text,
    golds jsonb,
    resolved_at timestamptz,
    votes integer NOT NULL,
    cohort text,
    tags jsonb,
    claimed text,
    context_id uuid,
    number integer,
    milliseconds bigint,
    withdrawal_version integer,
    withdrawn_at timestamptz,
    duplicate_version integer,
    duplicate_of uuid,
    overruled_version integer,
    from_elsewhere boolean,
    CONSTRAINT pk_example PRIMARY KEY (example_id)
);
CREATE INDEX ix_example_task_id_configuration_version ON example (task_id, configuration_version, example_id);

CREATE TABLE fooling_pattern (
    round_id uuid NOT NULL,
    segment_id uuid NOT NULL,
    answered text NOT NULL,
    fooled text NOT NULL,
    tries integer NOT NULL,
    validated integer NOT NULL,
    not_asked integer DEFAULT 0 NOT NULL,
    CONSTRAINT pk_fooling_pattern PRIMARY KEY (round_id, segment_id, answered, fooled)
);

CREATE TABLE group_author (
    round_id uuid NOT NULL,
    dimension text NOT NULL,
    name text NOT NULL,
    author_id uuid NOT NULL,
    decided integer NOT NULL,
    fooled integer NOT NULL,
    errors integer NOT NULL,
    fooled_resolved integer NOT NULL,
    fooled_correct integer NOT NULL,
    stratum_fooled integer DEFAULT 0 NOT NULL,
    stratum_fooled_resolved integer DEFAULT 0 NOT NULL,
    stratum_fooled_errors integer DEFAULT 0 NOT NULL,
    stratum_not_fooled integer DEFAULT 0 NOT NULL,
    stratum_not_fooled_resolved integer DEFAULT 0 NOT NULL,
    CONSTRAINT pk_group_author PRIMARY KEY (round_id, dimension, name, author_id)
);

CREATE TABLE group_tally (
    round_id uuid NOT NULL,
    dimension text NOT NULL,
    name text NOT NULL,
    tries integer NOT NULL,
    decided integer NOT NULL,
    fooled integer NOT NULL,
    not_fooled integer NOT NULL,
    retracted integer NOT NULL,
    undecided integer NOT NULL,
    unknown integer NOT NULL,
    no_target integer NOT NULL,
    votes integer NOT NULL,
    pending integer NOT NULL,
    fooled_resolved integer NOT NULL,
    fooled_correct integer NOT NULL,
    stratum_fooled integer NOT NULL,
    stratum_fooled_resolved integer NOT NULL,
    stratum_fooled_errors integer NOT NULL,
    stratum_not_fooled integer NOT NULL,
    stratum_not_fooled_resolved integer NOT NULL,
    stratum_not_fooled_errors integer NOT NULL,
    apart_resolved integer NOT NULL,
    apart_errors integer NOT NULL,
    possible_errors integer DEFAULT 0 NOT NULL,
    not_asked integer DEFAULT 0 NOT NULL,
    CONSTRAINT pk_group_tally PRIMARY KEY (round_id, dimension, name)
);

CREATE TABLE held_partition (
    consumer text NOT NULL,
    topic text NOT NULL,
    partition integer NOT NULL,
    "position" bigint NOT NULL,
    reason text NOT NULL,
    held_since timestamptz NOT NULL,
    attempts integer NOT NULL,
    CONSTRAINT pk_held_partition PRIMARY KEY (consumer, topic, partition)
);

CREATE TABLE inbox (
    consumer text NOT NULL,
    event_id uuid NOT NULL,
    taken_at timestamptz DEFAULT now(),
    CONSTRAINT pk_inbox PRIMARY KEY (consumer, event_id)
);
CREATE INDEX ix_inbox_taken_at ON inbox (taken_at);

CREATE TABLE model_board (
    task_slug text NOT NULL,
    revision uuid NOT NULL,
    as_of timestamptz NOT NULL,
    CONSTRAINT pk_model_board PRIMARY KEY (task_slug)
);

CREATE TABLE outbox (
    id bigint GENERATED BY DEFAULT AS IDENTITY,
    event_id uuid NOT NULL,
    topic text NOT NULL,
    type text NOT NULL,
    aggregate_id uuid NOT NULL,
    aggregate_version integer NOT NULL,
    payload bytea NOT NULL,
    traceparent text,
    occurred_at timestamptz NOT NULL,
    sent_at timestamptz,
    hold text,
    reason text,
    parked_at timestamptz,
    attempts integer DEFAULT 0 NOT NULL,
    CONSTRAINT pk_outbox PRIMARY KEY (id),
    CONSTRAINT uq_outbox_event_id UNIQUE (event_id)
);
CREATE INDEX ix_outbox_held ON outbox (aggregate_id, topic, id)
    WHERE ((sent_at IS NULL) AND (hold = ANY (ARRAY['parked'::text, 'behind'::text])));
CREATE INDEX ix_outbox_parked ON outbox (aggregate_id, topic)
    WHERE ((sent_at IS NULL) AND (hold = 'parked'::text));
CREATE INDEX ix_outbox_sent_at ON outbox (sent_at) WHERE (sent_at IS NOT NULL);
CREATE INDEX ix_outbox_waiting ON outbox (id) WHERE ((sent_at IS NULL) AND (hold IS NULL));

CREATE TABLE person_tally (
    scope_id uuid NOT NULL,
    person_id uuid NOT NULL,
    tries integer NOT NULL,
    decided integer NOT NULL,
    fooled integer NOT NULL,
    retracted integer NOT NULL,
    errors integer NOT NULL,
    CONSTRAINT pk_person_tally PRIMARY KEY (scope_id, person_id)
);
CREATE INDEX ix_person_tally_board ON person_tally (scope_id, errors DESC, decided, person_id);

CREATE TABLE person_try (
    person_id uuid NOT NULL,
    task_id uuid NOT NULL,
    created_at timestamptz NOT NULL,
    example_id uuid NOT NULL,
    round_id uuid NOT NULL,
    tries integer NOT NULL,
    decided integer NOT NULL,
    retracted integer NOT NULL,
    kept integer NOT NULL,
    errors integer NOT NULL,
    CONSTRAINT pk_person_try PRIMARY KEY (person_id, task_id, created_at, example_id, round_id)
);

CREATE TABLE person_week (
    task_id uuid NOT NULL,
    week text NOT NULL,
    person_id uuid NOT NULL,
    errors integer NOT NULL,
    CONSTRAINT pk_person_week PRIMARY KEY (task_id, week, person_id)
);
CREATE INDEX ix_person_week_errors ON person_week (task_id, week, errors);
CREATE INDEX ix_person_week_person_id ON person_week (person_id);

CREATE TABLE projection (
    name text NOT NULL,
    version integer NOT NULL,
    CONSTRAINT pk_projection PRIMARY KEY (name)
);

CREATE TABLE pursuit (
    round_id uuid NOT NULL,
    author_id uuid NOT NULL,
    context_id uuid NOT NULL,
    example_id uuid NOT NULL,
    number integer NOT NULL,
    milliseconds bigint NOT NULL,
    fooled jsonb NOT NULL,
    CONSTRAINT pk_pursuit PRIMARY KEY (round_id, author_id, context_id, example_id)
);

CREATE TABLE read_model (
    number integer NOT NULL,
    consumer_group text DEFAULT 'leaderboard'::text NOT NULL,
    version integer NOT NULL,
    state text NOT NULL,
    positions jsonb DEFAULT '{}'::jsonb NOT NULL,
    events_read bigint DEFAULT '0'::bigint NOT NULL,
    events_total bigint DEFAULT '0'::bigint NOT NULL,
    events_applied bigint DEFAULT '0'::bigint NOT NULL,
    events_refused bigint DEFAULT '0'::bigint NOT NULL,
    begun_at timestamptz DEFAULT now() NOT NULL,
    stood_at timestamptz,
    replaced_at timestamptz,
    CONSTRAINT pk_read_model PRIMARY KEY (number)
);
CREATE UNIQUE INDEX uq_read_model_version_state ON read_model (version, state)
    WHERE (state = ANY (ARRAY['building'::text, 'standing'::text]));

CREATE TABLE round (
    round_id uuid NOT NULL,
    created_version integer,
    task_id uuid,
    number integer,
    title text,
    targets jsonb,
    state_version integer,
    state text,
    revision uuid NOT NULL,
    as_of timestamptz NOT NULL,
    targets_version integer,
    origin text,
    opened_at timestamptz,
    CONSTRAINT pk_round PRIMARY KEY (round_id)
);
CREATE INDEX ix_round_task_id ON round (task_id);

CREATE TABLE round_history (
    round_id uuid NOT NULL,
    pace integer NOT NULL,
    bucket_start timestamptz NOT NULL,
    decided integer NOT NULL,
    fooled integer NOT NULL,
    errors integer NOT NULL,
    apart_errors integer NOT NULL,
    CONSTRAINT pk_round_history PRIMARY KEY (round_id, pace, bucket_start)
);

CREATE TABLE score (
    evaluation_id uuid NOT NULL,
    version integer NOT NULL,
    task_slug text NOT NULL,
    model jsonb NOT NULL,
    dataset jsonb NOT NULL,
    metric_version integer NOT NULL,
    state text NOT NULL,
    fault text,
    reason text,
    happened_at timestamptz NOT NULL,
    metrics jsonb NOT NULL,
    influences bytea,
    failed_items integer,
    constant_answer text,
    target_of_round boolean,
    CONSTRAINT pk_score PRIMARY KEY (evaluation_id)
);
CREATE INDEX ix_score_dataset_id ON score (((dataset ->> 'dataset_id'::text)));
CREATE INDEX ix_score_submitted_by ON score (((model ->> 'submitted_by'::text)));
CREATE INDEX ix_score_task_slug ON score (task_slug);

CREATE TABLE segment (
    segment_id uuid NOT NULL,
    round_id uuid NOT NULL,
    aggregate_version integer NOT NULL,
    number integer NOT NULL,
    configuration_version integer NOT NULL,
    targets jsonb NOT NULL,
    started_at timestamptz NOT NULL,
    CONSTRAINT pk_segment PRIMARY KEY (segment_id)
);
CREATE INDEX ix_segment_round_id ON segment (round_id);

CREATE TABLE submission (
    submission_id uuid NOT NULL,
    task_slug text NOT NULL,
    submitted_by uuid NOT NULL,
    named_version integer,
    model_name text,
    number integer,
    serving_name text,
    state_version integer,
    state text,
    anonymous boolean,
    card_version integer,
    trained_on jsonb,
    published_at timestamptz,
    CONSTRAINT pk_submission PRIMARY KEY (submission_id)
);
CREATE INDEX ix_submission_submitted_by ON submission (submitted_by);
CREATE INDEX ix_submission_task_slug ON submission (task_slug);

CREATE TABLE survival (
    round_id uuid NOT NULL,
    subject text NOT NULL,
    tries integer NOT NULL,
    fooled integer NOT NULL,
    unfooled integer NOT NULL,
    CONSTRAINT pk_survival PRIMARY KEY (round_id, subject, tries)
);

CREATE TABLE tally (
    round_id uuid NOT NULL,
    segment_id uuid NOT NULL,
    subject text NOT NULL,
    author_id uuid NOT NULL,
    tries integer NOT NULL,
    decided integer NOT NULL,
    fooled integer NOT NULL,
    not_fooled integer NOT NULL,
    retracted integer NOT NULL,
    undecided integer NOT NULL,
    unknown integer NOT NULL,
    no_target integer NOT NULL,
    votes integer NOT NULL,
    pending integer NOT NULL,
    fooled_resolved integer NOT NULL,
    fooled_correct integer NOT NULL,
    stratum_fooled integer NOT NULL,
    stratum_fooled_resolved integer NOT NULL,
    stratum_fooled_errors integer NOT NULL,
    stratum_not_fooled integer NOT NULL,
    stratum_not_fooled_resolved integer NOT NULL,
    stratum_not_fooled_errors integer NOT NULL,
    apart_resolved integer NOT NULL,
    apart_errors integer NOT NULL,
    possible_errors integer DEFAULT 0 NOT NULL,
    not_asked integer DEFAULT 0 NOT NULL,
    CONSTRAINT pk_tally PRIMARY KEY (round_id, segment_id, subject, author_id)
);
CREATE INDEX ix_tally_author_id_round_id ON tally (author_id, round_id);

CREATE TABLE task_configuration (
    task_id uuid NOT NULL,
    configuration_version integer NOT NULL,
    aggregate_version integer NOT NULL,
    slug text NOT NULL,
    title text NOT NULL,
    configuration jsonb NOT NULL,
    waits_for text,
    CONSTRAINT pk_task_configuration PRIMARY KEY (task_id, configuration_version)
);

CREATE TABLE vote (
    vote_id uuid NOT NULL,
    example_id uuid NOT NULL,
    counted boolean NOT NULL,
    cast_version integer DEFAULT 0 NOT NULL,
    withdrawn_version integer DEFAULT 0 NOT NULL,
    voter_id uuid,
    cast_at timestamptz,
    CONSTRAINT pk_vote PRIMARY KEY (vote_id)
);
CREATE INDEX ix_vote_voter_id ON vote (voter_id, cast_at);
"""


def upgrade() -> None:
    """Create everything; the empty tables count as boards of an older version, so the worker builds its own."""
    op.execute(SCHEMA)
    op.execute("INSERT INTO read_model (number, version, state, stood_at) VALUES (0, 2, 'standing', now())")
