"""What can be typed about a sale: event, seats, watch, report, tau, venue, draw, audit, check."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fairgate_ops.operate.cli import event_create, event_edit, event_options
from fairgate_ops.operate.cli.command import Verbs, add_pace, add_start, finish
from fairgate_ops.operate.cli.kinds import (
    assumed,
    between,
    count,
    integer,
    lasting,
    part,
    tau_s,
    translation,
    whole_s,
)
from fairgate_ops.shared.crowd import CROWD, crowd
from fairgate_ops.shared.rehearsal_scripts import SCRIPTS

if TYPE_CHECKING:
    import argparse

_RATE_DEFAULT, _RATE_MAX = 10.0, 100.0  # calls to the provider a second: event_cancel.py says why
MESSAGES = ("paused", "later", "released", "last")  # as say_to_buyers.py
WITHIN_S, WITHIN_S_MAX = 60.0, 3_600.0
_ZONED = "in the event's time zone"


def event(group: argparse.ArgumentParser) -> None:
    verbs = Verbs(group)
    event_create.add_arguments(verbs)
    verbs.add("list", "List all events, with their state.", "events.run_list", looks=True)
    show = "Show everything about one event, in words."
    showing = verbs.add("show", show, "events.run_show", "event", looks=True)
    as_file = "as the file that `event create --from` reads"
    showing.add_argument("--toml", action="store_true", help=as_file)
    event_edit.add_arguments(verbs)
    same = "Create a draft with the seats and settings of another event."
    cloning = verbs.add("clone", same, "event_clone.run_clone", "event")
    cloning.add_argument("new")
    cloning.add_argument("--name")
    event_options.add_sale_start(cloning.add_mutually_exclusive_group())
    event_options.add_facts(cloning)
    event_options.add_after_start(cloning)
    _rehearse(verbs)
    _gate(verbs)
    _cancel(verbs)
    at_once = "Set how many may shop at once."
    target = verbs.add("target", at_once, "events.run_target", "event", reason="may", asks=True)
    target.add_argument("live_max", type=integer, metavar="SESSIONS")
    who = "who sets the pace from now on; else as before"
    target.add_argument("--control", choices=("manual", "auto"), help=who)
    log = "Show what operators did, checked against its signatures."
    verbs.add("log", log, "events.run_log", "event", looks=True)


def _rehearse(verbs: Verbs) -> None:
    copied = "Make a hidden copy with simulated buyers."
    rehearsing = verbs.add("rehearse", copied, "event_rehearse.run_rehearse", "event")
    rehearsing.add_argument("--buyers", type=integer, required=True, metavar="N")
    rehearsing.add_argument(
        "--sale-starts-in", type=lasting(30, 3_600), default=60.0, metavar="SECONDS"
    )
    rehearsing.add_argument("--script", choices=SCRIPTS, default="calm")


def _gate(verbs: Verbs) -> None:
    shows = "Show a draft to buyers, in lists and on its page: now, or at a time."
    publishing = verbs.add("publish", shows, "event_state.run_publish", "event")
    publishing.add_argument("--at", metavar="TIME", help=f"{_ZONED}; else as soon as edges know")
    add_start(publishing)
    link = "Print the link that shows a draft as buyers will see it; nobody can join there."
    verbs.add("preview", link, "event_preview.run_preview", "event", looks=True)
    out = "Take an event out of the list; its own page still works."
    verbs.add("hide", out, "event_hide.run_hide", "event", reason="may")
    back = "Put a hidden event back into the list."
    verbs.add("show-again", back, "event_hide.run_show_again", "event", reason="may")
    words = "Show buyers a message on the event's pages, within half a minute."
    saying = verbs.add("say", words, "event_say.run_say", "event", reason="may")
    saying.add_argument("text", nargs="?", metavar="TEXT", help="one line, in English")
    saying.add_argument(
        "--in",
        dest="translation",
        action="append",
        default=[],
        type=translation,
        metavar="LANGUAGE=TEXT",
        help="in another language, such as de=…; repeatable",
    )
    prepared = "a prepared text in all languages"
    saying.add_argument("--template", choices=MESSAGES, help=prepared)
    saying.add_argument("--to", choices=("all", "waiting", "shopping"), default="all")
    lasts = "how long it is shown; else 30min"
    kind = lasting(10, 86_400)
    saying.add_argument("--for", dest="lasting_s", type=kind, default=1_800.0, help=lasts)
    saying.add_argument("--off", action="store_true", help="take the message away")
    never = "Delete a draft with its seats; a published event is hidden or closed instead."
    deleting = verbs.add(
        "delete", never, "event_delete.run_delete", "event", reason="may", asks=True
    )
    confirms = "confirms it, in scripts"
    deleting.add_argument("--confirm", metavar="EVENT", default="", help=confirms)
    sale_start = "Set when the sale starts: now, or at a time."
    opening = verbs.add("open", sale_start, "event_state.run_open", "event", asks=True)
    opening.add_argument("--at", metavar="TIME", help=f"{_ZONED}; else as soon as edges know")
    add_pace(opening)
    pause = "Admit nobody for a while; everyone keeps their place."
    add_start(verbs.add("pause", pause, "event_state.run_pause", "event"))
    resume = "Go on after a pause, or when seats have come back."
    add_pace(verbs.add("resume", resume, "event_state.run_resume", "event"))
    drain = "Let nobody new join the queue; waiting buyers are still admitted."
    verbs.add("drain", drain, "event_state.run_drain", "event", reason="may")
    until = "Admit every waiting buyer, until a time."
    verb = verbs.add("open-until", until, "event_state.run_open_until", "event")
    when = verb.add_mutually_exclusive_group(required=True)
    when.add_argument("--at", metavar="TIME", help=f"{_ZONED}, at most a day ahead")
    when.add_argument("--minutes", type=between(0.01, 1_440.0), help="for so long from now")
    when.add_argument("--off", action="store_true", help="back to the draw at once")
    add_start(verb)
    newest = "Store the gate's value in the deployment's newest format."
    upgrading = verbs.add("upgrade", newest, "event_state.run_upgrade", "event", reason="may")
    back = "in the one before, to go back to an older version"
    upgrading.add_argument("--back", action="store_true", help=back)
    end = "End the sale, for good unless --sold-out."
    closing = verbs.add("close", end, "event_state.run_close", "event", asks=True)
    closing.add_argument("--sold-out", action="store_true", help="say so; can be resumed")
    add_start(closing)


def _cancel(verbs: Verbs) -> None:
    verb = verbs.add(
        "cancel",
        "Cancel the event for good and give all of its money back.",
        "event_cancel.run_cancel",
        "event",
        more="Everything that was paid goes back: prices and all fees, also those that were kept of"
        " single cancelled places. Orders that buyers had cancelled keep their own terms. If it is"
        " interrupted, the same command goes on: no money goes back twice.",
        reason="must",
        asks=True,
    )
    all_of_it = "confirms that all money goes back"
    verb.add_argument("--refund-all", action="store_true", required=True, help=all_of_it)
    lines = "report with a line for each order: .csv, else JSON lines; a dry run needs none"
    verb.add_argument("--report", metavar="FILE", help=lines)
    rate = f"to the payment provider a second, at most (else {_RATE_DEFAULT:g})"
    kind = between(0.1, _RATE_MAX)
    verb.add_argument("--rate", type=kind, default=_RATE_DEFAULT, metavar="CALLS", help=rate)


def seats(group: argparse.ArgumentParser) -> None:
    verbs = Verbs(group)
    kept = "Keep seats from the sale."
    more = "It leaves and names held and sold ones: exit code 1. Repeat it to complete it."
    blocking = verbs.add("block", kept, "house_seats.run_block", "event", more=more, reason="must")
    blocking.add_argument(
        "seat", nargs="*", default=[], metavar="SEAT", help="id, or SECTION/ROW/NUMBER"
    )
    _add_places(blocking)
    until = f"then they are freed, {_ZONED}"
    blocking.add_argument("--until", metavar="TIME", help=until)
    free = "Free blocked seats to the sale: now, or at a time."
    freeing = verbs.add("free", free, "house_seats.run_free", "event", reason="may")
    which = "a block, seats, or a block and its seats"
    freeing.add_argument("names", nargs="*", default=[], metavar="BLOCK|SEAT", help=which)
    _add_places(freeing)
    freeing.add_argument("--at", metavar="TIME", help=f"of blocks, {_ZONED}")
    shown = "List what is blocked, why and until when."
    verbs.add("list", shown, "house_seats.run_list", "event", looks=True)


def _add_places(verb: argparse.ArgumentParser) -> None:
    verb.add_argument("--row", action="append", default=[], metavar="SECTION/ROW")
    verb.add_argument("--section", action="append", default=[], metavar="SECTION")
    places = "places of an area, or percent"
    verb.add_argument(
        "--area", action="append", default=[], type=part, metavar="AREA=NUMBER", help=places
    )


def watch(group: argparse.ArgumentParser) -> None:
    group.description = (
        "Show a sale live, refreshed every two seconds until Ctrl-C. An unknown figure is shown as"
        " ? with the reason, an old one with its age. It changes nothing."
    )
    finish(group, "watch.run_watch", looks=True)
    group.add_argument("event", nargs="*", help="else every event that is not closed")
    group.add_argument("--once", action="store_true", help="show it once and end; 1: not all known")


def report(group: argparse.ArgumentParser) -> None:
    group.description = "Write a page with pictures, and CSV files, about a sale."
    finish(group, "sale_report.run_report", looks=True)
    group.add_argument("event")
    group.add_argument("--logs", metavar="FOLDER", help="else the local run's")
    group.add_argument("--out", metavar="FOLDER", help="else EVENT-report")
    most = "after the sale start; else until now"
    group.add_argument("--hours", type=between(1.0, 8_760.0), help=most)


def simulate(group: argparse.ArgumentParser) -> None:
    group.description = "Predict queue, waits, sales, requests and cost of a sale. Modelled."
    finish(group, "simulate.run_simulate", looks=True)
    group.add_argument("event")
    many = "so many come; repeat for a column each"
    most = count(0, 10_000_000)
    group.add_argument("--buyers", type=most, action="append", metavar="N", help=many)
    file = "TOML; else the defaults"
    group.add_argument("--assumptions", metavar="FILE", help=file)
    one = "in place of the file's"
    group.add_argument("--assume", type=assumed, action="append", metavar="NAME=VALUE", help=one)
    kept = "for the console's live screen"
    group.add_argument("--keep", action="store_true", help=kept)
    group.add_argument("--plot", metavar="FILE", help="write plots: .svg or .html")


def tau(group: argparse.ArgumentParser) -> None:
    verbs = Verbs(group)
    now = "Show the pace now, and every epoch that is planned."
    verbs.add("get", now, "tau.run_get", "event", looks=True)
    dated = "Change the pace from a time on; nobody loses or gains waiting time."
    setting = verbs.add("set", dated, "tau.run_set", "event", asks=True)
    text = "seconds, 1 to 10,000,000; without it the pace stays"
    setting.add_argument("seconds", type=tau_s, nargs="?", metavar="TAU", help=text)
    refused = "of refused attempts reported to the risk desk"
    setting.add_argument("--sample-violations", type=float, metavar="SHARE", help=refused)
    mean = "assumed mean length of a session until some have ended; 0: the longest"
    setting.add_argument("--session-mean-s", type=whole_s, metavar="SECONDS", help=mean)
    if_tau = "only if the last pace is this one; for scripts"
    setting.add_argument("--if-tau", type=tau_s, metavar="SECONDS", help=if_tau)
    add_start(setting)
    at = "Change the pace at a time; what is planned for later stays."
    planning = verbs.add("plan", at, "tau.run_plan", "event", reason="may")
    planning.add_argument("seconds", type=tau_s, metavar="TAU")
    ahead = f"{_ZONED}, at most a week ahead"
    planning.add_argument("--at", required=True, metavar="TIME", help=ahead)
    given_up = "Cancel every planned change; the pace stays."
    verbs.add("cancel", given_up, "tau.run_cancel", "event", reason="may")
    model = "Show the effect of a pace on waiting buyers, and change nothing."
    looking = verbs.add("preview", model, "tau.run_preview", "event", looks=True)
    looking.add_argument("seconds", type=tau_s, metavar="TAU")


def venue(group: argparse.ArgumentParser) -> None:
    verbs = Verbs(group)
    importing = verbs.add(
        "import", "Write a chart as a Fairgate venue file.", "venues.run_import", "chart"
    )
    importing.add_argument("--out", required=True, metavar="FILE")
    again = "number the seats of rows through that repeat their numbers"
    importing.add_argument("--number-again", action="store_true", help=again)
    wrong = "Check a chart; list what is wrong and where."
    checking = verbs.add("validate", wrong, "venues.run_validate", "chart", looks=True)
    drawing = "answer what a page needs to draw it"
    checking.add_argument("--map", action="store_true", help=drawing)


def draw(group: argparse.ArgumentParser) -> None:
    verbs = Verbs(group)
    public = "Show what everyone may know of an event's draw."
    verbs.add("show", public, "draw.run_show", "event", looks=True)
    before = "Name the public value that will decide the draw, before it exists."
    announcing = verbs.add("announce", before, "draw.run_announce", "event", asks=True)
    source = 'like "drand quicknet round 12345678"'
    announcing.add_argument("--source", required=True, metavar="TEXT", help=source)
    at = "when it will exist, RFC 3339"
    announcing.add_argument("--at", required=True, metavar="TIME", help=at)
    mix = "Mix in the value that was announced, once it exists."
    mixing = verbs.add("beacon", mix, "draw.run_beacon", "event", asks=True)
    mixing.add_argument("--value", required=True, help="exactly as its source publishes it")
    key = "Publish the draw key, after the end of the sale."
    verbs.add("reveal", key, "draw.run_reveal", "event", asks=True)
    check = "A buyer's check: number and moment of admission, from public data."
    verb = verbs.add("verify", check, "draw_verify.run_verify", looks=True)
    verb.add_argument("event", nargs="?", help="else that of --config")
    verb.add_argument("--user", required=True, help="the account's id, as the sign-in shows it")
    verb.add_argument("--key", metavar="HEX", help="the revealed draw key")
    verb.add_argument("--commitment", metavar="HEX", help="as it was published before the sale")
    verb.add_argument("--beacon", metavar="VALUE", help="the beacon's value, if there was one")
    drawn_by = "of the waiting token, if the draw is by token"
    verb.add_argument("--token", metavar="ID", help=drawn_by)
    rules = "the sale's rules, as `audit export` wrote them"
    verb.add_argument("--config", metavar="FILE", help=rules)
    verb.add_argument("--log", metavar="FILE", help="the admission log: also find the user's lines")
    verb.add_argument("--joined", metavar="TIME", help="when you joined; else before the sale")


def audit(group: argparse.ArgumentParser) -> None:
    verbs = Verbs(group)
    again = "Recompute every admission; `check` may be left out. Exit code 1: a finding."
    checking = verbs.add("check", again, "audit.run_check", looks=True)
    checking.add_argument("event", nargs="?", help="of the running system or deployment")
    checking.add_argument("--log", metavar="FILE", help="an exported log instead")
    checking.add_argument("--config", metavar="FILE", help="with --log: the sale's rules")
    for option, default_s, text in (
        ("--clock-s", 2.0, "how far clocks differ"),
        ("--lag-s", 10.0, "how long the origin may use former rules"),
        ("--edge-lag-s", 120.0, "how long an edge may use former rules"),
    ):
        kind, shown = between(0.0, 3_600.0), f"{text} ({default_s:g})"
        checking.add_argument(option, type=kind, default=default_s, metavar="S", help=shown)
    processes = "processes (one a processor)"
    checking.add_argument("--workers", type=count(1, 64), metavar="N", help=processes)
    log = "Write the admission log, and the rules to check it by."
    exporting = verbs.add("export", log, "audit.run_export", "event")
    exporting.add_argument("--out", required=True, metavar="FILE", help="log, .jsonl.gz")
    exporting.add_argument("--config", metavar="FILE", help="also the rules with the revealed key")
    names = "pseudonyms instead of users and sessions, no orders"
    exporting.add_argument("--publish", action="store_true", help=names)
    laws = "Check what must hold between stored items, like one session a seat."
    items = verbs.add(
        "items",
        laws,
        "audit.run_items",
        more="It reads all three tables, a read unit for each 4 KB. Exit code 1: a finding.",
        looks=True,
    )
    settle = "how long the items may take to agree (30; aws: 120)"
    items.add_argument("--within", type=lasting(0.0, 3_600.0), metavar="SECONDS", help=settle)


def check(group: argparse.ArgumentParser) -> None:
    group.description = (
        "Decide go or no-go for one event, with a remedy for each failed line. It changes nothing."
        " Exit code 1: something is wrong, or could not be seen. `doctor` checks the whole"
        " deployment."
    )
    finish(group, "doctor.run_check", looks=True)
    group.add_argument("event")
    add_crowd(group, "so many may wait; the sample has to show them")


def doctor(group: argparse.ArgumentParser) -> None:
    group.description = (
        "Check that the deployment is ready for the day. It changes nothing. Exit code 1: something"
        " is wrong, or could not be seen."
    )
    finish(group, "doctor.run_doctor", looks=True)
    add_crowd(group, "so many may wait; quotas are compared with their need")
    fire = "aws: fire one alarm of each severity, and see that it is published"
    group.add_argument("--fire-alarms", action="store_true", help=fire)
    before = "aws: look at the account alone, before anything is deployed"
    group.add_argument("--before-deploy", action="store_true", help=before)


def add_crowd(group: argparse.ArgumentParser, text: str) -> None:
    """Add for how many it has to be ready, and how long to wait for what is looked at."""
    text = f"{text} (default: {CROWD:,})"
    group.add_argument("--crowd", type=crowd, default=CROWD, metavar="N", help=text)
    kind, stalls = (
        lasting(1.0, WITHIN_S_MAX),
        f"wait no longer for what stalls (default: {WITHIN_S:g})",
    )
    group.add_argument("--within", type=kind, default=WITHIN_S, metavar="SECONDS", help=stalls)
