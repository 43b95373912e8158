"""Check what one event needs before the sale starts and on the day; `fairgate check` makes these.

They change nothing: the test checkout is a payment page that is closed at once, and never one of
Stripe's live mode.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from http import HTTPStatus
from typing import TYPE_CHECKING

from fairgate.domain.catalog.brand_files import NAMES, kept_at
from fairgate.domain.gate.gate_config import ADMITTING, with_epoch
from fairgate.domain.gate.gate_value import EPOCHS_MAX
from fairgate.domain.gate.pace import slope_at, to_come
from fairgate.domain.orders.charge_limits import charge_problem, step_problem
from fairgate.domain.shared.times import epoch_ms, rfc3339
from fairgate.errors import FairgateError, LimitExceededError, NotFoundError
from fairgate.http.paths import AVAILABILITY, EVENT, HEADER_SOURCE
from fairgate.http.views.events import shown_state
from fairgate.ports.payments import CheckoutRequest
from fairgate.service.gate.control_gate import LEAD_S
from fairgate.service.watch.read_figures import read_kept
from fairgate_ops.operate.doctor.finding import Finding, Mend, good, off, unseen, wrong
from fairgate_ops.operate.payment_keys import ask_provider
from fairgate_ops.operate.queues import count_messages

if TYPE_CHECKING:
    from fairgate.service.shared.records.catalog import Event
    from fairgate_ops.operate.doctor.site import Site

FIGURES_OLD_S = 60
QUEUE_LOOKS, QUEUE_PAUSE_S = 3, 2.0
PAGE_LIVES_S = 1_860  # Stripe takes no page that lives for less than half an hour
TELLING = 100  # accounts in the sample, of which the estimate's error is a fifth
_TEST_KEYS = (b"sk_test_", b"rk_test_")
_NOW = "now"
_DEARER = Mend("`fairgate event edit EVENT --price TIER=AMOUNT`", "", "a minute")


def sale_of(site: Site) -> Event:
    """Return the event that is checked. Raises NotFoundError."""
    for sale in site.every_event:
        if sale.id == site.only:
            return sale
    raise NotFoundError(f"There is no event {site.only} in the Catalog.")


def event(site: Site) -> Iterator[Finding]:
    """Say whether the event is on sale, and when its sale starts."""
    try:
        sale = sale_of(site)
    except NotFoundError as missing:
        mend = Mend("`fairgate event create`, again if it broke off", "this command", "minutes")
        yield wrong("event", missing.detail, mend)
        return
    now_ms = site.target.world.clock.now_ms()
    away_s = (epoch_ms(sale.sale_starts_at) - now_ms) / 1000
    when = f"sale start {sale.sale_starts_at}" + (" (past)" if away_s <= 0 else "")
    if sale.ended(now_ms):
        mend = Mend("Nothing brings it back: create another event.", "unless it is meant so")
        yield wrong("event", f"Its sale ended at {sale.ends_at}: nobody is let in.", mend)
    elif sale.state in ADMITTING:
        yield good("event", f"{sale.name}: {sale.state}, {when}.")
        if not sale.ends_at:
            hint = f"`fairgate event edit {sale.id} --sale-ends-at TIME`"
            yield off("sale end", "It has none: buyers are let in until you close it.", hint)
    elif sale.state == "draft" and sale.open_until:
        published = rfc3339(sale.open_until * 1000)
        yield good("event", f"{sale.name}: a draft, published at {published}; {when}.")
    elif sale.state == "draft":
        mend = Mend(f"`fairgate event publish {sale.id}`", "unless it is meant so", "a minute")
        yield wrong("event", f"It is a draft: no buyer sees it; {when}.", mend)
    elif sale.state == "closed":
        mend = Mend("Nothing brings it back: create another event.", "unless it is meant so")
        text = f"It is {shown_state(sale)}, for good: nobody is let in; {when}."
        yield wrong("event", text, mend)
    else:
        mend = Mend(f"`fairgate event resume {sale.id}`", "unless it is meant so", "a minute")
        yield wrong("event", f"It is {sale.state}: nobody is let in; {when}.", mend)


def load(site: Site) -> Iterator[Finding]:
    """Compare what the event may ask of the stage with what the stage carries."""
    from fairgate_ops.operate.stage_load import (
        stage_load,  # with what is deployed, which no function has
    )

    sale, limits = sale_of(site), site.target.limits
    if limits is None:
        yield unseen("stage's load", "This deployment is older than the check.", "Deploy again.")
        return
    found = stage_load(limits, sale.live_max, sale.session_mean_s or sale.session_s)
    if found.advice:
        yield off("stage's load", found.text, found.advice)
    else:
        yield good("stage's load", found.text)


def provider(site: Site) -> Iterator[Finding]:
    """Let the payment provider answer for the key that is in force."""
    try:
        ask_provider(site.target.world.payments, site.target.world.clock)
    except FairgateError as error:
        detail = error.detail.replace(": nothing was written", "").removesuffix(
            " Please try again."
        )
        mend = Mend("Its status page; else `fairgate keys payments`.", "the provider", "minutes")
        yield wrong("provider", detail, mend)
        return
    yield good("provider", f"{site.target.world.settings.payments_provider} answers.")


def checkout(site: Site) -> Iterator[Finding]:
    """Open a payment page of an order that nobody has, and close it: no money moves."""
    subject, world = "test checkout", site.target.world
    sale = sale_of(site)
    if what := unpayable(sale):
        yield wrong("prices", f"No checkout will succeed: {what}.", _DEARER)
    if not _takes_no_money(site):
        yield off(
            subject,
            "Stripe's live mode: a test would be a real page.",
            "Buy a ticket yourself, and cancel it.",
        )
        return
    request = CheckoutRequest(
        order=f"ord_{secrets.token_hex(16)}_{secrets.token_hex(4)}",
        amount_minor=max((tier.price_minor for tier in sale.tiers), default=0) or 1_000,
        currency=sale.currency,
        expires_ms=world.clock.now_ms() + PAGE_LIVES_S * 1000,
        return_url=site.public_url,
    )
    page = world.payments.open_checkout(request)
    if world.payments.close_checkout(page) is None:
        yield good(subject, "A payment page opened and was closed; nothing was taken.")
    else:
        mend = Mend("Look at the payment in its dashboard.", "the provider", _NOW)
        yield wrong(subject, "A page that nobody was shown says that it was paid.", mend)


def unpayable(sale: Event) -> str:
    """Return which amounts of an event the payment provider does not take; "": all are taken."""
    fees, prices = sale.fees, {tier.id: tier.price_minor for tier in sale.tiers}
    steps = [
        f"{tier} {what}"
        for tier, price in prices.items()
        if (what := step_problem(price, sale.currency))
    ]
    return (
        steps[0]
        if steps
        else charge_problem(
            prices.values(),
            sale.currency,
            fee_order_minor=fees.order_minor,
            fee_ticket_minor=fees.ticket_minor,
            places=sale.user_limit,
        )
    )


def _takes_no_money(site: Site) -> bool:
    if site.target.world.settings.payments_provider == "sandbox":
        return True
    return site.target.world.secrets.payments().payments.startswith(_TEST_KEYS)


def queues(site: Site) -> Iterator[Finding]:
    """Look at each queue until it has been empty once; a busy one is empty now and then."""
    names, empty = site.target.queues(), set[str]()
    counts = count_messages(site.target.sqs(), names)
    for look in range(QUEUE_LOOKS):
        if look:
            site.pause(QUEUE_PAUSE_S)
            waiting = {name: urls for name, urls in names.items() if name not in empty}
            counts |= count_messages(site.target.sqs(), waiting)
        empty |= {name for name, count in counts.items() if not count.waiting}
        if empty == set(names):
            break
    for name, count in counts.items():
        subject = f"queue {name}"
        if count.given_up:
            mend = Mend(f"docs/alarms.md, then `fairgate queue redrive {name}`", "", "minutes")
            yield wrong(subject, f"{count.given_up:,} messages were given up.", mend)
        elif name not in empty:
            mend = Mend("Is its function's Errors… or Throttles… up? Look again.", "docs/alarms.md")
            yield wrong(subject, f"{count.waiting:,} messages wait, and it never got empty.", mend)
        else:
            yield good(subject, "It is empty.")


def layouts(site: Site) -> Iterator[Finding]:
    """Read geometry of venue and sections, and the brand, from where buyers' pages get them."""
    sale = sale_of(site)
    names = ["venue.json", *(f"sections/{section.id}.json" for section in sale.sections)]
    files = [(sale.layout, name) for name in names]
    files += filter(None, (kept_at(fact, getattr(sale, fact)) for fact in NAMES))
    missing = []
    for folder, name in files:
        try:
            site.target.world.layouts.read(folder, name)
        except NotFoundError:
            missing.append(name)
    if missing:
        mend = Mend("Write them again from the chart; buyers see no map.", "docs/disaster.md", "")
        yield wrong("layouts", f"Missing: {', '.join(missing[:5])} of {len(missing)}.", mend)
    else:
        yield good("layouts", f"All {len(files)} files of {sale.layout} are there.")


