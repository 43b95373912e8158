"""Take a locked-out buyer's appeal, and list those that are open.

An appeal is about one lock-out, named by its end: a longer one may be appealed against again. It
is listed while the lock-out lasts and nobody has answered it (``desk_by_hand.py``).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from fairgate.domain.shared.labels import harmless
from fairgate.domain.shared.times import rfc3339
from fairgate.errors import WrongStateError
from fairgate.ports.table import Put, Update
from fairgate.service.gate.user_status import DeskStatus
from fairgate.service.shared.change import Write, change
from fairgate.service.shared.conditions import USER_MAY_APPEAL
from fairgate.service.shared.keys import appeal_key, appeals_pk, user_status_key
from fairgate.service.shared.records.gate import DeskAppeal
from fairgate.service.shared.records.sessions import UserStatus

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fairgate.ports.table import Table
    from fairgate.ports.world import Clock

READ_MAX = 1_000  # of an event's appeals, at one reading
SHOWN_MAX = 100
_KEPT_S = 27 * 86_400  # its lock-out's decision, by which it is found, stays for 30 days


class OpenAppeals(Struct, frozen=True):
    """The open appeals of an event.

    Attributes:
        appeals: at most SHOWN_MAX of them; first those whose lock-out ends first.
        count: of all that were read. more: there are others, beyond READ_MAX.
    """

    appeals: Sequence[DeskAppeal]
    count: int
    more: bool


class Appeals(Struct, frozen=True):
    """Takes and lists appeals."""

    table: Table
    clock: Clock

    def ask(self, event: str, user: str, text: str) -> DeskStatus:
        """Ask that a person looks; asking again about the same lock-out changes nothing.

        Args:
            text: what the buyer says, "" if nothing; a line, without characters that act on a
                screen.

        Raises WrongStateError: the user is not locked out.

        Cost: a read; the first time also one TransactWriteItems of two items.
        """
        key = user_status_key(user, event)

        def decide(found: UserStatus | None) -> Write[DeskStatus]:
            now_ms = self.clock.now_ms()
            status = DeskStatus.of(found, rfc3339(now_ms))
            if status.level != _LOCKED:
                raise WrongStateError("This account is not locked out any more.")
            if status.appealed:
                return Write(status)
            appeal = DeskAppeal(
                *appeal_key(event, user, status.until),
                asked_at=rfc3339(now_ms),
                text=harmless(" ".join(text.split()), ""),
                rule=status.rule,
                noticed=status.noticed,
                ttl=now_ms // 1000 + _KEPT_S,
            )
            asked = Update(
                "reservations",
                *key,
                condition=USER_MAY_APPEAL,
                values={"until": status.until},
                set={"appealedUntil": status.until},
            )
            return Write(replace(status, appealed=True), [asked, Put.of(appeal, condition="")])

        return change(self.table, self.clock, lambda: self.table.find(UserStatus, key), decide)

    def open(self, event: str) -> OpenAppeals:
        """List the appeals that nobody has answered, of accounts that are still locked out.

        Cost: one query of at most READ_MAX items.
        """
        now = rfc3339(self.clock.now_ms())
        pages = self.table.pages(DeskAppeal, appeals_pk(event), size=READ_MAX, after=now)
        read = next(iter(pages), ())
        unanswered = [one for one in read if not one.answered_at]
        return OpenAppeals(unanswered[:SHOWN_MAX], len(unanswered), len(read) == READ_MAX)


_LOCKED = 2
