"""Mails: none is lost while nobody takes them, and what SMTP carries is what was written."""

import smtplib
import socketserver
import threading
from collections.abc import Callable, Iterator
from email import message_from_bytes, policy
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from accounts.domain.link import LIFETIME
from accounts.mail import queue
from accounts.mail.delivery import MailDependencies, send_next
from accounts.mail.domain import ATTEMPT_LIMIT, FIRST_WAIT, LONGEST_WAIT, Mail, MailRefused, write
from accounts.mail.queue import SqlMails
from accounts.mail.senders import FolderSender, NobodyTakesMail, SmtpSender
from accounts.mail.texts import CatalogueTexts
from accounts.settings import AccountsSettings
from dynabench_common.settings import SettingsError, load
from dynabench_common.testing import FixedClock
from sqlalchemy import Engine, delete, select

from .conftest import Api


class Server(socketserver.ThreadingTCPServer):
    """As much of SMTP as smtplib speaks to; `replies` overrule the answer to a verb."""

    allow_reuse_address = True
    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Conversation)
        self.received: list[bytes] = []
        self.replies: dict[str, str] = {}


class Conversation(socketserver.StreamRequestHandler):
    """One client."""

    def handle(self) -> None:
        server = self.server
        assert isinstance(server, Server)
        self.wfile.write(b"220 here\r\n")
        for line in self.rfile:
            verb = line[:4].decode().strip().upper()
            self.wfile.write(server.replies.get(verb, "354 go on" if verb == "DATA" else "250 fine").encode())
            self.wfile.write(b"\r\n")
            if verb == "QUIT":
                return
            if verb == "DATA" and verb not in server.replies:
                server.received.append(b"".join(iter(self.rfile.readline, b".\r\n")))
                self.wfile.write(b"250 taken\r\n")


@pytest.fixture
def server() -> Iterator[Server]:
    with Server() as found:
        thread = threading.Thread(target=found.serve_forever, args=(0.02,), daemon=True)
        thread.start()
        yield found
        found.shutdown()


@pytest.fixture
def by_smtp(server: Server, accounts_settings: AccountsSettings) -> SmtpSender:
    given = {"smtp_host": "127.0.0.1", "smtp_port": server.server_address[1], "smtp_tls": "none"}
    return SmtpSender(AccountsSettings(**{**accounts_settings.model_dump(), **given}))


@pytest.fixture
def kept(engine: Engine, clock: FixedClock) -> Iterator[Callable[[], Any]]:
    """Write a mail, and return what reads its row."""
    with engine.begin() as connection:
        SqlMails(connection).add(a_mail(clock))

    def read() -> Any:
        with engine.connect() as connection:
            return connection.execute(select(queue.mail)).one()

    yield read
    with engine.begin() as connection:
        connection.execute(delete(queue.mail))


def a_mail(clock: FixedClock) -> Mail:
    return write(UUID(int=7), "ada@example.org", "Grüße", "Zwölf Boxkämpfer\n", clock.now(), LIFETIME)


@pytest.fixture
def send(engine: Engine, clock: FixedClock, by_smtp: SmtpSender) -> Callable[[], bool]:
    """Return what tries to send one mail by SMTP, and tells whether there was one."""
    return lambda: send_next(MailDependencies(engine, clock, by_smtp))


def test_smtp_carries_what_was_written(by_smtp: SmtpSender, server: Server, clock: FixedClock) -> None:
    by_smtp.send(a_mail(clock))
    (raw,) = server.received
    message = message_from_bytes(raw, policy=policy.default)
    assert (message["To"], message["Subject"]) == ("ada@example.org", "Grüße")
    assert message["Message-ID"] == f"<{UUID(int=7)}@localhost>"
    assert message.get_content().replace("\r\n", "\n") == "Zwölf Boxkämpfer\n"


def test_a_mail_waits_while_smtp_is_away_and_leaves_when_it_is_back(
    engine: Engine, clock: FixedClock, send: Callable[[], bool], server: Server, kept: Callable[[], Any]
) -> None:
    server.replies["MAIL"] = "451 later"
    assert send()
    assert not send()
    waiting = kept()
    assert waiting.body and "451" in waiting.trouble
    for _ in range(8):
        clock.move(LONGEST_WAIT.total_seconds() / 4)
        send()
    server.replies.clear()
    clock.move(LONGEST_WAIT.total_seconds())
    assert send()
    sent = kept()
    assert (sent.body, sent.trouble, len(server.received)) == (None, None, 1)
    assert sent.sent_at is not None


def test_a_recipient_who_is_refused_for_good_is_given_up(
    engine: Engine, clock: FixedClock, send: Callable[[], bool], server: Server, kept: Callable[[], Any]
) -> None:
    server.replies["RCPT"] = "550 nobody here"
    send()
    assert (kept().body, kept().given_up_at is not None, server.received) == (None, True, [])


