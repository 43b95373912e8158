"""Declare queue, layouts, edge configuration, mail and identity provider."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import Any, Protocol

from msgspec import Struct, field


class ExpiryQueue(Protocol):
    def remind(self, session: str, delay_s: int) -> None:
        """Deliver ``session`` to the expiry function after ``delay_s`` (0–900), at least once."""
        ...

    def remind_all(self, sessions: Sequence[str]) -> None:
        """Deliver each of these sessions to the expiry function now, as handed over by the sweeper.

        At least once.
        """
        ...


class TicketQueue(Protocol):
    def ask(self, order: str) -> None:
        """Deliver the order to the ticketer, at least once, even if its stream failed."""
        ...


class MailQueue(Protocol):
    def mail(self, order: str, *, again: bool = False) -> None:
        """Queue the mail of the order's tickets, at least once.

        ``again``: also if they were mailed already. Raises DependencyUnavailableError.
        """
        ...

    def mail_change(self, orders: Sequence[str], number: int) -> None:
        """Queue mails to the orders' buyers about an event's change. Raises as ``mail``."""
        ...


class JobQueue(Protocol):
    def send(self, job: str) -> None:
        """Deliver the job to the function that does it, at least once.

        Raises DependencyUnavailableError.
        """
        ...


class JobFiles(Protocol):
    """What jobs wrote, kept for some days, and read by an address that is good for minutes."""

    def write(self, job: str, name: str, path: str) -> None:
        """Keep the file of this machine. Raises DependencyUnavailableError."""
        ...

    def url(self, job: str, name: str) -> str:
        """Return an address that downloads the file, for five minutes."""
        ...


class LinkQueue(Protocol):
    def find(self, mailbox: str, request: str) -> None:
        """Queue a mail with a link to the mailbox's orders, if it has any, at least once.

        ``request`` identifies a second delivery. Raises DependencyUnavailableError.
        """
        ...


class Layouts(Hashable, Protocol):
    """Immutable geometry and pictures of brands, named by the hash of their content."""

    def read(self, layout: str, name: str) -> bytes:
        """Read ``venue.json`` or ``sections/<section>.json``, say. Raises NotFoundError."""
        ...

    def write(self, layout: str, name: str, body: bytes) -> None: ...


class Site(Protocol):
    """The files that the edges serve as pages, by their path without a slash before it."""

    def read(self, path: str) -> bytes:
        """Raises NotFoundError, DependencyUnavailableError."""
        ...

    def write(self, path: str, body: bytes) -> None:
        """Write a file of a type that its ending names. Raises DependencyUnavailableError."""
        ...


class EdgeConfig(Protocol):
    """The CloudFront KeyValueStore's data plane: what the edges read. Every call is billed."""

    def etag(self) -> str:
        """Read the store's ETag, which changes with every write of any key."""
        ...

    def read(self, key: str) -> tuple[str | None, str]:
        """Read the value (None: no such key) and the store's ETag."""
        ...

    def write(self, key: str, value: str, etag: str) -> str:
        """Write under the store's ETag; return the new one. Raises VersionConflictError."""
        ...


class GateStore(Protocol):
    """Reads and writes gates' values, by the keys of the edges' store."""

    def read(self, key: str) -> tuple[str | None, str]:
        """Read the value (None: there is none) and its version."""
        ...

    def write(self, key: str, value: str, etag: str) -> str:
        """Write over a version; return the new one. Raises VersionConflictError."""
        ...

    def spread(self, key: str, *, late: bool) -> bool:
        """Send the value to every edge, ``late`` if it is older; return whether it was sent."""
        ...

    def spread_from_ms(self, key: str) -> int:
        """Return when a value was last sent late: now while one waits, 0 if never."""
        ...


class Mail(Struct, frozen=True, kw_only=True):
    """One mail to one address.

    Attributes:
        html: the same content as ``text``; "" if there is none.
        attachments: content of each file, by name.
        reply_to: the address that answers go to; "": the sender's.
        mail_id: the same id each time it is sent; "" for a mail that is sent at most once.
    """

    to: str
    subject: str
    text: str
    html: str = ""
    attachments: Mapping[str, bytes] = field(default_factory=dict)
    reply_to: str = ""
    mail_id: str = ""


class Mailer(Protocol):
    def send(self, mail: Mail) -> None:
        """Send one mail.

        Raises:
            MalformedInputError: no mail can go to this address.
            DependencyUnavailableError: try again.
        """
        ...


class IdentityProvider(Protocol):
    def redeem(self, code: str, verifier: str, nonce: str, page: str = "") -> Mapping[str, Any]:
        """Return the verified claims of the person who signed in with this code, once.

        Raises SignInRefusedError, IdentityUnavailableError.
        """
        ...


class CanaryAccount(Protocol):
    """The account of the canary, which no buyer can have."""

    def token(self) -> str:
        """Return a sign-in for one journey. Raises DependencyUnavailableError."""
        ...
