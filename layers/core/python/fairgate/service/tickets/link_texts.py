"""Word the mail with the link to an address's tickets, in the language of its newest order."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime

from msgspec import Struct

from fairgate.domain.shared.language import Language


class LinkWords(Struct, frozen=True):
    """The mail's words: ``text`` takes the page's ``address`` and ``until`` when the link ends."""

    subject: str
    text: str
    moment: str  # as ``datetime.strftime`` has it


WORDS: Mapping[Language, LinkWords] = {
    "en": LinkWords(
        subject="Your tickets, found again",
        text=(
            "Somebody, hopefully you, asked for the tickets that were bought with this mail"
            " address.\n\n"
            "Here they are:\n\n{address}\n\n"
            "The link works for a day, until {until}. It shows your orders and tickets, and changes"
            " nothing.\n"
            "Anyone who has it can use your tickets: please keep it to yourself.\n\n"
            "If it was not you who asked, you need not do anything: only you got this mail.\n"
        ),
        moment="%Y-%m-%d, %H:%M UTC",
    ),
    "de": LinkWords(
        subject="Ihre Karten, wiedergefunden",
        text=(
            "Jemand, hoffentlich Sie, hat nach den Karten gefragt, die mit dieser Mail-Adresse"
            " gekauft wurden.\n\n"
            "Hier sind sie:\n\n{address}\n\n"
            "Der Link gilt einen Tag, bis {until}. Er zeigt Ihre Bestellungen und Karten und"
            " ändert nichts.\n"
            "Wer ihn hat, kann Ihre Karten benutzen: Bitte behalten Sie ihn für sich.\n\n"
            "Wenn nicht Sie gefragt haben, brauchen Sie nichts zu tun: Nur Sie haben diese Mail"
            " bekommen.\n"
        ),
        moment="%d.%m.%Y, %H:%M Uhr (UTC)",
    ),
}


def link_mail(language: Language, address: str, ends_s: int) -> tuple[str, str]:
    """Return the mail's subject and text.

    Args:
        address: of the page that shows the tickets.
        ends_s: when the link ends, epoch seconds.
    """
    words = WORDS[language]
    until = datetime.fromtimestamp(ends_s, UTC).strftime(words.moment)
    return words.subject, words.text.format(address=address, until=until)
