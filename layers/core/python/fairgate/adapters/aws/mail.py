"""Send mail: by SES in AWS, as files on one machine, not at all without a sender."""

from __future__ import annotations

import mimetypes
import os
import random
import secrets
import time
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import formatdate, make_msgid, parseaddr
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fairgate.adapters.aws.client import SdkClient
from fairgate.deadline import left_s
from fairgate.domain.shared.mail_address import sent_to
from fairgate.errors import DependencyUnavailableError

if TYPE_CHECKING:
    from collections.abc import Callable

    from fairgate.ports.outside import Mail, Mailer
    from fairgate.settings import Settings

CONNECT_S, READ_S = 2.0, 5.0
MAIL_ID = "X-Fairgate-Mail-ID"
_KINDS = {".ics": "text/calendar"}  # which mimetypes knows on some machines only
_ANY = "application/octet-stream"
_LOCAL_SENDER = "Fairgate <tickets@localhost>"

# More a second than the account may send. Source: SES Developer Guide, "Errors related to the
# sending quotas"; SES API v2, SendEmail "Errors".
_TOO_FAST = frozenset({"ThrottlingException", "TooManyRequestsException"})
ATTEMPTS_MAX = 8
# Worth another delivery. Source: SES API v2, SendEmail "Errors", and the common errors.
_TRANSIENT = frozenset(
    {
        "TooManyRequestsException",
        "LimitExceededException",
        "SendingPausedException",
        "InternalServiceErrorException",
        "ThrottlingException",
        "ServiceUnavailable",
    }
)


def compose(mail: Mail, sender: str) -> EmailMessage:
    """Compose the message, to exactly one address. Raises MailAddressError.

    Its id is also in a header of Fairgate's, because SES replaces Message-ID.
    Source: SES Developer Guide, "Amazon SES header fields".
    """
    message = EmailMessage(policy=SMTP)
    message["To"] = sent_to(mail.to)
    message["From"] = sender
    if mail.reply_to:
        message["Reply-To"] = sent_to(mail.reply_to)
    message["Subject"] = mail.subject
    message["Date"] = formatdate()
    domain = parseaddr(sender)[1].partition("@")[2] or "localhost"
    message_id = f"<{mail.mail_id}@{domain}>" if mail.mail_id else make_msgid(domain=domain)
    message["Message-ID"] = message_id
    if mail.mail_id:
        message[MAIL_ID] = mail.mail_id
    message["Auto-Submitted"] = "auto-generated"  # RFC 3834: no absence answers it
    message.set_content(mail.text)
    if mail.html:
        message.add_alternative(mail.html, subtype="html")
    for name, content in mail.attachments.items():
        kind = _KINDS.get(Path(name).suffix) or mimetypes.guess_type(name)[0] or _ANY
        maintype, _, subtype = kind.partition("/")
        message.add_attachment(content, maintype=maintype, subtype=subtype, filename=name)
    return message


class FileMailer:
    """Writes one ``.eml`` file per mail, whole or not at all; any mail program opens it."""

    def __init__(self, folder: Path, sender: str = _LOCAL_SENDER) -> None:
        self._folder = folder
        self._sender = sender

    def send(self, mail: Mail) -> None:
        message = compose(mail, self._sender)
        self._folder.mkdir(parents=True, exist_ok=True)
        name = f"{time.time_ns() // 1_000_000}-{secrets.token_hex(4)}"
        draft = self._folder / f".{name}.part"
        with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            file.write(message.as_bytes())
        draft.rename(self._folder / f"{name}.eml")


class SesMailer:
    """Sends through SES. Cost: one call a mail. Three attempts within what is left.

    If the account sends faster than it may, it waits. Otherwise the many mails about a cancelled
    event would reach the queue's limit of deliveries and be lost.
    """

    def __init__(
        self,
        sender: str,
        ses: SdkClient | None = None,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._sender = sender
        self._ses = ses or SdkClient("sesv2", connect_s=CONNECT_S, read_s=READ_S)
        self._sleep = sleep

    def send(self, mail: Mail) -> None:
        from botocore.exceptions import ClientError, HTTPClientError
        from botocore.exceptions import ConnectionError as UnreachableError

        message = compose(mail, self._sender)
        try:
            self._call_when_allowed(
                FromEmailAddress=self._sender,
                Destination={"ToAddresses": [sent_to(mail.to)]},
                Content={"Raw": {"Data": message.as_bytes()}},
            )
        except (HTTPClientError, UnreachableError) as error:
            raise DependencyUnavailableError("The mail service does not answer.") from error
        except ClientError as error:
            if error.response["Error"]["Code"] not in _TRANSIENT:
                raise
            raise DependencyUnavailableError("The mail service is busy.") from error

    def _call_when_allowed(self, **request: Any) -> None:
        """Send, and again a second later while SES takes no more of this account at once."""
        from botocore.exceptions import ClientError

        for attempt in range(1, ATTEMPTS_MAX + 1):
            try:
                self._ses.call("send_email", **request)
            except ClientError as error:
                beyond = error.response["Error"]["Code"] not in _TOO_FAST
                if beyond or attempt == ATTEMPTS_MAX or left_s() < CONNECT_S + READ_S:
                    raise
                # Jitter keeps the others apart; nothing secret hangs on it.
                self._sleep(random.uniform(0.5, 1.5))  # noqa: S311
            else:
                return


class NoMailer:
    """Sends nothing for an operator who names no sender; the tickets are on the order's page."""

    def send(self, mail: Mail) -> None:
        """Do nothing."""


def mailer(settings: Settings) -> Mailer:
    """Choose files when a folder is named, SES when a sender is, nothing otherwise."""
    if settings.mail_dir:
        return FileMailer(Path(settings.mail_dir), settings.mail_sender or _LOCAL_SENDER)
    if settings.mail_sender:
        return SesMailer(settings.mail_sender)
    return NoMailer()