def cache(site: Site) -> Iterator[Finding]:
    """Ask for the map's counts as buyers do: from the cache, each section and area among them."""
    sale, mend = sale_of(site), Mend(f"`fairgate cache rebuild {site.only}`", "", "a minute")
    if sale.state == "draft":
        yield off("cache", "Buyers see no map of a draft.")
        return
    answer = site.fetch(site.public_url + AVAILABILITY.format(event=site.only))
    if answer.status != HTTPStatus.OK:
        yield wrong("cache", f"The map answers {answer.status}.", mend)
        return
    counts = answer.json()
    lacks = sorted({section.id for section in sale.sections} - counts["sections"].keys())
    lacks += sorted(sale.areas.keys() - counts["areas"].keys())
    if answer.headers.get(HEADER_SOURCE) != "cache":
        yield wrong("cache", "The map comes from the table: the cache is empty or away.", mend)
    elif lacks:
        yield wrong("cache", f"It lacks {', '.join(lacks[:5])} of {len(lacks)}.", mend)
    else:
        yield good("cache", f"{len(counts['sections'])} sections and {len(counts['areas'])} areas.")


def public(site: Site) -> Iterator[Finding]:
    """Look at the event as a buyer's page does, and compare it with the Catalog."""
    sale, url = sale_of(site), site.public_url + EVENT.format(event=site.only)
    if sale.state == "draft":
        yield off("public address", "Buyers see no page of a draft.")
        return
    answer = site.fetch(url)
    if answer.status != HTTPStatus.OK:
        mend = Mend("Is the distribution deployed and the catalogue's function up?", "", "minutes")
        yield wrong("public address", f"{url} answers {answer.status}.", mend)
        return
    told = answer.json()
    shown = [(tier["id"], tier["price_minor"]) for tier in told["tiers"]]
    same = {
        "state": told["state"] == shown_state(sale),
        "sale start": told["sale_starts_at"] == sale.sale_starts_at,
        "prices": shown == [(tier.id, tier.price_minor) for tier in sale.tiers],
        "layout": told["layout"] == sale.layout,
    }
    differ = [name for name, is_same in same.items() if not is_same]
    if differ:
        mend = Mend("Wait half a minute; then who changed it past `fairgate`?", "", "a minute")
        yield wrong("public address", f"It shows other {', '.join(differ)} than are written.", mend)
    else:
        yield good("public address", f"{url} shows the event as it is written.")


