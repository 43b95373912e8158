"""Read in one call what may refuse an attempt before it costs a write."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from msgspec import Struct

from fairgate.errors import DependencyUnavailableError
from fairgate.ports.record import DamagedItemError, Key, Record
from fairgate.service.shared.keys import admission_threshold_key, token_key, user_status_key
from fairgate.service.shared.records.sessions import (
    AdmissionThresholdRecord,
    RedeemedToken,
    UserStatus,
)

if TYPE_CHECKING:
    from fairgate.domain.gate.waiting_claims import WaitingToken
    from fairgate.ports.table import Table
    from fairgate.service.shared.records.catalog import Event


class KnownCaller(Struct, frozen=True):
    """What was read before the transaction; None: unknown, or not there.

    Attributes:
        is_read: False if the table could not be read.
    """

    token: RedeemedToken | None = None
    status: UserStatus | None = None
    threshold: AdmissionThresholdRecord | None = None
    is_read: bool = True

    def is_refused(self, event: Event, waiting: WaitingToken, now: str) -> bool:
        """Say whether the token or the user's status refuses, as the transaction would.

        Its conditions are IS_NEW of the token, USER_MAY_OPEN and AND_NOT_FLAGGED.
        """
        status = self.status
        return self.token is not None or (
            status is not None
            and (
                (bool(status.live_session) and status.live_until > now)
                or status.sessions_used >= event.sessions_limit
                or status.locked_until > now
                or (waiting.challenge_level == 0 and status.flagged_until > now)
            )
        )


def read_caller(table: Table, event: Event, waiting: WaitingToken) -> KnownCaller:
    """Read the token, the user's status and, with a capacity limit, the admission threshold.

    If they cannot be read, the transaction alone refuses, and the order of admissions is not kept
    for as long.

    Cost: one BatchGetItem.
    """
    wanted: list[tuple[type[Record], Key]] = [
        (RedeemedToken, token_key(waiting.id)),
        (UserStatus, user_status_key(waiting.sub, event.id)),
        (AdmissionThresholdRecord, admission_threshold_key(event.id)),
    ]
    try:
        items = table.find_each(wanted if event.live_max else wanted[:2])
    except (DependencyUnavailableError, DamagedItemError):
        return KnownCaller(is_read=False)
    records = {type(record): record for record in items}
    return KnownCaller(
        cast("RedeemedToken | None", records.get(RedeemedToken)),
        cast("UserStatus | None", records.get(UserStatus)),
        cast("AdmissionThresholdRecord | None", records.get(AdmissionThresholdRecord)),
    )
