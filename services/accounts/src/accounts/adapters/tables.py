"""The tables of people, sessions, tokens and the audit log, and those of events."""

from dynabench_common.events.dead_letters import dead_letter_table
from dynabench_common.events.inbox import inbox_table
from dynabench_common.events.outbox import outbox_table
from sqlalchemy import (
    JSON,
    BigInteger,
    Column,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    Table,
    Text,
    UniqueConstraint,
    Uuid,
)
from sqlalchemy.dialects.postgresql import ARRAY

from accounts.database import MOMENT, metadata

outbox = outbox_table(metadata)
inbox = inbox_table(metadata)
dead_letter = dead_letter_table(metadata)

person = Table(
    "person",
    metadata,
    Column("person_id", Uuid, primary_key=True),
    Column("user_name", Text, nullable=False, unique=True),
    Column("email", Text, nullable=False),
    Column("email_key", Text, nullable=False),
    Column("password_hash", Text, nullable=False),
    Column("roles", ARRAY(Text), nullable=False),
    Column("cohort", Text, nullable=False),
    Column("registered_at", MOMENT, nullable=False),
    Column("version", Integer, nullable=False),
    Column("disabled_at", MOMENT),
    Column("disabled_by", Uuid),
    Column("disabled_reason", Text),
    Column("email_confirmed_at", MOMENT),
    Column("app_secret", Text),
    Column("app_confirmed_at", MOMENT),
    Column("app_last_step", BigInteger),
    Column("recovery_digests", ARRAY(LargeBinary)),
)

Index("ix_person_email_key", person.c.email_key, person.c.person_id)
Index("ix_person_roles", person.c.roles, postgresql_using="gin")

nickname = Table(
    "nickname",
    metadata,
    Column("person_id", Uuid, ForeignKey("person.person_id", ondelete="CASCADE"), primary_key=True),
    Column("text", Text, nullable=False),
    Column("look", Text, nullable=False, unique=True),
    Column("chosen_at", MOMENT, nullable=False),
    Column("hidden_reason", Text, nullable=False),
)

hidden_look = Table(
    "hidden_look",
    metadata,
    Column("look", Text, primary_key=True),
    Column("reason", Text, nullable=False),
)
"""Looks of nicknames that an administrator hid: nobody may choose one."""

nickname_report = Table(
    "nickname_report",
    metadata,
    Column("person_id", Uuid, ForeignKey("nickname.person_id", ondelete="CASCADE"), primary_key=True),
    Column("reporter_id", Uuid, primary_key=True),
    Column("reason", Text, nullable=False),
    Column("reported_at", MOMENT, nullable=False),
)
"""Open reports of nicknames; an administrator's decision or another nickname ends them."""

task_request = Table(
    "task_request",
    metadata,
    Column("person_id", Uuid, ForeignKey("person.person_id", ondelete="CASCADE"), primary_key=True),
    Column("task_slug", Text, nullable=False),
    Column("reason", Text, nullable=False),
    Column("asked_at", MOMENT, nullable=False),
    Column("state", Text, nullable=False),
    Column("answer", Text, nullable=False),
)
"""A person's last request for the right to start a task; the audit log keeps the earlier ones."""
Index("ix_task_request_asked_at", task_request.c.asked_at, postgresql_where=task_request.c.state == "open")

role_change = Table(
    "role_change",
    metadata,
    Column("person_id", Uuid, ForeignKey("person.person_id", ondelete="CASCADE"), primary_key=True),
    Column("version", Integer, nullable=False),
    Column("changed_at", MOMENT, nullable=False),
)
"""The number of changes of a person's roles and memberships, and the time of the last."""
Index("ix_role_change_changed_at", role_change.c.changed_at)

task_member = Table(
    "task_member",
    metadata,
    Column("task_slug", Text, primary_key=True),
    Column("person_id", Uuid, ForeignKey("person.person_id", ondelete="CASCADE"), primary_key=True),
    Column("added_at", MOMENT, nullable=False),
)
"""People who see a private task. The row of the person is the lock."""
Index("ix_task_member_person_id", task_member.c.person_id)

people_group = Table(
    "people_group",
    metadata,
    Column("group_id", Uuid, primary_key=True),
    Column("name", Text, nullable=False),
    Column("owner_id", Uuid, ForeignKey("person.person_id", ondelete="CASCADE"), nullable=False),
    UniqueConstraint("owner_id", "name"),
)

group_person = Table(
    "group_person",
    metadata,
    Column("group_id", Uuid, ForeignKey("people_group.group_id", ondelete="CASCADE"), primary_key=True),
    Column("person_id", Uuid, ForeignKey("person.person_id", ondelete="CASCADE"), primary_key=True),
)
Index("ix_group_person_person_id", group_person.c.person_id)