def spare_for_changes(site: Site) -> Iterator[Finding]:
    """Say whether τ can still be set: at most so many changes can be to come."""
    gate = site.target.control().read(site.only)
    now_s = site.target.world.clock.now_ms() / 1000
    ahead = to_come(gate, now_s)
    start_s = max([now_s + LEAD_S, float(gate.sale_start_s), *(e.start_s for e in ahead)]) + 1
    try:
        with_epoch(gate, start_s, slope_at(gate, start_s) or 1.0, now_s=now_s)
    except LimitExceededError:
        mend = Mend(f"`fairgate tau cancel {site.only}`, or wait for the next.", "", "a minute")
        yield wrong("planned changes", f"{len(ahead)} changes are to come: no more fit.", mend)
        return
    planned = f"{len(ahead)} changes are to come" if len(ahead) != 1 else "One change is to come"
    yield good("planned changes", f"{planned}; the gate takes {EPOCHS_MAX} epochs.")


def sample(site: Site) -> Iterator[Finding]:
    """Say whether enough accounts are counted for the estimate of the crowd that is expected."""
    sale, gate = sale_of(site), site.target.control().read(site.only)
    share, crowd = gate.sample_queue, site.crowd
    mend = Mend(
        "Only `fairgate event create --sample` sets it: create it again before the sale; or let"
        " `fairgate event target --control manual` set the pace, and say --crowd as it will be.",
        "this command",
        "minutes",
    )
    if share <= 0 and sale.control == "auto":
        yield wrong("estimate's sample", "Nothing is counted: the controller sees no crowd.", mend)
    elif share <= 0:
        yield off("estimate's sample", "Nothing is counted: nobody will know how many wait.")
    elif crowd * share < TELLING:
        text = f"{share:.2%} of {crowd:,} are {crowd * share:,.0f} accounts: too few to tell."
        yield wrong("estimate's sample", text, mend)
    else:
        yield good("estimate's sample", f"{share:.2%}, of {crowd:,} {crowd * share:,.0f} accounts.")


def figures(site: Site) -> Iterator[Finding]:
    """Say whether the controller makes the figures that operators watch."""
    world = site.target.world
    kept, now_ms = read_kept(world.table, site.only), world.clock.now_ms()
    mend = Mend("Is it called? `ControllerSilent`, its log.", "docs/alarms.md", _NOW)
    if kept is None:
        if now_ms - epoch_ms(sale_of(site).created_at) <= FIGURES_OLD_S * 1000:
            yield off("controller", "It makes its first figures within a minute.")
        else:
            yield wrong("controller", "It has made no figures of the event yet.", mend)
        return
    age_s = (now_ms - epoch_ms(kept.at)) / 1000
    if age_s > FIGURES_OLD_S:
        yield wrong("controller", f"It last looked at the event {age_s / 60:.0f} min ago.", mend)
    else:
        yield good("controller", f"It looked at the event {age_s:.0f} s ago.")
