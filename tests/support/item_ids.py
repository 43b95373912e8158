"""What the examples of items share."""

from __future__ import annotations

from fairgate.domain.shared.ids import Mailbox

MAILBOX = Mailbox("m" * 22)
SESSION = "ses_" + "1" * 32
ORDER = "ord_" + "1" * 32 + "_00000001"
NOW = "2026-11-22T10:00:00.000Z"
POSTAL_ADDRESS = {
    "name": "Ann Buyer",
    "street": "Quay 1",
    "postcode": "20457",
    "city": "Hamburg",
    "country": "Germany",
}
