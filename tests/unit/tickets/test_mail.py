"""Mail: one address, whole files, errors told apart."""

from __future__ import annotations

import email
import email.policy
import math
from pathlib import Path
from typing import Any

import pytest
from botocore.exceptions import ClientError, ConnectTimeoutError
from msgspec.structs import replace

from fairgate.adapters.aws.client import SdkClient
from fairgate.adapters.aws.mail import FileMailer, NoMailer, SesMailer, mailer
from fairgate.deadline import within
from fairgate.errors import DependencyUnavailableError, MalformedInputError
from fairgate.ports.outside import Mail
from fairgate.settings import from_environment

MAIL = Mail(
    to="ann@example.org",
    subject="Your tickets – naïve ✓",
    text="Hello\nAnn",
    attachments={"ticket-1.svg": b"<svg/>", "ticket-2.svg": b"<svg></svg>"},
)


class FakeSes:
    def __init__(self, failure: Exception | None = None, *, times: float = math.inf) -> None:
        self.sent: list[dict[str, Any]] = []
        self.failure, self.left = failure, times

    def send_email(self, **request: Any) -> dict[str, Any]:
        self.left -= 1
        if self.failure is not None and self.left >= 0:
            raise self.failure
        self.sent.append(request)
        return {}


def sdk_of(ses: FakeSes) -> SdkClient:
    return SdkClient("sesv2", make=lambda _config: ses, sleep=lambda _s: None)


def no_sleep(_seconds: float) -> None:
    """Wait no time."""


def client_error(code: str) -> ClientError:
    return ClientError({"Error": {"Code": code, "Message": ""}}, "SendEmail")


def test_the_same_mail_sent_again_has_the_same_id(tmp_path: Path) -> None:
    for mail_id in ("link-1", "link-1", "", ""):
        FileMailer(tmp_path, "Fairgate <tickets@example.org>").send(replace(MAIL, mail_id=mail_id))
    ids = sorted(
        email.message_from_bytes(file.read_bytes())["Message-ID"] for file in tmp_path.iterdir()
    )
    assert ids.count("<link-1@example.org>") == 2
    assert len(set(ids)) == 3


def test_answers_go_to_the_contact_or_else_to_the_sender(tmp_path: Path) -> None:
    for reply_to in ("Box@EXAMPLE.org", ""):
        FileMailer(tmp_path).send(replace(MAIL, reply_to=reply_to))
    answers = {
        email.message_from_bytes(file.read_bytes())["Reply-To"] for file in tmp_path.iterdir()
    }
    assert answers == {"Box@example.org", None}


def test_a_mail_program_reads_the_file(tmp_path: Path) -> None:
    FileMailer(tmp_path / "mail").send(MAIL)
    (file,) = (tmp_path / "mail").iterdir()
    assert file.suffix == ".eml"
    assert file.stat().st_mode & 0o777 == 0o600
    message = email.message_from_bytes(file.read_bytes(), policy=email.policy.default)
    assert message["To"] == "ann@example.org"
    assert message["Subject"] == MAIL.subject
    body = message.get_body()
    assert body is not None
    assert body.get_content().strip().splitlines() == ["Hello", "Ann"]
    attached = {a.get_filename(): a for a in message.iter_attachments()}
    assert {name: a.get_payload(decode=True) for name, a in attached.items()} == MAIL.attachments
    assert {a.get_content_type() for a in attached.values()} == {"image/svg+xml"}


def test_a_calendar_file_is_called_one_on_any_machine(tmp_path: Path) -> None:
    calendar = b"BEGIN:VCALENDAR\r\nSUMMARY:\xc5\x81\r\nEND:VCALENDAR\r\n"
    FileMailer(tmp_path).send(replace(MAIL, attachments={"event.ics": calendar}))
    (file,) = tmp_path.iterdir()
    message = email.message_from_bytes(file.read_bytes(), policy=email.policy.default)
    (attached,) = message.iter_attachments()
    assert attached.get_content_type() == "text/calendar"
    assert attached.get_payload(decode=True) == calendar


def test_every_mail_has_its_own_file_when_many_are_sent_at_once(tmp_path: Path) -> None:
    for _ in range(20):
        FileMailer(tmp_path).send(MAIL)
    assert len(list(tmp_path.glob("*.eml"))) == 20


