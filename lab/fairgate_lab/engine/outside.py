"""Keep reminders, mail and edge configuration in memory."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from fairgate.errors import VersionConflictError

if TYPE_CHECKING:
    from fairgate.ports.outside import Mail


@dataclass
class MemoryReminders:
    """Implements ports.ExpiryQueue; nothing in ``sent`` is delivered by itself."""

    sent: list[tuple[str, int]] = field(default_factory=list)  # session, seconds

    def remind(self, session: str, delay_s: int) -> None:
        self.sent.append((session, delay_s))

    def remind_all(self, sessions: Sequence[str]) -> None:
        self.sent += [(session, 0) for session in sessions]


@dataclass
class MemoryTicketQueue:
    """Implements ports.TicketQueue; nothing in ``asked`` is delivered by itself."""

    asked: list[str] = field(default_factory=list)

    def ask(self, order: str) -> None:
        self.asked.append(order)


@dataclass
class MemoryJobQueue:
    """Implements ports.JobQueue; ``fail`` is raised instead, when set."""

    sent: list[str] = field(default_factory=list)
    fail: Exception | None = None

    def send(self, job: str) -> None:
        if self.fail is not None:
            raise self.fail
        self.sent.append(job)


@dataclass
class MemoryJobFiles:
    """Implements ports.JobFiles."""

    kept: dict[tuple[str, str], bytes] = field(default_factory=dict)

    def write(self, job: str, name: str, path: str) -> None:
        self.kept[job, name] = Path(path).read_bytes()

    def url(self, job: str, name: str) -> str:
        return f"https://files.example/{job}/{name}"


@dataclass
class MemoryMailQueue:
    """Implements ports.MailQueue and ports.LinkQueue; ``fail`` is raised instead, when set."""

    orders: list[str] = field(default_factory=list)
    again: list[str] = field(default_factory=list)  # of those, that may have been mailed
    links: list[tuple[str, str]] = field(default_factory=list)  # mailbox, request
    changes: list[tuple[str, int]] = field(default_factory=list)  # order, number
    fail: Exception | None = None

    def mail(self, order: str, *, again: bool = False) -> None:
        if self.fail is not None:
            raise self.fail
        self.orders.append(order)
        self.again += [order] if again else []

    def find(self, mailbox: str, request: str) -> None:
        if self.fail is not None:
            raise self.fail
        self.links.append((mailbox, request))

    def mail_change(self, orders: Sequence[str], number: int) -> None:
        if self.fail is not None:
            raise self.fail
        self.changes += [(order, number) for order in orders]


@dataclass
class MemoryMailer:
    """Implements ports.Mailer; ``fail`` is raised instead of sending, when set."""

    sent: list[Mail] = field(default_factory=list)
    fail: Exception | None = None

    def send(self, mail: Mail) -> None:
        if self.fail is not None:
            raise self.fail
        self.sent.append(mail)


@dataclass
class MemoryEdgeConfig:
    """Implements ports.EdgeConfig with one version for the whole store, as the real one has.

    Where nothing stands before it, it implements ports.GateStore as well.
    """

    values: dict[str, str] = field(default_factory=dict)
    version: int = 1

    def etag(self) -> str:
        return str(self.version)

    def spread(self, key: str, *, late: bool) -> bool:  # noqa: ARG002 the port's parameters
        return True

    def spread_from_ms(self, key: str) -> int:  # noqa: ARG002 the port's parameter
        return 0

    def read(self, key: str) -> tuple[str | None, str]:
        return self.values.get(key), str(self.version)

    def write(self, key: str, value: str, etag: str) -> str:
        if etag != str(self.version):
            raise VersionConflictError("The store has changed meanwhile.")
        self.values[key] = value
        self.version += 1
        return str(self.version)
