"""Make the file of an event's page: the page as it was built, with a head that others read.

Programs that preview links and search engines read no scripts, or late. So the file has the event's
title, description, picture and data. Organisers write the texts: nothing of them ends an attribute
or the script that holds the data.
"""

from __future__ import annotations

import hashlib
import json
import re
from datetime import UTC, datetime
from html import escape
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from fairgate.domain.orders.fees import whole_price
from fairgate.domain.shared.amount_text import minor_digits
from fairgate.domain.shared.language import Language, language_of
from fairgate.service.shared.start_text import known_zone, start_text

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fairgate.service.shared.records.catalog import Event

# The part of index.html that a page's own replaces.
BEGINS, ENDS = "<!-- preview -->", "<!-- /preview -->"
DESCRIPTION_CHARS_MAX = 200
DIGEST_CHARS = 16
_PICTURE = re.compile(r'<meta property="og:image" content="([^"]*)">')
_SCHEMA = "https://schema.org"
# Open Graph asks for a territory, too.
_LOCALES: Mapping[Language, str] = {
    "en": "en_GB",
    "de": "de_DE",
    "fr": "fr_FR",
    "es": "es_ES",
    "it": "it_IT",
    "nl": "nl_NL",
    "pl": "pl_PL",
    "ja": "ja_JP",
    "ar": "ar_AR",
}
_NO_INDEX = '<meta name="robots" content="noindex">\n'
# What ends a script or begins a comment in one.
_IN_SCRIPT = str.maketrans({"<": "\\u003c", ">": "\\u003e", "&": "\\u0026"})


class Template(Struct, frozen=True):
    """The page as it was built, around the part that previews read.

    Attributes:
        general: that part, where no event has its own.
        picture: the path of the picture of pages whose event has none.
        digest: names the content.
    """

    before: str
    general: str
    after: str
    picture: str
    digest: str

    @classmethod
    def parse(cls, page: bytes) -> Template:
        """Raises ValueError: the page is of a release without such a part."""
        before, begins, rest = page.decode().partition(BEGINS)
        general, ends, after = rest.partition(ENDS)
        picture = _PICTURE.search(general)
        if not (begins and ends and picture):
            raise ValueError("index.html has no part that is for previews")
        digest = hashlib.sha256(page).hexdigest()[:DIGEST_CHARS]
        return cls(before, general, after, picture[1], digest)


def event_page(template: Template, sale: Event, site: str) -> bytes:
    """Return the file; of a draft or hidden event the general page, which robots leave out.

    Args:
        site: the public address, without a slash at its end.
    """
    listed = sale.state != "draft" and not sale.hidden
    head = _head(template, sale, site) if listed else _NO_INDEX + template.general.strip() + "\n"
    return f"{template.before}{head.rstrip()}{template.after}".encode()


def _head(template: Template, sale: Event, site: str) -> str:
    title = _line(f"{sale.name} – {sale.venue_name}")
    address = f"{site}/e/{sale.id}"
    picture = _picture(template, sale, site)
    described = _description(sale)
    tags = [
        f"<title>{escape(title)}</title>",
        f'<meta name="description" content="{escape(described)}">',
        f'<link rel="canonical" href="{escape(address)}">',
        *(
            f'<meta property="og:{name}" content="{escape(value)}">'
            for name, value in (
                ("type", "website"),
                ("site_name", "Fairgate"),
                ("url", address),
                ("title", title),
                ("description", described),
                ("image", picture),
                ("locale", _LOCALES[language_of(sale.language)]),
            )
        ),
        '<meta name="twitter:card" content="summary_large_image">',
    ]
    if sale.starts_at:  # without a start there is no event for a search engine
        data = json.dumps(_data(sale, address, picture), separators=(",", ":"))
        tags.append(f'<script type="application/ld+json">{data.translate(_IN_SCRIPT)}</script>')
    return "\n".join(tags)


def _data(sale: Event, address: str, picture: str) -> dict[str, Any]:
    """Return the event as schema.org has it. Source: schema.org/Event; Google, "Event"."""
    change = sale.last_change
    moved = change is not None and change.starts_at not in ("", sale.starts_at)
    status = "EventRescheduled" if moved else "EventScheduled"
    data: dict[str, Any] = {
        "@context": _SCHEMA,
        "@type": "Event",
        "name": sale.name,
        "description": _line(sale.text) or _description(sale),
        "image": [picture],
        "url": address,
        "inLanguage": language_of(sale.language),
        "startDate": _local(sale.starts_at, sale.time_zone),
        "eventStatus": f"{_SCHEMA}/{'EventCancelled' if sale.cancelled_at else status}",
        "eventAttendanceMode": f"{_SCHEMA}/OfflineEventAttendanceMode",
        "location": {
            "@type": "Place",
            "name": sale.venue_name,
            "address": _line(sale.venue_address) or sale.venue_name,
        },
        "offers": _offers(sale, address),
    }
    if moved and change is not None:
        data["previousStartDate"] = _local(change.starts_at, change.time_zone)
    if sale.artist:
        data["performer"] = {"@type": "PerformingGroup", "name": sale.artist}
    if sale.seller_name:
        data["organizer"] = {"@type": "Organization", "name": sale.seller_name, "url": address}
    return data


def _offers(sale: Event, address: str) -> dict[str, str]:
    prices = [whole_price(tier, sale.fees) for tier in sale.tiers]
    over = sale.cancelled_at or sale.state == "closed"
    there = "OutOfStock" if over else "SoldOut" if sale.state == "soldout" else "InStock"
    return {
        "@type": "AggregateOffer",
        "url": address,
        "lowPrice": _decimal(min(prices), sale.currency),
        "highPrice": _decimal(max(prices), sale.currency),
        "priceCurrency": sale.currency,
        "availability": f"{_SCHEMA}/{there}",
        "validFrom": sale.sale_starts_at,
    }


def _description(sale: Event) -> str:
    """Return when and where, and what the organiser says of it, as much as previews show."""
    when = start_text(sale.starts_at, sale.time_zone, language_of(sale.language))
    where = ", ".join(filter(None, (sale.venue_name, sale.venue_address)))
    facts = " · ".join(filter(None, (when, sale.artist, where)))
    text = _line(". ".join(filter(None, (facts, sale.subtitle, sale.text))))
    if len(text) <= DESCRIPTION_CHARS_MAX:
        return text
    return text[: DESCRIPTION_CHARS_MAX - 1].rsplit(" ", 1)[0] + "…"


def _picture(template: Template, sale: Event, site: str) -> str:
    path = sale.picture or template.picture
    return path if path.startswith("https://") else f"{site}/{path.removeprefix('/')}"


def _local(moment: str, time_zone: str) -> str:
    """Write a moment by the clocks of the venue, with their offset."""
    local = datetime.fromisoformat(moment).astimezone(known_zone(time_zone) or UTC)
    return local.isoformat(timespec="seconds")


def _decimal(minor: int, currency: str) -> str:
    digits = minor_digits(currency)
    whole, rest = divmod(minor, 10**digits)
    return f"{whole}.{rest:0{digits}d}" if digits else str(whole)


def _line(text: str) -> str:
    """Return text of several lines as one."""
    return " ".join(text.split())
