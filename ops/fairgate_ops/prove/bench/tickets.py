"""What drawing tickets costs (``make bench-tickets``).

CPU of this process, each part by turns on tickets of their own, medians. The choice of a QR code's
mask is measured beside the same code with a mask given.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import segno

from fairgate.adapters.tickets import qr
from fairgate.adapters.tickets.ed25519 import signer
from fairgate.adapters.tickets.pdf import ticket_pdf
from fairgate.adapters.tickets.png import ticket_png
from fairgate.adapters.tickets.svg import ticket_svg
from fairgate.domain.tickets.ticket import Ticket, TicketFace, encode, ticket_id
from fairgate_ops.prove.bench.kit.report import machine

EVENT, ORDER, ISSUED_S = "summer-night", "ord_" + "a1" * 16 + "_0000000{}", 1_800_000_000
TICKETS = 4  # of an order
CHOSEN, GIVEN = "QR code, its mask chosen", "QR code, its mask given"
PDF = f"PDF of {TICKETS}, each"


@dataclass(frozen=True)
class Part:
    """CPU of one ticket in ms: median, least, most. ``size`` in bytes, 0 where nothing is sent."""

    name: str
    cpu_ms: float
    low_ms: float
    high_ms: float
    size: int


def measure(rounds: int) -> list[Part]:
    """Each part ``rounds`` times, by turns."""
    sign = signer(lambda: bytes(range(32)))
    seen: dict[str, list[float]] = {}
    sizes: dict[str, int] = {}
    for number in range(-1, rounds):  # the first one imports and warms up
        for name, (draw, drawn) in _parts(number + 1, sign).items():
            used_ms, size = _timed(draw)
            sizes[name] = size // drawn
            if number >= 0:
                seen.setdefault(name, []).append(used_ms / drawn)
    return [
        Part(name, statistics.median(ms), min(ms), max(ms), sizes[name])
        for name, ms in seen.items()
    ]


def _parts(
    number: int, sign: Callable[[bytes], bytes]
) -> dict[str, tuple[Callable[[], object], int]]:
    """What to draw, and for how many tickets that is. A file's code has been chosen before it."""
    faces = [_face(number, unit, sign) for unit in range(TICKETS)]
    face = faces[0]
    fresh = replace(face, code=face.code[:-1] + "A").code  # nothing keeps a code of this text

    def chosen_before(draw: Callable[[], bytes]) -> Callable[[], bytes]:
        for one in faces:
            qr.qr_matrix(one.code)
        return draw

    return {
        "code made and signed": (lambda: encode(_ticket(number, 0), sign), 1),
        CHOSEN: (lambda: segno.make(fresh, error="m", micro=False, boost_error=False), 1),
        GIVEN: (lambda: segno.make(fresh, error="m", micro=False, boost_error=False, mask=0), 1),
        "SVG": (chosen_before(lambda: ticket_svg(face)), 1),
        "PNG": (chosen_before(lambda: ticket_png(face)), 1),
        PDF: (chosen_before(lambda: ticket_pdf(faces)), TICKETS),
    }


def _ticket(number: int, unit: int) -> Ticket:
    order = ORDER.format(number % 10)
    return Ticket(ticket_id(order, unit), EVENT, order, unit, f"104-B-{number}", ISSUED_S)


def _face(number: int, unit: int, sign: Callable[[bytes], bytes]) -> TicketFace:
    ticket = _ticket(number, unit)
    label = f"Section 104 · Row B · Seat {number}"
    code = encode(ticket, sign)
    return TicketFace(
        "Summer Night", "Lindenhall Arena", label, "Stalls", ticket.ticket, code, unit + 1, TICKETS
    )


def _timed(draw: Callable[[], object]) -> tuple[float, int]:
    began_ns = time.process_time_ns()
    drawn = draw()
    used_ms = (time.process_time_ns() - began_ns) / 1e6
    return used_ms, len(drawn) if isinstance(drawn, bytes) else 0


def table(parts: Sequence[Part]) -> str:
    rows = [
        f"| {part.name} | {part.cpu_ms:.1f} ({part.low_ms:.1f}–{part.high_ms:.1f}) "
        f"| {f'{part.size:,}' if part.size else ''} |"
        for part in parts
    ]
    by_name = {part.name: part.cpu_ms for part in parts}
    times = by_name[CHOSEN] / by_name[GIVEN]
    return "\n".join(
        (
            "| of one ticket | CPU, ms (range) | bytes |",
            "|---|---|---|",
            *rows,
            "",
            (
                f"Choosing the mask makes a code cost {times:.1f} times as much. ISO/IEC 18004 asks"
                " for it. It is chosen once a ticket and kept for the files of its mail."
            ),
        )
    )


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m fairgate_ops.prove.bench.tickets", description="What drawing tickets costs."
    )
    parser.add_argument("--rounds", type=int, default=30)
    print(f"{machine()}\n\n{table(measure(parser.parse_args(arguments).rounds))}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
