"""The command's parsers of the acts over HTTP, by the acts' names."""

from __future__ import annotations

from argparse import ArgumentTypeError
from functools import cache
from typing import TYPE_CHECKING

from fairgate.domain.shared.times import epoch_ms
from fairgate_ops.operate.api import own_acts
from fairgate_ops.operate.api.arguments import verbs_of
from fairgate_ops.operate.api.job_acts import JOB_ACTS
from fairgate_ops.operate.api.roles import MAY
from fairgate_ops.operate.cli.words import money, sale, system

if TYPE_CHECKING:
    from fairgate_ops.operate.cli.command import Parser

_GROUPS = {
    "event": sale.event,
    "tau": sale.tau,
    "seats": sale.seats,
    "venue": sale.venue,
    "orders": money.orders,
    "desk": system.desk,
    "buyer": money.buyer,
    "books": money.books,
    "ticket": money.ticket,
    "draw": sale.draw,
    "audit": sale.audit,
    "report": sale.report,
    "act": own_acts.acts,
    "job": own_acts.jobs,
    "export": own_acts.exports,
    "access": system.access,
    "check": sale.check,
    "live": own_acts.live,
    "simulate": sale.simulate,
    "forecast": own_acts.forecast,
}
# What a command says while it reads: a part at a time here.
_PAGED = ("orders list", "books ledger", "books movements")
_PLACE_BYTES_MAX = 400


@cache
def parsers() -> dict[str, Parser]:
    made = {
        f"{group} {verb}".rstrip(): parser
        for group, add in _GROUPS.items()
        for verb, parser in verbs_of(group, add).items()
    }
    for act in _PAGED:
        behind = "begin behind this, as the part before says it"
        made[act].add_argument("--after", type=_place, metavar="AFTER", help=behind)
    # What everybody checks with files is checked here with what the system has.
    made["draw verify"].set_defaults(left_out=("key", "commitment", "beacon", "config", "log"))
    for act, job in JOB_ACTS.items():
        job.prepare(made[act])
    return {act: made[act] for act in MAY}


def _place(text: str) -> str:
    at, behind, _ = text.partition("#")
    try:
        epoch_ms(at)
    except ValueError:
        behind = ""
    if not behind or len(text.encode()) > _PLACE_BYTES_MAX:
        raise ArgumentTypeError("it is no “after” of an answer")
    return text
