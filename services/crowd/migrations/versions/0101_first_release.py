"""Create the tables of campaigns, assignments and money, and the copies of facts.

Revision ID: 0101
"""

from alembic import op

revision = "0101"
down_revision = None

SCHEMA = """
CREATE TABLE task_configuration (
    task_id uuid NOT NULL,
    configuration_version integer NOT NULL,
    fact_version integer NOT NULL,
    slug text NOT NULL,
    title text NOT NULL,
    configuration jsonb NOT NULL,
    CONSTRAINT pk_task_configuration PRIMARY KEY (task_id, configuration_version)
);

CREATE TABLE round (
    round_id uuid NOT NULL,
    created_version integer,
    task_id uuid,
    number integer,
    state_version integer,
    state text,
    CONSTRAINT pk_round PRIMARY KEY (round_id)
);

CREATE TABLE example (
    example_id uuid NOT NULL,
    created_version integer,
    task_id uuid,
    configuration_version integer,
    round_id uuid,
    author_id uuid,
    answers jsonb,
    verdict text,
    is_duplicate boolean,
    seconds bigint,
    created_at timestamptz,
    decided_version integer,
    decided_verdict text,
    wrong_targets jsonb,
    overruled_version integer,
    resolution_version integer,
    resolution text,
    golds jsonb,
    retracted_version integer,
    is_error boolean DEFAULT false NOT NULL,
    pasted_characters bigint,
    bands bigint[],
    CONSTRAINT pk_example PRIMARY KEY (example_id)
);
CREATE INDEX ix_example_author_id_round_id ON example (author_id, round_id);

CREATE TABLE vote (
    vote_id uuid NOT NULL,
    cast_version integer,
    round_id uuid,
    voter_id uuid,
    seconds bigint,
    cast_at timestamptz,
    withdrawn_version integer,
    example_id uuid,
    answer text,
    CONSTRAINT pk_vote PRIMARY KEY (vote_id)
);
CREATE INDEX ix_vote_voter_id_round_id ON vote (voter_id, round_id);

CREATE TABLE campaign (
    campaign_id uuid NOT NULL,
    version integer NOT NULL,
    round_id uuid NOT NULL,
    task_slug text NOT NULL,
    work text NOT NULL,
    state text NOT NULL,
    title text NOT NULL,
    platform text NOT NULL,
    units integer NOT NULL,
    places integer NOT NULL,
    reward_minor bigint NOT NULL,
    bonus_minor bigint NOT NULL,
    screen_out_minor bigint NOT NULL,
    currency text NOT NULL,
    minutes integer NOT NULL,
    languages jsonb NOT NULL,
    qualifications jsonb NOT NULL,
    codes jsonb NOT NULL,
    study_id text,
    problem text,
    launching_until timestamptz,
    pay_low_at timestamptz,
    created_by uuid NOT NULL,
    created_at timestamptz NOT NULL,
    launched_at timestamptz,
    ended_at timestamptz,
    CONSTRAINT pk_campaign PRIMARY KEY (campaign_id),
    CONSTRAINT uq_campaign_platform_study_id UNIQUE (platform, study_id)
);
CREATE INDEX ix_campaign_round_id ON campaign (round_id);

CREATE TABLE worker (
    platform text NOT NULL,
    worker_id text NOT NULL,
    person_id uuid NOT NULL,
    CONSTRAINT pk_worker PRIMARY KEY (platform, worker_id),
    CONSTRAINT uq_worker_person_id UNIQUE (person_id)
);

CREATE TABLE assignment (
    assignment_id uuid NOT NULL,
    version integer NOT NULL,
    campaign_id uuid NOT NULL,
    person_id uuid NOT NULL,
    state text NOT NULL,
    submission_id text NOT NULL,
    parameters jsonb NOT NULL,
    is_proved boolean NOT NULL,
    device text,
    why text,
    rejection_category text,
    accepted_at timestamptz NOT NULL,
    deadline timestamptz NOT NULL,
    submitted_at timestamptz,
    stopped_at timestamptz,
    changed_at timestamptz NOT NULL,
    CONSTRAINT pk_assignment PRIMARY KEY (assignment_id),
    CONSTRAINT fk_assignment_campaign_id_campaign FOREIGN KEY (campaign_id) REFERENCES campaign(campaign_id),
    CONSTRAINT fk_assignment_person_id_worker FOREIGN KEY (person_id) REFERENCES worker(person_id),
    CONSTRAINT uq_assignment_campaign_id_person_id UNIQUE (campaign_id, person_id),
    CONSTRAINT uq_assignment_campaign_id_submission_id UNIQUE (campaign_id, submission_id)
);
CREATE INDEX ix_assignment_person_id ON assignment (person_id);
CREATE INDEX ix_assignment_deadline ON assignment (deadline) WHERE (state = 'working');

CREATE TABLE posting (
    posting_id uuid NOT NULL,
    at timestamptz NOT NULL,
    kind text NOT NULL,
    from_account text NOT NULL,
    to_account text NOT NULL,
    amount_minor bigint NOT NULL,
    currency text NOT NULL,
    campaign_id uuid NOT NULL,
    assignment_id uuid,
    cause text NOT NULL,
    CONSTRAINT ck_posting_amount CHECK (amount_minor > 0),
    CONSTRAINT pk_posting PRIMARY KEY (posting_id),
    CONSTRAINT fk_posting_campaign_id_campaign FOREIGN KEY (campaign_id) REFERENCES campaign(campaign_id),
    CONSTRAINT fk_posting_assignment_id_assignment FOREIGN KEY (assignment_id) REFERENCES assignment(assignment_id),
    CONSTRAINT uq_posting_cause UNIQUE (cause)
);
CREATE INDEX ix_posting_assignment_id ON posting (assignment_id);
CREATE INDEX ix_posting_campaign_id_at ON posting (campaign_id, at);

CREATE TABLE payment (
    payment_id uuid NOT NULL,
    campaign_id uuid NOT NULL,
    assignment_id uuid NOT NULL,
    kind text NOT NULL,
    amount_minor bigint NOT NULL,
    currency text NOT NULL,
    state text NOT NULL,
    causes text[] NOT NULL,
    reference text,
    problem text,
    made_at timestamptz NOT NULL,
    due_at timestamptz NOT NULL,
    attempted_at timestamptz,
    settled_at timestamptz,
    CONSTRAINT pk_payment PRIMARY KEY (payment_id),
    CONSTRAINT fk_payment_campaign_id_campaign FOREIGN KEY (campaign_id) REFERENCES campaign(campaign_id),
    CONSTRAINT fk_payment_assignment_id_assignment FOREIGN KEY (assignment_id) REFERENCES assignment(assignment_id)
);
CREATE INDEX ix_payment_campaign_id ON payment (campaign_id);
CREATE INDEX ix_payment_assignment_id ON payment (assignment_id);
CREATE INDEX ix_payment_reference ON payment (reference);
CREATE UNIQUE INDEX uq_payment_by_state ON payment (assignment_id)
    WHERE kind IN ('reward', 'screen_out') AND state <> 'refused';
CREATE UNIQUE INDEX uq_payment_extra ON payment (assignment_id)
    WHERE kind NOT IN ('reward', 'screen_out') AND state IN ('prepared', 'unknown');
CREATE INDEX ix_payment_due_at ON payment (due_at) WHERE state IN ('prepared', 'unknown');

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

CREATE TABLE idempotency (
    person_id uuid NOT NULL,
    scope text NOT NULL,
    key text NOT NULL,
    fingerprint text NOT NULL,
    response json NOT NULL,
    created_at timestamptz DEFAULT now() NOT NULL,
    CONSTRAINT pk_idempotency PRIMARY KEY (person_id, scope, key)
);
CREATE INDEX ix_idempotency_created_at ON idempotency (created_at);

CREATE TABLE entry_address (
    assignment_id uuid NOT NULL,
    address bytea NOT NULL,
    seen_at timestamptz NOT NULL,
    CONSTRAINT pk_entry_address PRIMARY KEY (assignment_id, address),
    CONSTRAINT fk_entry_address_assignment_id_assignment
        FOREIGN KEY (assignment_id) REFERENCES assignment(assignment_id)
);
CREATE INDEX ix_entry_address_seen_at ON entry_address (seen_at);

CREATE TABLE review (
    assignment_id uuid NOT NULL,
    decision text NOT NULL,
    reason text NOT NULL,
    decided_at timestamptz NOT NULL,
    appeal text,
    appealed_at timestamptz,
    answer text,
    answered_at timestamptz,
    CONSTRAINT pk_review PRIMARY KEY (assignment_id),
    CONSTRAINT fk_review_assignment_id_assignment
        FOREIGN KEY (assignment_id) REFERENCES assignment(assignment_id)
);
"""


def upgrade() -> None:
    """Create everything."""
    op.execute(SCHEMA)