@pytest.mark.parametrize(
    "address",
    [
        "",
        "ann",
        "@example.org",
        "ann@",
        "ann@example.org, eve@example.org",
        "ann@example.org\nBcc: eve@example.org",
        "ann@example.org\r\n\r\nbody",
        "Ann <ann@example.org>",
        "a" * 250 + "@example.org",
        "ann@exa mple.org",
        "\ud800@example.org",
        "ann\x00@example.org",
        " ann@example.org",
        "ann\t@example.org",
        "(note)ann@example.org",
        '""@example.org',
        "änn@example.org",
        "ann@ex\u200bample.org",
        "ann@ex\u202eample.org",
        "ann@" + "ü" * 60 + ".example",
    ],
)
def test_nothing_is_sent_when_the_address_is_not_exactly_one(address: str, tmp_path: Path) -> None:
    with pytest.raises(MalformedInputError):
        FileMailer(tmp_path).send(replace(MAIL, to=address))
    ses = FakeSes()
    with pytest.raises(MalformedInputError):
        SesMailer("box@example.org", sdk_of(ses)).send(replace(MAIL, to=address))
    assert list(tmp_path.iterdir()) == []
    assert ses.sent == []


def test_ses_gets_the_whole_message() -> None:
    ses = FakeSes()
    SesMailer("Box <box@example.org>", sdk_of(ses)).send(MAIL)
    (request,) = ses.sent
    assert request["Destination"] == {"ToAddresses": ["ann@example.org"]}
    message = email.message_from_bytes(request["Content"]["Raw"]["Data"])
    assert message["From"] == "Box <box@example.org>"
    assert message["Message-ID"].endswith("@example.org>")


def test_a_domain_of_other_letters_is_written_as_the_dns_has_it(tmp_path: Path) -> None:
    mail = replace(MAIL, to="Ann@Bücher.example")
    FileMailer(tmp_path).send(mail)
    (file,) = tmp_path.iterdir()
    assert b"\r\nTo: Ann@xn--bcher-kva.example\r\n" in b"\r\n" + file.read_bytes()
    ses = FakeSes()
    SesMailer("box@example.org", sdk_of(ses)).send(mail)
    (request,) = ses.sent
    assert request["Destination"] == {"ToAddresses": ["Ann@xn--bcher-kva.example"]}


@pytest.mark.parametrize("address", ['"a b"@example.org', '"a\\"b"@example.org', "Ann@example.org"])
def test_an_address_is_written_as_it_was_typed(address: str) -> None:
    ses = FakeSes()
    SesMailer("box@example.org", sdk_of(ses)).send(replace(MAIL, to=address))
    (request,) = ses.sent
    assert request["Destination"] == {"ToAddresses": [address]}
    assert f"To: {address}\r\n".encode() in request["Content"]["Raw"]["Data"]


@pytest.mark.parametrize(
    "failure",
    [client_error("TooManyRequestsException"), ConnectTimeoutError(endpoint_url="http://x")],
)
def test_it_is_worth_another_try_when_ses_is_busy_or_silent(failure: Exception) -> None:
    with pytest.raises(DependencyUnavailableError):
        SesMailer("box@example.org", sdk_of(FakeSes(failure)), no_sleep).send(MAIL)


def test_a_mail_waits_for_its_turn_where_the_account_may_send_no_faster() -> None:
    """Else it is given away after five deliveries, as thousands of a cancelled event would be."""
    pauses: list[float] = []
    ses = FakeSes(client_error("TooManyRequestsException"), times=5)
    SesMailer("box@example.org", sdk_of(ses), pauses.append).send(MAIL)
    assert len(ses.sent) == 1
    assert 0.5 <= min(pauses) <= max(pauses) <= 1.5


def test_nobody_waits_beyond_the_function_s_time_or_for_what_is_no_matter_of_turns() -> None:
    pauses: list[float] = []
    fast, refused = client_error("TooManyRequestsException"), client_error("MessageRejected")
    with within(6.0), pytest.raises(DependencyUnavailableError):
        SesMailer("box@example.org", sdk_of(FakeSes(fast)), pauses.append).send(MAIL)
    with pytest.raises(ClientError):
        SesMailer("box@example.org", sdk_of(FakeSes(refused)), pauses.append).send(MAIL)
    assert pauses == []


def test_an_unknown_refusal_of_ses_propagates() -> None:
    with pytest.raises(ClientError):
        SesMailer("box@example.org", sdk_of(FakeSes(client_error("MessageRejected")))).send(MAIL)


def test_the_settings_choose_files_or_ses_or_nothing(tmp_path: Path) -> None:
    chosen = [
        mailer(from_environment(environ))
        for environ in (
            {"FAIRGATE_MAIL_DIR": str(tmp_path), "FAIRGATE_MAIL_SENDER": "box@example.org"},
            {"FAIRGATE_MAIL_SENDER": "box@example.org"},
            {},
        )
    ]
    assert [type(m) for m in chosen] == [FileMailer, SesMailer, NoMailer]
    chosen[2].send(MAIL)
