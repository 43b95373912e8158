"""Ask for the mail with the link to an address's tickets; the answer is the same either way.

The same is done for every address: three buckets, one message. Whether it has orders is found out
behind the queue, by a function that answers nobody (mail_link.py).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from fairgate.domain.shared.mail_address import sent_to
from fairgate.domain.shared.mailbox import mailbox_of
from fairgate.domain.shared.rate_limit import ADDRESS_LINKS, MAILBOX_LINKS, MAILBOX_LINKS_A_DAY
from fairgate.errors import TooManyRequestsError, WrongStateError
from fairgate.service.shared.keys import rate_key
from fairgate.service.shared.mailbox_keys import LINKS
from fairgate.service.shared.table_buckets import TableBuckets

if TYPE_CHECKING:
    from fairgate.ports.outside import LinkQueue
    from fairgate.ports.table import Table
    from fairgate.ports.world import Clock, Ids

NO_MAIL = (
    "Tickets cannot be found by mail here, because no mail is sent. Please sign in as you did when"
    " you bought them, or contact the box office."
)


class LinkDesk(Struct, frozen=True):
    """Takes requests for links with what it is given of the world."""

    table: Table
    clock: Clock
    ids: Ids
    queue: LinkQueue
    addresses_key: bytes
    mails: bool  # whether any mail is sent in this deployment

    def ask(self, email: str, viewer: str) -> None:
        """Ask for the mail, unless the mailbox has been sent enough of them: then do nothing.

        Args:
            viewer: where the request came from, hashed; "" where nobody knows.

        Raises:
            MailAddressError: no mail can be sent to such an address.
            WrongStateError: by its ``reason``, ``no-mail``: none is sent in this deployment, or it
                has no key of addresses yet.
            TooManyRequestsError: too many came from there, about whatever addresses.
            DependencyUnavailableError: it could not be counted or asked for.

        Cost: three to six writes, one message.
        """
        sent_to(email)  # raises where the mailer could not send
        if not self.mails:
            raise WrongStateError(NO_MAIL, reason="no-mail")
        mailbox = mailbox_of(self.addresses_key, email)
        if not mailbox:
            raise WrongStateError(NO_MAIL, reason="no-mail")
        buckets = TableBuckets(self.table, self.clock)
        if viewer:
            state = buckets.take(rate_key(LINKS, viewer, "links"), ADDRESS_LINKS)
            if not state.taken:
                raise TooManyRequestsError(
                    "Many have asked from your network. Please try again later.",
                    retry_after_s=max(1, state.wait_s),
                    limit="links",
                )
        hourly = rate_key(LINKS, f"m#{mailbox}", "links")
        daily = rate_key(LINKS, f"m#{mailbox}", "links-a-day")
        if (
            buckets.take(hourly, MAILBOX_LINKS).taken
            and buckets.take(daily, MAILBOX_LINKS_A_DAY).taken
        ):
            self.queue.find(mailbox, self.ids.hex32())
