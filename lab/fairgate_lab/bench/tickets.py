"""What drawing tickets costs (``make bench-tickets``).

CPU of this process, each part by turns on tickets of their own, medians. The choice of a QR code's
mask is measured beside the same code with a mask given.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import count

import segno
from msgspec.structs import replace

from fairgate.adapters.tickets import qr
from fairgate.adapters.tickets.ed25519 import signer
from fairgate.adapters.tickets.pdf import ticket_pdf
from fairgate.adapters.tickets.png import ticket_png
from fairgate.adapters.tickets.svg import ticket_svg
from fairgate.domain.tickets.ticket import Ticket, TicketFace, encode, ticket_id
from fairgate_lab.bench.kit.measure import Range, by_turns
from fairgate_lab.bench.kit.report import machine, table

EVENT, ORDER, ISSUED_S = "summer-night", "ord_" + "a1" * 16 + "_0000000{}", 1_800_000_000
TICKETS = 4  # of an order
CHOSEN, GIVEN = "QR code, its mask chosen", "QR code, its mask given"
PDF = f"PDF of {TICKETS}, each"


@dataclass(frozen=True)
class Part:
    """CPU of one ticket in ms. ``size`` in bytes, 0 where nothing is sent."""

    name: str
    cpu_ms: Range
    size: int


def measure(rounds: int) -> list[Part]:
    """Draw each part ``rounds`` times, by turns, on tickets that no round has drawn before."""
    sign = signer(lambda: bytes(range(32)))
    ways = {name: partial(_drawn, name, count(), sign) for name in _parts(0, sign)}
    return [
        Part(name, Range.of(ms for ms, _ in drawn), drawn[-1][1])
        for name, drawn in by_turns(ways, rounds).items()
    ]


def _drawn(name: str, numbers: Iterator[int], sign: Callable[[bytes], bytes]) -> tuple[float, int]:
    """Draw this part of the next ticket; CPU in ms and bytes, of one ticket."""
    draw, tickets = _parts(next(numbers), sign)[name]
    used_ms, size = _timed(draw)
    return used_ms / tickets, size // tickets


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


def shown(parts: Sequence[Part]) -> str:
    medians = {part.name: part.cpu_ms.median for part in parts}
    times = medians[CHOSEN] / medians[GIVEN]
    rows = [(p.name, p.cpu_ms.shown(), f"{p.size:,}" if p.size else "") for p in parts]
    return table(machine(), ("of one ticket", "CPU, ms (range)", "bytes"), rows) + (
        f"\nChoosing the mask makes a code cost {times:.1f} times as much. "
        "ISO/IEC 18004 asks for it. It is chosen once a ticket and kept for the files of its mail."
    )


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m fairgate_lab.bench.tickets", description="What drawing tickets costs."
    )
    parser.add_argument("--rounds", type=int, default=30)
    print(shown(measure(parser.parse_args(arguments).rounds)))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
