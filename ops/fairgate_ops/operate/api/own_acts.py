"""The acts that there are over HTTP alone: about requests, jobs and what the live screen shows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fairgate_ops.operate.cli.command import Verbs

if TYPE_CHECKING:
    import argparse

_HERE = "fairgate_ops.operate.api"  # where they run: perform.py names the functions


def acts(group: argparse.ArgumentParser) -> None:
    verbs = Verbs(group)
    confirm = "Do what another person has asked for, as it was asked."
    verbs.add("confirm", confirm, _HERE, "event", "request")
    waiting = "List what waits for a second person at an event."
    verbs.add("pending", waiting, _HERE, "event", looks=True)


def exports(group: argparse.ArgumentParser) -> None:
    """Add what the lists of the command give by ``--csv``."""
    verbs = Verbs(group)
    files = {
        "orders": "Make a file of an event's orders, with their buyers, for spreadsheets.",
        "ledger": "Make a file of an event's ledger, for spreadsheets.",
        "movements": "Make a file of the movements of the provider's balance, for spreadsheets.",
    }
    for verb, about in files.items():
        of_event = () if verb == "movements" else ("event",)
        verbs.add(verb, about, _HERE, *of_event, looks=True).add_argument("--to", required=True)


def jobs(group: argparse.ArgumentParser) -> None:
    verbs = Verbs(group)
    one = "Show how far a job is, and what it did. Its files are there for a week."
    verbs.add("show", one, _HERE, "job", looks=True)
    every = "List the jobs of the last month, the newest first."
    listing = verbs.add("list", every, _HERE, looks=True)
    listing.add_argument("event", nargs="?", help="else of all events")


def live(group: argparse.ArgumentParser) -> None:
    verbs = Verbs(group)
    alarms = "Show the alarms of the deployment that are up, each with its next step."
    verbs.add("alarms", alarms, _HERE, "event", looks=True)
    cost = "Show what a sale has cost so far. Modelled."
    verbs.add("cost", cost, _HERE, "event", looks=True)


def forecast(group: argparse.ArgumentParser) -> None:
    kept = "Show the forecast that was kept last, and what a new one would assume."
    Verbs(group).add("show", kept, _HERE, "event", looks=True)
