"""Check what a sale needs of Fairgate itself: keys, epochs, gates' values, the clock."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING

from fairgate.domain.gate.gate_config import ADMITTING, gate_key
from fairgate.domain.gate.pace import slope_at
from fairgate.domain.shared.jws import from_b64url
from fairgate.errors import FairgateError
from fairgate.ports.world import SECRET_OF
from fairgate_ops.operate.doctor.finding import Finding, Mend, good, off, wrong
from fairgate_ops.operate.first_keys import ALL_ONCE, left_behind
from fairgate_ops.shared.secret_file import SECRET_NAMES

if TYPE_CHECKING:
    from fairgate.domain.gate.gate_config import GateConfig
    from fairgate.service.shared.records.catalog import Event
    from fairgate_ops.operate.doctor.site import Site

# Without which something cannot be sold. The others are the providers'.
KEYS = ("auth", "auth_kid", "session", "session_kid", "webhook", "ticket", "links", "addresses")
PLAN_LATE_S = 300  # the controller plans each minute
_NOW = "now"


def clock(site: Site) -> Iterator[Finding]:
    ahead_s = site.target.clock_ahead_s
    if site.client is None:
        yield off("clock", "One machine, one clock.")
    elif ahead_s:
        where = "ahead" if ahead_s > 0 else "behind"
        mend = Mend("Let this machine take its time from NTP.", "this machine", "minutes")
        yield wrong("clock", f"It is {abs(ahead_s)} s {where} of AWS's, which is used.", mend)
    else:
        yield good("clock", "It agrees with AWS's.")


def keys(site: Site) -> Iterator[Finding]:
    """Say which are there; never what they are."""
    held = {name: json.loads(site.target.secret(name).read()) for name in SECRET_NAMES}
    missing = [f"{key} ({SECRET_OF[key]})" for key in KEYS if key not in held[SECRET_OF[key]]]
    if missing:
        do = "split" if "auth_kid" in held[ALL_ONCE] else "init"
        mend = Mend(f"`fairgate keys {do}`", "this command", "a minute")
        yield wrong("keys", f"Missing: {', '.join(missing)}.", mend)
        return
    yield good("keys", "All are there.")
    if left := left_behind(site.target.secret):
        mend = Mend("`fairgate keys split --remove`", "this command", "a minute")
        text = f"The secret {ALL_ONCE} still holds {', '.join(left)}: its readers need none of it."
        yield wrong("keys of before", text, mend)
    provider = site.target.world.settings.payments_provider
    if provider == "stripe" and not held["payments"].get("payments"):
        mend = Mend("`fairgate keys payments`", "this command", "a minute")
        yield wrong("payment key", "Stripe's key is missing: nobody can pay.", mend)
    elif provider == "sandbox" and site.client is not None:
        mend = Mend("Deploy with -c payments_provider=stripe.", "cdk", "minutes")
        yield wrong("payment key", "The sandbox takes the payments: no money comes in.", mend)
    else:
        yield good("payment key", f"{provider or 'none'}.")
    kid = held[ALL_ONCE]["auth_kid"]
    key = from_b64url(held[ALL_ONCE]["auth"][kid])
    for sale in site.events:
        gate = site.target.control().read(sale.id)
        if gate.auth_keys.get(kid) != key:
            mend = Mend("`fairgate keys rotate --auth`", "this command", "three minutes")
            text = "Its gate does not know the key that signs sign-ins: all are turned away."
            yield wrong(f"keys of {sale.id}", text, mend)
        else:
            yield good(f"keys of {sale.id}", "Its gate knows the key that signs sign-ins.")


def epochs(site: Site) -> Iterator[Finding]:
    if not site.events:
        yield off("epochs", "There is no event yet: `fairgate event create`.")
    for sale in site.events:
        yield _line_of(sale, site.target.control().read(sale.id), site)


def _line_of(sale: Event, gate: GateConfig, site: Site) -> Finding:
    subject, now_s = f"epochs of {sale.id}", site.target.world.clock.now_ms() / 1000
    if gate.state not in ADMITTING:
        return good(subject, f"It is {gate.state}: nobody is to be let in.")
    if now_s < gate.sale_start_s:
        if slope_at(gate, gate.sale_start_s) > 0:
            return good(subject, "From the sale start on it lets people in.")
        mend = Mend(f"`fairgate tau set {sale.id} SECONDS`", "this command", _NOW)
        return wrong(
            subject, "After the sale starts nobody is let in: the line stands still.", mend
        )
    if slope_at(gate, now_s) <= 0 and gate.epochs[-1].start_s <= now_s:
        mend = Mend(f"`fairgate tau set {sale.id} SECONDS`", "this command", "a minute")
        return wrong(subject, "The line stands still, and nothing else is planned.", mend)
    late_s = now_s - gate.epochs[-1].start_s
    if sale.control == "auto" and late_s > PLAN_LATE_S:
        text = f"The controller has planned nothing for {late_s / 60:.0f} minutes."
        return wrong(subject, text, Mend("Read its log; is it called?", "docs/alarms.md", _NOW))
    return good(subject, "People are let in.")


def store(site: Site) -> Iterator[Finding]:
    """Compare what edges have with what is written, event by event."""
    if not site.events:
        yield off("store against catalogue", "There is no event yet.")
    values = site.target.world.gate_values
    for sale in site.events:
        subject, key = f"store against catalogue, {sale.id}", gate_key(sale.id)
        if values.at_edge(key)[0] == values.read(key)[0]:
            yield good(subject, "The KeyValueStore has what is written.")
        else:
            mend = Mend("Wait two minutes; then read the controller's log.", "docs/operating.md")
            yield wrong(subject, "The KeyValueStore has another value than is written.", mend)


def damage(site: Site) -> Iterator[Finding]:
    damaged = site.target.world.catalog.all().damaged
    if damaged:
        mend = Mend("Bring the items back from the table's backup.", "docs/disaster.md", "an hour")
        yield wrong("catalogue", f"Nobody can read {', '.join(damaged)}.", mend)
    else:
        yield good("catalogue", "Every event can be read.")


def gate_format(site: Site) -> Iterator[Finding]:
    """A value that is newer than the deployment reads stops its sale."""
    reads = site.target.gate_format()
    for sale in site.events:
        try:
            version = site.target.control().read(sale.id).version
        except FairgateError as error:
            mend = Mend("See docs/disaster.md, a wrong value in the store.", "docs/disaster.md")
            yield wrong(f"value of {sale.id}", error.detail, mend)
            continue
        if version > reads:
            mend = Mend("Deploy this version, or `event upgrade --back`.", "cdk", "minutes")
            text = f"Its format is {version}, and the deployment reads up to {reads}."
            yield wrong(f"value of {sale.id}", text, mend)
        else:
            yield good(f"value of {sale.id}", f"Format {version}, which the deployment reads.")
    if not site.events:
        yield off("gates' values", "There is no event yet.")
