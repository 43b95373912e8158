"""One ticket in every script, and with the longest names: a sheet for people to look at."""

from __future__ import annotations

import base64

from fairgate.adapters.tickets.ticket_files import ticket_svg
from fairgate.domain.tickets.ticket import TicketFace

# Section, row, seat: one of each script, the longest, and what no space breaks.
PLACES = [
    ("Haupttribüne Süd-West, Block unter dem Dach", "27", "118"),
    ("GRANDSTAND NORTHEAST CLUB LEVEL", "WW", "1014"),
    ("Θεωρείο αριστερά", "Β", "12"),
    ("Ложа бельэтажа", "3", "7"),
    ("المدرج الشرقي", "١٢", "٣٤"),
    ("יציע מזרחי", "ה", "21"),
    ("ชั้นบนซ้าย", "ก", "9"),
    ("ऊपरी दीर्घा", "क", "15"),
    ("二階席右", "は", "30"),
    ("서울 관중석", "가", "1"),
    ("Ćwiartka Żółta, rząd tylny", "5", "2"),
    ("Khán đài B, tầng trên", "Ơ", "8"),
    ("🎸 Pit", "1", "1"),
    ("W" * 120, "W" * 40, "M" * 40),
    ("漢" * 120, "漢" * 40, "漢" * 40),
]
WIDTH = 1_500
_COLUMNS = 5


def sheet() -> str:
    """Return a page with the tickets of all these places."""
    pictures = "".join(
        f'<img width="{WIDTH // _COLUMNS - 16}" src="data:image/svg+xml;base64,'
        f'{base64.b64encode(ticket_svg(_face(place))).decode()}">'
        for place in PLACES
    )
    style = "margin:8px;display:flex;flex-wrap:wrap;gap:12px;background:#e8ecf2"
    return f'<!doctype html><body style="{style}">{pictures}'


def _face(place: tuple[str, str, str]) -> TicketFace:
    section, row, seat = place
    return TicketFace(
        event_name=f"Summer Night, {section}",
        venue_name="Lindenhall Arena",
        label=f"{section} · Row {row} · Seat {seat}",
        tier="Stalls",
        ticket="tkt_0000000000000001",
        code=f"FG1.{'x' * 60}.{'y' * 86}",
        number=1,
        total=2,
        starts="Sat 1 Jun 2030, 20:00 CEST",
        venue_address="Quay 1, Hamburg",
    )
