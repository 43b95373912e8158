"""Schemathesis at the running local system: is each answer one that docs/openapi.json describes?

It sends what the document allows and what it does not, as a guest who knows nothing, as a buyer
with a session, and as one who has bought. An answer of 500, a status, media type, header or shape
that is not described ends it with 1, and Schemathesis prints how to ask again.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import secrets
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from fairgate.http import paths
from fairgate_ops.build.openapi import OUTPUT
from fairgate_ops.operate.importers.demo import demo_venue
from fairgate_ops.run.crowd.buyer import Buyer, Plan, client
from fairgate_ops.run.local.demo_event import Sale, put_on_sale
from fairgate_ops.run.local.environment import base_environment
from fairgate_ops.run.local.system import LocalSystem
from fairgate_ops.shared.paths import ROOT

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

EVENT, SEATS = "fuzz", 600
EXAMPLES, SEED = 100, 1
REQUEST_S = 20
CHECKS = (
    "not_a_server_error",
    "status_code_conformance",
    "content_type_conformance",
    "response_headers_conformance",
    "response_schema_conformance",
)
_PAYING = ("beginCheckout", "leaveSession")
_TICKETS = ("getTicketSvg", "getTicketPng", "getTicketPdf", "getOrderCalendar")
_BOUGHT = ("getOrder", "cancelOrder", *_TICKETS, "getInvoicePdf")


def schemathesis(root: Path = ROOT) -> Path | None:
    """The command of ``.venv-openapi``, or None where it has not been installed."""
    command = root / ".venv-openapi" / "bin" / "schemathesis"
    return command if command.is_file() else None


@dataclass(frozen=True)
class Asking:
    """How much is asked.

    Attributes:
        examples: of each operation, at most.
        phases: of Schemathesis; ``coverage`` takes most of the time.
    """

    command: Path
    examples: int
    seed: int
    phases: Sequence[str] = ("examples", "coverage", "fuzzing")
    document: Path = OUTPUT


@dataclass(frozen=True)
class Pass:
    """One run of Schemathesis.

    Attributes:
        names: the values that parameters of a path have; others are made up.
        only: the operations that it calls; empty: all but ``without``.
    """

    who: str
    headers: Mapping[str, str]
    names: Mapping[str, str] = field(default_factory=dict)
    only: Sequence[str] = ()
    without: Sequence[str] = ()


class _Visitor(Buyer):
    """A simulated buyer who stops on the way and tells what it has."""

    async def inside(self) -> dict[str, str]:
        await self._sign_in()
        await self._wait_for_admission()
        return {**self._auth, **self._credential}

    async def bought(self) -> dict[str, str]:
        await self.run()
        return dict(self._auth)

    @property
    def session(self) -> str:
        return self._session

    @property
    def order(self) -> str:
        return self._order


async def passes(base_url: str, event: str, seed: int) -> list[Pass]:
    """Let a buyer in and another one buy, and say who calls what.

    Raises: what a call raises where the system is not there.
    """
    chance = random.Random(seed)  # noqa: S311 repeatable by its seed
    async with client() as http:

        def visitor(name: str) -> _Visitor:
            name = f"{name}-{secrets.token_hex(8)}"  # an account opens one session of an event
            plan = Plan(name, 2, "best-available", "pay", 60.0, 0.0, chance.getrandbits(64))
            return _Visitor(http, base_url, event, plan)

        insider, owner = visitor("insider"), visitor("owner")
        known, has_bought = await insider.inside(), await owner.bought()
        section = min((await insider._availability())["sections"])  # noqa: SLF001 our own
    stranger = {paths.HEADER_AUTHORIZATION: known["Authorization"]}
    names = {"event": event, "section": section, "session": insider.session}
    return [
        Pass("a guest", stranger, without=_PAYING),
        Pass("a buyer with a session", known, names, without=(*_PAYING, *_BOUGHT)),
        Pass("a buyer who pays or leaves", known, names, only=_PAYING),
        Pass("a buyer who has bought", has_bought, {"order": owner.order}, only=_BOUGHT),
    ]


def fuzz(base_url: str, one: Pass, asking: Asking) -> int:
    """Run Schemathesis once over loopback; 0: every answer was one that is described."""
    asked = ["run", str(asking.document), "--url", base_url, "--seed", str(asking.seed)]
    asked += ["--max-examples", str(asking.examples), "--checks", ",".join(CHECKS), "--no-color"]
    asked += ["--phases", ",".join(asking.phases), "--request-timeout", str(REQUEST_S)]
    asked += ["--suppress-health-check", "all", "--warnings", "off", "--continue-on-failure"]
    for name, value in one.headers.items():
        asked += ["--header", f"{name}: {value}"]
    for operation in one.only:
        asked += ["--include-operation-id", operation]
    for operation in () if one.only else one.without:
        asked += ["--exclude-operation-id", operation]
    with tempfile.TemporaryDirectory() as place:  # where its notes lie, and nothing of the checkout
        config = Path(place) / "schemathesis.toml"
        lines = [f'"path.{name}" = "{value}"' for name, value in one.names.items()]
        config.write_text("\n".join(["[parameters]", *lines, ""]), "utf-8")
        called = [str(asking.command.absolute()), "--config-file", str(config), *asked]
        return subprocess.run(called, check=False, cwd=place, env=base_environment()).returncode


def fuzz_all(base_url: str, event: str, asking: Asking) -> int:
    """Run each pass; 1 where one of them found something."""
    worst = 0
    for one in asyncio.run(passes(base_url, event, asking.seed)):
        print(f"As {one.who}:", flush=True)
        worst = max(worst, fuzz(base_url, one, asking))
    return int(worst > 0)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--examples", type=int, default=EXAMPLES, help="of each operation")
    parser.add_argument("--seed", type=int, default=SEED)
    options = parser.parse_args()
    command = schemathesis()
    if command is None:
        print("Schemathesis is not installed: `make fuzz-api` does it (.venv-openapi).")
        return 2
    sale = Sale(EVENT, name="Fuzz", sale_starts_in_s=1, tau_s=1, pow_bits=8, backoff_max_s=2)
    with tempfile.TemporaryDirectory() as run_dir, LocalSystem(Path(run_dir), 0) as system:
        put_on_sale(system.place.config, sale, demo_venue(SEATS))
        asking = Asking(command, options.examples, options.seed)
        return fuzz_all(system.base_url, EVENT, asking)


if __name__ == "__main__":
    sys.exit(main())
