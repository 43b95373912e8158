"""The acts that are jobs: they take minutes, need the provider's key, or write files.

What a job runs is in ``job_runs.py``, which the function of the jobs alone imports.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING

from msgspec import Struct

if TYPE_CHECKING:
    import argparse


_NOT_PLAIN = re.compile(r"[^A-Za-z0-9_.-]|^\.+")


class JobAct(Struct, frozen=True, kw_only=True):
    """How an act becomes a job.

    Attributes:
        writes: the options that name files which it writes, and what the server calls them.
            ``{event}`` and the like are its arguments.
        if_asked: of those, the ones that the request asks for; the others are always written.
        left_out: options that are not served, as they are of a machine.
        ends: what cannot be undone, asked about before the job is written; "": nothing.
        goes_on: begun again it does what is left, so a next run may go on where the time is over.
        names_buyers: its files and findings do, for those who may list the orders.
        unless: the option that leaves buyers out of them.
    """

    writes: Mapping[str, str] = {}
    if_asked: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()
    ends: str = ""
    goes_on: bool = False
    names_buyers: bool = False
    unless: str = ""

    def files(self, options: Mapping[str, object]) -> dict[str, str]:
        """Name what it writes, by the options: plain names, whatever those say."""
        return {
            option: _NOT_PLAIN.sub("-", name.format_map(options))
            for option, name in self.writes.items()
        }

    def has_buyers(self, given: Mapping[str, object]) -> bool:
        """Say whether its files name buyers, by the arguments as they were given."""
        return self.names_buyers and not given.get(self.unless)

    def prepare(self, parser: argparse.ArgumentParser) -> None:
        """Take from the parser what the request does not say."""
        written = {option: option in self.if_asked for option in self.writes}
        parser.set_defaults(written=written, left_out=self.left_out)


JOB_ACTS: Mapping[str, JobAct] = {
    "event cancel": JobAct(
        writes={"report": "{event}-cancelled.csv"},
        ends="Cancels {event} for good and gives all of its money back; a dry run says how much.",
        goes_on=True,
        names_buyers=True,
    ),
    "orders reconcile": JobAct(),
    "orders invoice": JobAct(writes={"to": "{order}.pdf"}),
    "books check": JobAct(),
    "books import": JobAct(goes_on=True),
    "audit check": JobAct(left_out=("log", "config", "workers"), names_buyers=True),
    "audit export": JobAct(
        writes={"out": "{event}-log.jsonl.gz", "config": "{event}-rules.json"},
        if_asked=("config",),
        names_buyers=True,
        unless="publish",
    ),
    "audit items": JobAct(),
    "ticket void-list": JobAct(writes={"out": "{event}-void.json"}),
    "export orders": JobAct(writes={"to": "{event}-orders.csv"}, names_buyers=True),
    "export ledger": JobAct(writes={"to": "{event}-ledger.csv"}),
    "export movements": JobAct(writes={"to": "movements.csv"}),
    "simulate": JobAct(
        writes={"plot": "{event}-forecast.html"}, if_asked=("plot",), left_out=("assumptions",)
    ),
    "report": JobAct(writes={"out": "{event}-report.zip"}, left_out=("logs",)),
}
