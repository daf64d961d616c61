"""Add members of tasks, groups of people and invitations, and the versions of people's roles.

Revision ID: 0108
"""

from alembic import op

revision = "0108"
down_revision = "0106"

SCHEMA = """
CREATE TABLE role_change (
    person_id uuid NOT NULL,
    version integer NOT NULL,
    changed_at timestamptz NOT NULL,
    CONSTRAINT pk_role_change PRIMARY KEY (person_id),
    CONSTRAINT fk_role_change_person_id_person FOREIGN KEY (person_id) REFERENCES person (person_id) ON DELETE CASCADE
);
CREATE INDEX ix_role_change_changed_at ON role_change (changed_at);

ALTER TABLE notice_task ADD COLUMN is_private boolean NOT NULL DEFAULT false;

CREATE TABLE task_member (
    task_slug text NOT NULL,
    person_id uuid NOT NULL,
    added_at timestamptz NOT NULL,
    CONSTRAINT pk_task_member PRIMARY KEY (task_slug, person_id),
    CONSTRAINT fk_task_member_person_id_person FOREIGN KEY (person_id) REFERENCES person (person_id) ON DELETE CASCADE
);
CREATE INDEX ix_task_member_person_id ON task_member (person_id);

CREATE TABLE people_group (
    group_id uuid NOT NULL,
    name text NOT NULL,
    owner_id uuid NOT NULL,
    CONSTRAINT pk_people_group PRIMARY KEY (group_id),
    CONSTRAINT uq_people_group_owner_id_name UNIQUE (owner_id, name),
    CONSTRAINT fk_people_group_owner_id_person FOREIGN KEY (owner_id) REFERENCES person (person_id) ON DELETE CASCADE
);

CREATE TABLE group_person (
    group_id uuid NOT NULL,
    person_id uuid NOT NULL,
    CONSTRAINT pk_group_person PRIMARY KEY (group_id, person_id),
    CONSTRAINT fk_group_person_group_id_people_group FOREIGN KEY (group_id) REFERENCES people_group (group_id)
        ON DELETE CASCADE,
    CONSTRAINT fk_group_person_person_id_person FOREIGN KEY (person_id) REFERENCES person (person_id) ON DELETE CASCADE
);
CREATE INDEX ix_group_person_person_id ON group_person (person_id);

CREATE TABLE group_task (
    group_id uuid NOT NULL,
    task_slug text NOT NULL,
    CONSTRAINT pk_group_task PRIMARY KEY (group_id, task_slug),
    CONSTRAINT fk_group_task_group_id_people_group FOREIGN KEY (group_id) REFERENCES people_group (group_id)
        ON DELETE CASCADE
);
CREATE INDEX ix_group_task_task_slug ON group_task (task_slug);

CREATE TABLE invitation (
    invitation_id uuid NOT NULL,
    task_slug text NOT NULL,
    digest bytea NOT NULL,
    made_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL,
    most_uses integer NOT NULL,
    uses integer NOT NULL,
    withdrawn_at timestamptz,
    CONSTRAINT pk_invitation PRIMARY KEY (invitation_id),
    CONSTRAINT uq_invitation_digest UNIQUE (digest)
);
CREATE INDEX ix_invitation_task_slug ON invitation (task_slug, invitation_id);
"""


def upgrade() -> None:
    """Add the tables and columns."""
    op.execute(SCHEMA)


def downgrade() -> None:
    """Remove them."""
    op.execute("DROP TABLE invitation, group_task, group_person, people_group, task_member, role_change")
    op.execute("ALTER TABLE notice_task DROP COLUMN is_private")
