"""Create the tables of the first release: facts, releases, datasets and evaluations.

Revision ID: 0101
"""

from alembic import op

revision = "0101"
down_revision = None

SCHEMA = """
CREATE TABLE author_count (
    round_id uuid NOT NULL,
    author_id uuid NOT NULL,
    configuration_version integer NOT NULL,
    is_retracted boolean NOT NULL,
    verdict text NOT NULL,
    resolution text NOT NULL,
    has_golds boolean NOT NULL,
    has_claim boolean NOT NULL,
    examples integer NOT NULL,
    CONSTRAINT pk_author_count PRIMARY KEY (round_id, author_id, configuration_version, is_retracted, verdict,
        resolution, has_golds, has_claim)
);

CREATE TABLE dataset (
    dataset_id uuid NOT NULL,
    digest text NOT NULL,
    name text NOT NULL,
    version integer NOT NULL,
    task_id uuid NOT NULL,
    task_slug text NOT NULL,
    round_id uuid NOT NULL,
    title text NOT NULL,
    licence text NOT NULL,
    description text NOT NULL,
    citation text NOT NULL,
    described jsonb NOT NULL,
    files jsonb NOT NULL,
    card text NOT NULL,
    croissant jsonb NOT NULL,
    manifest_key text NOT NULL,
    released_by uuid NOT NULL,
    released_at timestamptz NOT NULL,
    CONSTRAINT pk_dataset PRIMARY KEY (dataset_id),
    CONSTRAINT uq_dataset_name_version UNIQUE (name, version)
);
CREATE INDEX ix_dataset_task_slug_dataset_id ON dataset (task_slug, dataset_id);

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

CREATE TABLE evaluated_model (
    name text NOT NULL,
    task_slug text NOT NULL,
    model_digest text NOT NULL,
    handler_digest text NOT NULL,
    submitted_by uuid,
    published boolean NOT NULL,
    prediction_only boolean NOT NULL,
    CONSTRAINT pk_evaluated_model PRIMARY KEY (name)
);

CREATE TABLE evaluation_dataset (
    dataset_id uuid NOT NULL,
    name text NOT NULL,
    title text NOT NULL,
    task_slug text NOT NULL,
    kind text NOT NULL,
    access text NOT NULL,
    licence text NOT NULL,
    version integer NOT NULL,
    round_id uuid,
    round_number integer,
    digest text NOT NULL,
    items_key text,
    requests_key text,
    items integer,
    clusters integer,
    requests integer,
    variants jsonb DEFAULT '{}'::jsonb NOT NULL,
    created_by uuid NOT NULL,
    requested_at timestamptz NOT NULL,
    state text NOT NULL,
    attempts integer NOT NULL,
    lease_id uuid,
    leased_until timestamptz,
    error jsonb,
    CONSTRAINT pk_evaluation_dataset PRIMARY KEY (dataset_id),
    CONSTRAINT uq_evaluation_dataset_name_version UNIQUE (name, version)
);
CREATE INDEX ix_evaluation_dataset_task_slug ON evaluation_dataset (task_slug, dataset_id);
CREATE INDEX ix_evaluation_dataset_waiting ON evaluation_dataset (requested_at)
    WHERE (state = 'preparing'::text);

CREATE TABLE evaluation_turn (
    submitter text NOT NULL,
    taken_at timestamptz NOT NULL,
    CONSTRAINT pk_evaluation_turn PRIMARY KEY (submitter)
);

CREATE TABLE example (
    example_id uuid NOT NULL,
    created_version integer,
    task_id uuid,
    round_id uuid,
    segment_id uuid,
    author_id uuid,
    configuration_version integer,
    context jsonb,
    input jsonb,
    claimed text,
    answers jsonb,
    verdict text,
    cohort text,
    condition text,
    tags jsonb,
    created_at timestamptz,
    decided_version integer,
    decided_verdict text,
    wrong_targets jsonb,
    metadata_version integer,
    metadata jsonb,
    explained_version integer,
    label_explanation text,
    model_explanation text,
    retracted_version integer,
    retracted_at timestamptz,
    resolution_version integer,
    resolution text,
    golds jsonb,
    is_adjudicated boolean,
    resolved_at timestamptz,
    duplicate_of uuid,
    decided_duplicate_of uuid,
    overruled_version integer,
    overruled_verdict text,
    context_id uuid,
    attempt integer,
    assigned_label text,
    seconds_since_context double precision,
    probes_before integer,
    inspections_before integer,
    perturbation_of uuid,
    source_id text,
    appealed_version integer,
    CONSTRAINT pk_example PRIMARY KEY (example_id)
);
CREATE INDEX ix_example_author_id_example_id ON example (author_id, example_id);
CREATE INDEX ix_example_round_id_example_id ON example (round_id, example_id);

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

CREATE TABLE known_item_answer (
    example_id uuid NOT NULL,
    version integer NOT NULL,
    vote_id uuid,
    voter_id uuid,
    record text,
    CONSTRAINT pk_known_item_answer PRIMARY KEY (example_id)
);
CREATE INDEX ix_known_item_answer_voter_id ON known_item_answer (voter_id, vote_id);

CREATE TABLE leak (
    dataset_id uuid NOT NULL,
    place text NOT NULL,
    reference uuid NOT NULL,
    name text NOT NULL,
    found_at timestamptz NOT NULL,
    CONSTRAINT pk_leak PRIMARY KEY (dataset_id, place, reference),
    CONSTRAINT fk_leak_dataset_id_evaluation_dataset FOREIGN KEY (dataset_id)
        REFERENCES evaluation_dataset(dataset_id)
);

CREATE TABLE measurement (
    subject_id uuid NOT NULL,
    state text NOT NULL,
    requested_at timestamptz NOT NULL,
    attempts integer NOT NULL,
    lease_id uuid,
    leased_until timestamptz,
    measured_at timestamptz,
    result jsonb,
    error jsonb,
    CONSTRAINT pk_measurement PRIMARY KEY (subject_id)
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

CREATE TABLE release (
    release_id uuid NOT NULL,
    round_id uuid NOT NULL,
    requested_by uuid NOT NULL,
    requested_at timestamptz NOT NULL,
    options jsonb NOT NULL,
    state text NOT NULL,
    step text NOT NULL,
    progress double precision NOT NULL,
    attempts integer NOT NULL,
    lease_id uuid,
    leased_until timestamptz,
    dataset_id uuid,
    error jsonb,
    CONSTRAINT pk_release PRIMARY KEY (release_id)
);
CREATE UNIQUE INDEX uq_release_round_id_live ON release (round_id)
    WHERE (state = ANY (ARRAY['building'::text, 'done'::text]));

CREATE TABLE release_key (
    round_id uuid NOT NULL,
    key bytea NOT NULL,
    CONSTRAINT pk_release_key PRIMARY KEY (round_id)
);

CREATE TABLE repeated_error (
    round_id uuid NOT NULL,
    example_id uuid NOT NULL,
    target text NOT NULL,
    release_id uuid NOT NULL,
    repeated integer,
    CONSTRAINT pk_repeated_error PRIMARY KEY (round_id, example_id, target)
);

CREATE TABLE round (
    round_id uuid NOT NULL,
    created_version integer,
    task_id uuid,
    number integer,
    title text,
    origin text,
    source text,
    targets_version integer,
    targets jsonb,
    state_version integer,
    state text,
    CONSTRAINT pk_round PRIMARY KEY (round_id)
);

CREATE TABLE segment (
    segment_id uuid NOT NULL,
    fact_version integer,
    round_id uuid,
    number integer,
    targets jsonb,
    CONSTRAINT pk_segment PRIMARY KEY (segment_id)
);
CREATE INDEX ix_segment_round_id ON segment (round_id);

CREATE TABLE task_configuration (
    task_id uuid NOT NULL,
    configuration_version integer NOT NULL,
    fact_version integer,
    slug text,
    title text,
    configuration jsonb,
    CONSTRAINT pk_task_configuration PRIMARY KEY (task_id, configuration_version)
);

CREATE TABLE vote (
    vote_id uuid NOT NULL,
    cast_version integer,
    example_id uuid,
    voter_id uuid,
    kind text,
    option text,
    reason text,
    counted boolean,
    metadata jsonb,
    cast_at timestamptz,
    withdrawn_version integer,
    cause text,
    judged_version integer,
    agrees boolean,
    corrected text,
    explanation text,
    seconds double precision,
    CONSTRAINT pk_vote PRIMARY KEY (vote_id)
);
CREATE INDEX ix_vote_example_id ON vote (example_id);
CREATE INDEX ix_vote_voter_id_vote_id ON vote (voter_id, vote_id);

CREATE TABLE canary (
    word text NOT NULL,
    dataset_id uuid NOT NULL,
    CONSTRAINT pk_canary PRIMARY KEY (word),
    CONSTRAINT fk_canary_dataset_id_evaluation_dataset FOREIGN KEY (dataset_id)
        REFERENCES evaluation_dataset(dataset_id)
);
CREATE INDEX ix_canary_dataset_id ON canary (dataset_id);

CREATE TABLE evaluation (
    evaluation_id uuid NOT NULL,
    task_slug text NOT NULL,
    dataset_id uuid NOT NULL,
    model_name text NOT NULL,
    model_digest text NOT NULL,
    handler_digest text NOT NULL,
    submitted_by uuid,
    prediction_only boolean NOT NULL,
    metric_version integer NOT NULL,
    state text NOT NULL,
    requested_at timestamptz NOT NULL,
    begun_at timestamptz,
    ended_at timestamptz,
    event_version integer NOT NULL,
    shards integer NOT NULL,
    shards_done integer NOT NULL,
    attempts integer NOT NULL,
    waits_for text,
    lease_id uuid,
    leased_until timestamptz,
    error jsonb,
    result jsonb,
    predictions_key text,
    external jsonb,
    CONSTRAINT pk_evaluation PRIMARY KEY (evaluation_id),
    CONSTRAINT uq_evaluation_model UNIQUE (model_name, model_digest, handler_digest, dataset_id,
        metric_version),
    CONSTRAINT fk_evaluation_dataset_id_evaluation_dataset FOREIGN KEY (dataset_id)
        REFERENCES evaluation_dataset(dataset_id)
);
CREATE INDEX ix_evaluation_dataset_id_model_name ON evaluation (dataset_id, model_name);
CREATE INDEX ix_evaluation_open ON evaluation (requested_at)
    WHERE (state = ANY (ARRAY['queued'::text, 'running'::text, 'finishing'::text]));
CREATE INDEX ix_evaluation_task_slug ON evaluation (task_slug, evaluation_id);

CREATE TABLE evaluation_line (
    line_id uuid NOT NULL,
    evaluation_id uuid NOT NULL,
    at timestamptz NOT NULL,
    event text NOT NULL,
    facts jsonb NOT NULL,
    CONSTRAINT pk_evaluation_line PRIMARY KEY (line_id),
    CONSTRAINT fk_evaluation_line_evaluation_id_evaluation FOREIGN KEY (evaluation_id)
        REFERENCES evaluation(evaluation_id)
);
CREATE INDEX ix_evaluation_line_evaluation_id ON evaluation_line (evaluation_id, line_id);

CREATE TABLE shard (
    shard_id uuid NOT NULL,
    evaluation_id uuid NOT NULL,
    number integer NOT NULL,
    first_request bigint NOT NULL,
    requests integer NOT NULL,
    state text NOT NULL,
    requested_at timestamptz NOT NULL,
    attempts integer NOT NULL,
    lease_id uuid,
    leased_until timestamptz,
    answers bytea,
    error jsonb,
    begun_at timestamptz,
    answered_at timestamptz,
    CONSTRAINT pk_shard PRIMARY KEY (shard_id),
    CONSTRAINT uq_shard_evaluation_id_number UNIQUE (evaluation_id, number),
    CONSTRAINT fk_shard_evaluation_id_evaluation FOREIGN KEY (evaluation_id)
        REFERENCES evaluation(evaluation_id)
);
CREATE INDEX ix_shard_held ON shard (evaluation_id) WHERE ((state = 'open'::text) AND (lease_id IS NOT NULL));
CREATE INDEX ix_shard_open ON shard (evaluation_id, number) WHERE (state = 'open'::text);

CREATE FUNCTION count_examples_delete() RETURNS trigger
    LANGUAGE plpgsql
    AS $$ BEGIN
        INSERT INTO author_count (round_id, author_id, configuration_version, is_retracted, verdict, resolution,
            has_golds, has_claim, examples)
        SELECT round_id, author_id, configuration_version, is_retracted, verdict, resolution, has_golds,
            has_claim, sum(change)
        FROM (SELECT round_id,
            coalesce(author_id, example_id) AS author_id,
            configuration_version,
            retracted_version IS NOT NULL AS is_retracted,
            coalesce(overruled_verdict, decided_verdict, verdict) AS verdict,
            coalesce(resolution, '') AS resolution,
            coalesce(jsonb_array_length(golds), 0) > 0 AS has_golds,
            claimed <> '' AS has_claim,
            -1 AS change
        FROM before WHERE round_id IS NOT NULL) AS changed
        GROUP BY round_id, author_id, configuration_version, is_retracted, verdict, resolution, has_golds,
            has_claim HAVING sum(change) <> 0 ORDER BY round_id, author_id, configuration_version, is_retracted,
            verdict, resolution, has_golds, has_claim ON CONFLICT (round_id, author_id, configuration_version,
            is_retracted, verdict, resolution, has_golds, has_claim) DO UPDATE SET examples =
            author_count.examples + excluded.examples; RETURN NULL; END $$;

CREATE FUNCTION count_examples_insert() RETURNS trigger
    LANGUAGE plpgsql
    AS $$ BEGIN
        INSERT INTO author_count (round_id, author_id, configuration_version, is_retracted, verdict, resolution,
            has_golds, has_claim, examples)
        SELECT round_id, author_id, configuration_version, is_retracted, verdict, resolution, has_golds,
            has_claim, sum(change)
        FROM (SELECT round_id,
            coalesce(author_id, example_id) AS author_id,
            configuration_version,
            retracted_version IS NOT NULL AS is_retracted,
            coalesce(overruled_verdict, decided_verdict, verdict) AS verdict,
            coalesce(resolution, '') AS resolution,
            coalesce(jsonb_array_length(golds), 0) > 0 AS has_golds,
            claimed <> '' AS has_claim,
            1 AS change
        FROM after WHERE round_id IS NOT NULL) AS changed
        GROUP BY round_id, author_id, configuration_version, is_retracted, verdict, resolution, has_golds,
            has_claim HAVING sum(change) <> 0 ORDER BY round_id, author_id, configuration_version, is_retracted,
            verdict, resolution, has_golds, has_claim ON CONFLICT (round_id, author_id, configuration_version,
            is_retracted, verdict, resolution, has_golds, has_claim) DO UPDATE SET examples =
            author_count.examples + excluded.examples; RETURN NULL; END $$;

CREATE FUNCTION count_examples_update() RETURNS trigger
    LANGUAGE plpgsql
    AS $$ BEGIN
        INSERT INTO author_count (round_id, author_id, configuration_version, is_retracted, verdict, resolution,
            has_golds, has_claim, examples)
        SELECT round_id, author_id, configuration_version, is_retracted, verdict, resolution, has_golds,
            has_claim, sum(change)
        FROM (SELECT round_id,
            coalesce(author_id, example_id) AS author_id,
            configuration_version,
            retracted_version IS NOT NULL AS is_retracted,
            coalesce(overruled_verdict, decided_verdict, verdict) AS verdict,
            coalesce(resolution, '') AS resolution,
            coalesce(jsonb_array_length(golds), 0) > 0 AS has_golds,
            claimed <> '' AS has_claim,
            -1 AS change
        FROM before WHERE round_id IS NOT NULL UNION ALL SELECT round_id,
            coalesce(author_id, example_id) AS author_id,
            configuration_version,
            retracted_version IS NOT NULL AS is_retracted,
            coalesce(overruled_verdict, decided_verdict, verdict) AS verdict,
            coalesce(resolution, '') AS resolution,
            coalesce(jsonb_array_length(golds), 0) > 0 AS has_golds,
            claimed <> '' AS has_claim,
            1 AS change
        FROM after WHERE round_id IS NOT NULL) AS changed
        GROUP BY round_id, author_id, configuration_version, is_retracted, verdict, resolution, has_golds,
            has_claim HAVING sum(change) <> 0 ORDER BY round_id, author_id, configuration_version, is_retracted,
            verdict, resolution, has_golds, has_claim ON CONFLICT (round_id, author_id, configuration_version,
            is_retracted, verdict, resolution, has_golds, has_claim) DO UPDATE SET examples =
            author_count.examples + excluded.examples; RETURN NULL; END $$;

CREATE TRIGGER count_examples_delete AFTER DELETE ON example
    REFERENCING OLD TABLE AS before FOR EACH STATEMENT
    EXECUTE FUNCTION count_examples_delete();
CREATE TRIGGER count_examples_insert AFTER INSERT ON example
    REFERENCING NEW TABLE AS after FOR EACH STATEMENT
    EXECUTE FUNCTION count_examples_insert();
CREATE TRIGGER count_examples_update AFTER UPDATE ON example
    REFERENCING OLD TABLE AS before NEW TABLE AS after FOR EACH STATEMENT
    EXECUTE FUNCTION count_examples_update();

CREATE TABLE confirmed_error (
    example_id uuid NOT NULL,
    target text NOT NULL,
    round_id uuid NOT NULL,
    resolved_at timestamptz NOT NULL,
    merit double precision NOT NULL,
    CONSTRAINT pk_confirmed_error PRIMARY KEY (example_id, target)
);
CREATE INDEX ix_confirmed_error_newest ON confirmed_error (round_id, target, resolved_at, example_id);
CREATE INDEX ix_confirmed_error_best ON confirmed_error (round_id, target, merit, example_id);

CREATE TABLE unjudged_example (
    example_id uuid NOT NULL,
    task_id uuid NOT NULL,
    configuration_version integer NOT NULL,
    CONSTRAINT pk_unjudged_example PRIMARY KEY (example_id)
);
CREATE INDEX ix_unjudged_example_task_id ON unjudged_example (task_id, configuration_version);

CREATE TABLE released_error (
    example_id uuid NOT NULL,
    round_id uuid NOT NULL,
    CONSTRAINT pk_released_error PRIMARY KEY (example_id)
);

CREATE TABLE hidden_example (
    example_id uuid NOT NULL,
    by_author boolean NOT NULL,
    round_id uuid NOT NULL,
    hidden_by uuid NOT NULL,
    hidden_at timestamptz NOT NULL,
    reason text NOT NULL,
    CONSTRAINT pk_hidden_example PRIMARY KEY (example_id, by_author)
);
CREATE INDEX ix_hidden_example_round_id ON hidden_example (round_id);

CREATE TABLE example_report (
    report_id uuid NOT NULL,
    example_id uuid NOT NULL,
    task_id uuid NOT NULL,
    reported_by uuid NOT NULL,
    reported_at timestamptz NOT NULL,
    reason text NOT NULL,
    closed_at timestamptz,
    closed_by uuid,
    decision text,
    decision_reason text,
    CONSTRAINT pk_example_report PRIMARY KEY (report_id)
);
CREATE UNIQUE INDEX uq_example_report_open ON example_report (example_id, reported_by)
    WHERE (closed_at IS NULL);
CREATE INDEX ix_example_report_open ON example_report (task_id, example_id) WHERE (closed_at IS NULL);
CREATE INDEX ix_example_report_reported_by ON example_report (reported_by, reported_at);
"""


def upgrade() -> None:
    """Create everything."""
    op.execute(SCHEMA)