def test_a_mail_that_cannot_be_written_keeps_no_other(
    engine: Engine, clock: FixedClock, send: Callable[[], bool], server: Server, kept: Callable[[], Any]
) -> None:
    unwritable = write(UUID(int=8), "=?utf-8?q?=0a?=@example.org", "Hello", "text", clock.now(), LIFETIME)
    unwritable.due_at = clock.now() - FIRST_WAIT
    with engine.begin() as connection:
        SqlMails(connection).add(unwritable)
    assert send()
    assert send()
    assert len(server.received) == 1
    assert not send()
    with engine.connect() as connection:
        left = connection.execute(select(queue.mail).where(queue.mail.c.body.is_not(None))).one()
    assert (left.mail_id, left.trouble[:10]) == (UUID(int=8), "ValueError")


def test_a_mail_whose_link_has_expired_is_not_sent(
    engine: Engine, clock: FixedClock, send: Callable[[], bool], server: Server, kept: Callable[[], Any]
) -> None:
    clock.move(LIFETIME.total_seconds())
    send()
    assert (kept().body, kept().given_up_at is not None, server.received) == (None, True, [])


def test_a_process_that_ends_in_an_attempt_leaves_the_mail_to_another(
    engine: Engine,
    clock: FixedClock,
    send: Callable[[], bool],
    server: Server,
    kept: Callable[[], Any],
) -> None:
    class Ends:
        def send(self, mail: Mail) -> None:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        send_next(MailDependencies(engine, clock, Ends()))
    assert kept().body
    assert not send()
    clock.move(ATTEMPT_LIMIT.total_seconds())
    assert send()
    assert (kept().body, len(server.received)) == (None, 1)


def test_the_waits_grow_up_to_a_quarter_of_an_hour(clock: FixedClock) -> None:
    mail, waits = a_mail(clock), []
    for _ in range(9):
        assert mail.begin_attempt(clock.now())
        mail.failed(clock.now(), "away", for_good=False)
        waits.append(mail.due_at - clock.now())
    assert waits == sorted(waits)
    assert (waits[0], waits[-1]) == (FIRST_WAIT, LONGEST_WAIT)


def test_a_folder_that_cannot_be_written_keeps_the_mail(tmp_path: Path, clock: FixedClock) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(MailRefused):
        FolderSender(tmp_path / "file", "a@example.org").send(a_mail(clock))
    with pytest.raises(MailRefused):
        NobodyTakesMail().send(a_mail(clock))


def test_files_of_mails_are_for_their_user_alone(tmp_path: Path, clock: FixedClock) -> None:
    FolderSender(tmp_path / "mail", "a@example.org").send(a_mail(clock))
    (path,) = (tmp_path / "mail").iterdir()
    assert (path.suffix, path.stat().st_mode & 0o777) == (".eml", 0o600)
    assert path.parent.stat().st_mode & 0o777 == 0o700


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"smtp_host": "127.0.0.1", "mail_folder": "mail"}, r"SMTP_HOST: .*excludes MAIL_FOLDER"),
        ({"smtp_user": "ada", "smtp_tls": "none"}, r"SMTP_TLS: .*in the clear"),
    ],
)
def test_settings_that_do_not_go_together_are_refused(
    accounts_settings: AccountsSettings, monkeypatch: pytest.MonkeyPatch, given: dict[str, str], said: str
) -> None:
    for name, value in {**accounts_settings.model_dump(exclude_none=True), **given}.items():
        monkeypatch.setenv(name.upper(), str(value))
    with pytest.raises(SettingsError, match=said):
        load(AccountsSettings)


def test_counts_tell_of_mails_that_do_not_leave(
    engine: Engine, clock: FixedClock, kept: Callable[[], Any], administrator: Api, api: Api
) -> None:
    send_next(MailDependencies(engine, clock, NobodyTakesMail()))
    counts = administrator.call("GET", "/mails/counts").get_json()
    assert (counts["waiting"], counts["given_up"]) == (1, 0)
    assert counts["trouble"] == "neither SMTP_HOST nor MAIL_FOLDER is set"
    assert api.new_person("ada").call("GET", "/mails/counts").status_code == 403
    assert kept().body


def test_texts_of_mails_are_those_of_the_catalogue(tmp_path: Path) -> None:
    (tmp_path / "de.po").write_text('msgid "Hello"\nmsgstr "Guten Tag"\n', encoding="utf-8")
    texts = CatalogueTexts(tmp_path)
    assert [texts.say(code, "Hello") for code in ("de", "de-AT", "fr", "en")] == [
        *("Guten Tag", "Guten Tag"),
        *("Hello", "Hello"),
    ]


def test_the_standard_library_is_what_sends(by_smtp: SmtpSender, server: Server, clock: FixedClock) -> None:
    server.replies["EHLO"] = server.replies["HELO"] = "421 not now"
    with pytest.raises(MailRefused) as refused:
        by_smtp.send(a_mail(clock))
    assert isinstance(refused.value.__cause__, smtplib.SMTPException)
    assert not refused.value.for_good