group_task = Table(
    "group_task",
    metadata,
    Column("group_id", Uuid, ForeignKey("people_group.group_id", ondelete="CASCADE"), primary_key=True),
    Column("task_slug", Text, primary_key=True),
)
"""Tasks whose members the people of a group are."""
Index("ix_group_task_task_slug", group_task.c.task_slug)

invitation = Table(
    "invitation",
    metadata,
    Column("invitation_id", Uuid, primary_key=True),
    Column("task_slug", Text, nullable=False),
    Column("digest", LargeBinary, nullable=False, unique=True),
    Column("made_at", MOMENT, nullable=False),
    Column("expires_at", MOMENT, nullable=False),
    Column("most_uses", Integer, nullable=False),
    Column("uses", Integer, nullable=False),
    Column("withdrawn_at", MOMENT),
)
"""Links by which people become members of a task; only a digest of the secret is stored."""
Index("ix_invitation_task_slug", invitation.c.task_slug, invitation.c.invitation_id)

session = Table(
    "session",
    metadata,
    Column("session_id", Uuid, primary_key=True),
    Column("person_id", Uuid, ForeignKey("person.person_id", ondelete="CASCADE"), nullable=False),
    Column("started_at", MOMENT, nullable=False),
    Column("expires_at", MOMENT, nullable=False),
    Column("ended_at", MOMENT),
    Column("device", Text, nullable=False, server_default=""),
)
Index("ix_session_person_id", session.c.person_id)
Index("ix_session_expires_at", session.c.expires_at)
Index("ix_session_ended_at", session.c.ended_at, postgresql_where=session.c.ended_at.is_not(None))

identity = Table(
    "identity",
    metadata,
    Column("issuer", Text, primary_key=True),
    Column("subject", Text, primary_key=True),
    Column("person_id", Uuid, ForeignKey("person.person_id", ondelete="CASCADE"), nullable=False),
    Column("roles", ARRAY(Text), nullable=False),
    Column("linked_at", MOMENT, nullable=False),
    Column("last_used_at", MOMENT, nullable=False),
)
Index("ix_identity_person_id", identity.c.person_id)

refresh_token = Table(
    "refresh_token",
    metadata,
    Column("digest", LargeBinary, primary_key=True),
    Column("session_id", Uuid, ForeignKey("session.session_id", ondelete="CASCADE"), nullable=False),
    Column("issued_at", MOMENT, nullable=False),
    Column("replaced_at", MOMENT),
)
Index("ix_refresh_token_session_id", refresh_token.c.session_id)

api_token = Table(
    "api_token",
    metadata,
    Column("token_id", Uuid, primary_key=True),
    Column("person_id", Uuid, ForeignKey("person.person_id", ondelete="CASCADE"), nullable=False),
    Column("name", Text, nullable=False),
    Column("digest", LargeBinary, nullable=False, unique=True),
    Column("created_at", MOMENT, nullable=False),
    Column("last_used_at", MOMENT),
    Column("revoked_at", MOMENT),
)
Index("ix_api_token_person_id_token_id", api_token.c.person_id, api_token.c.token_id)
Index("ix_api_token_revoked_at", api_token.c.revoked_at, postgresql_where=api_token.c.revoked_at.is_not(None))

sign_in_failure = Table(
    "sign_in_failure",
    metadata,
    Column("user_name", Text, primary_key=True),
    Column("since", MOMENT, nullable=False),
    Column("count", Integer, nullable=False),
)
Index("ix_sign_in_failure_since", sign_in_failure.c.since)

link = Table(
    "link",
    metadata,
    Column("digest", LargeBinary, primary_key=True),
    Column("kind", Text, nullable=False),
    Column("person_id", Uuid, ForeignKey("person.person_id", ondelete="CASCADE"), nullable=False),
    Column("email", Text, nullable=False),
    Column("issued_at", MOMENT, nullable=False),
    Column("expires_at", MOMENT, nullable=False),
    Column("ended_at", MOMENT),
)
Index("ix_link_person_id", link.c.person_id, link.c.issued_at)
Index("ix_link_expires_at", link.c.expires_at)

audit_entry = Table(
    "audit_entry",
    metadata,
    Column("entry_id", Uuid, primary_key=True),
    Column("actor_id", Uuid),
    Column("action", Text, nullable=False),
    Column("object_kind", Text, nullable=False),
    Column("object_id", Uuid, nullable=False),
    Column("task_slug", Text, nullable=False),
    Column("round_id", Uuid),
    Column("reason", Text, nullable=False),
    Column("details", JSON, nullable=False),
    Column("taken_at", MOMENT, nullable=False),
)
Index("ix_audit_entry_taken_at", audit_entry.c.taken_at, audit_entry.c.entry_id)
for key in ("task_slug", "round_id", "object_id"):
    Index(f"ix_audit_entry_{key}", audit_entry.c[key], audit_entry.c.taken_at, audit_entry.c.entry_id)
