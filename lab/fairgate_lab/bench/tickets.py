"""What drawing tickets costs (``make bench-tickets``).

CPU of this process, each part by turns on tickets of their own, medians. The choice of a QR code's
mask is measured beside the same code with a mask given. The first PDF is of a fresh process, its
start taken off: what a function's first buyer waits for more than the others do.
"""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from itertools import count
from pathlib import Path

import segno
from msgspec.structs import replace

from fairgate.adapters.tickets import qr
from fairgate.adapters.tickets.ed25519 import signer
from fairgate.adapters.tickets.ticket_files import ticket_pdf, ticket_png, ticket_svg
from fairgate.domain.tickets.ticket import Ticket, TicketFace, encode, ticket_id
from fairgate_lab.bench.kit.benchmark import Benchmark, Option, Options, Part
from fairgate_lab.bench.kit.measure import Range, alternating

EVENT, ORDER, ISSUED_S = "summer-night", "ord_" + "a1" * 16 + "_0000000{}", 1_800_000_000
TICKETS = 4  # of an order
CHOSEN, GIVEN = "QR code, its mask chosen", "QR code, its mask given"
PDF = f"PDF of {TICKETS}, each"
Sign = Callable[[bytes], bytes]


FIRST = """
import time
from fairgate_lab.bench import tickets
began_ns = time.process_time_ns()
drawn = len(tickets.ticket_pdf([tickets._face(1, 0, lambda _: bytes(64), {label!r})]))
print(time.process_time_ns() - began_ns, drawn)
"""
LABELS = {"in Latin": "Section 104 · Row B · Seat 1", "in Japanese": "二階席右 · Row は · Seat 1"}


def measure(options: Options, _folder: Path) -> Iterator[Part]:
    """Draw each part by turns, on tickets that no round has drawn before."""
    sign = signer(lambda: bytes(range(32)))
    ways: dict[str, Callable[[], tuple[float, int]]] = {
        name: partial(_drawn, name, count(), sign) for name in _parts(0, sign)
    }
    for script, label in LABELS.items():
        ways[f"first PDF of a process, {script}"] = partial(_first, label)
    seen = alternating(ways, options.rounds)
    cpu_ms = {name: Range.of(ms for ms, _ in drawn) for name, drawn in seen.items()}
    sizes = {name: f"{size:,}" if (size := drawn[-1][1]) else "" for name, drawn in seen.items()}
    times = cpu_ms[CHOSEN].median / cpu_ms[GIVEN].median
    yield Part(
        "What drawing tickets costs",
        ("of one ticket", "CPU, ms (range)", "bytes"),
        [(name, ms.shown(), sizes[name]) for name, ms in cpu_ms.items()],
        f"Choosing the mask makes a code cost {times:.1f} times as much. ISO/IEC 18004 asks for "
        "it. It is chosen once a ticket and kept for the files of its mail.",
    )


def _drawn(name: str, numbers: Iterator[int], sign: Sign) -> tuple[float, int]:
    """Draw this part of the next ticket; CPU in ms and bytes, of one ticket."""
    draw, tickets = _parts(next(numbers), sign)[name]
    began_ns = time.process_time_ns()
    drawn = draw()
    used_ms = (time.process_time_ns() - began_ns) / 1e6
    return used_ms / tickets, len(drawn) // tickets if isinstance(drawn, bytes) else 0


def _first(label: str) -> tuple[float, int]:
    """Draw a ticket in a fresh process; CPU in ms and bytes."""
    code = FIRST.format(label=label)
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    used_ns, drawn = map(int, done.stdout.split())
    return used_ns / 1e6, drawn


def _parts(number: int, sign: Sign) -> dict[str, tuple[Callable[[], object], int]]:
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


def _face(number: int, unit: int, sign: Sign, label: str = "") -> TicketFace:
    ticket = _ticket(number, unit)
    label = label or f"Section 104 · Row B · Seat {number}"
    code = encode(ticket, sign)
    return TicketFace(
        "Summer Night", "Lindenhall Arena", label, "Stalls", ticket.ticket, code, unit + 1, TICKETS
    )


BENCHMARK = Benchmark(
    about="What drawing tickets costs.", measure=measure, options={"rounds": Option(30)}
)
