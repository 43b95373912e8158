"""What can be typed about keys, the risk desk, queues, the cache, and getting ready."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fairgate_ops.operate.cli.command import Verbs, finish
from fairgate_ops.operate.cli.kinds import between, count
from fairgate_ops.shared.crowd import CROWD, crowd

if TYPE_CHECKING:
    import argparse

QUEUES = ("expiry", "invalidations", "jobs", "mails", "tickets")
SHELLS = ("bash", "zsh")
AT_ONCE, AT_ONCE_MAX = 4, 32
BEFORE_MIN, AFTER_H = 60.0, 4.0
_BEFORE_MIN_MAX, _AFTER_H_MAX = 7 * 24 * 60.0, 30 * 24.0


# As operate/api/roles.py; an owner is one of all events.
EVENT_ROLES = ("organiser", "box-office", "door", "viewer", "auditor")


def access(group: argparse.ArgumentParser) -> None:
    verbs = Verbs(group)
    more = "It counts over HTTP, at the next request."
    one = "Give a person or a group of the sign-in a role for one event."
    granting = verbs.add("grant", one, "access.run_grant", "event", more=more, reason="may")
    _add_who(granting)
    end = "its end, in the event's time zone; else until it is revoked"
    granting.add_argument("--until", metavar="TIME", help=end)
    back = "Take a role for one event back."
    _add_who(verbs.add("revoke", back, "access.run_revoke", "event", more=more, reason="may"))
    everybody = "List who has or had a role for this event."
    verbs.add("list", everybody, "access.run_list", "event", looks=True)
    _tokens(verbs)


def _tokens(verbs: Verbs) -> None:
    program = "Make a token for a program, with a role; it is shown once."
    making = verbs.add("token", program, "access_tokens.run_token", reason="may")
    making.add_argument("event", metavar="EVENT", help="or all")
    making.add_argument("--role", choices=EVENT_ROLES, required=True)
    ends = "its end, within 400 days"
    making.add_argument("--until", metavar="TIME", required=True, help=ends)
    verbs.add("tokens", "List all tokens.", "access_tokens.run_tokens", looks=True)
    over = "Take a token back."
    ending = verbs.add("end-token", over, "access_tokens.run_end_token", reason="may")
    ending.add_argument("token", metavar="ID", help="as `access tokens` names it")


def _add_who(verb: argparse.ArgumentParser) -> None:
    verb.add_argument("role", choices=EVENT_ROLES, metavar="ROLE", help=", ".join(EVENT_ROLES))
    who = verb.add_mutually_exclusive_group(required=True)
    who.add_argument("--user", metavar="ID", help="an account, as the sign-in names it")
    who.add_argument("--group", metavar="NAME", help="of the sign-in, fairgate-…")


def keys(group: argparse.ArgumentParser) -> None:
    verbs = Verbs(group)
    once = "Make the keys of a new deployment, once."
    verbs.add("init", once, "keys.run_init", reason="may")
    apart = "Copy the keys of version 0.2.0 or older into secrets of their own."
    split = verbs.add("split", apart, "keys.run_split", reason="may", asks=True)
    gone = "remove the originals after the deployment"
    split.add_argument("--remove", action="store_true", help=gone)
    public = "Show the public key with which the entrance checks tickets."
    verbs.add("ticket", public, "keys.run_ticket", looks=True)
    pair = "Store the payment provider's API key and webhook secret, or restore the former pair."
    payments = verbs.add("payments", pair, "payment_keys.run_payments", reason="may")
    payments.add_argument("--api-key-file", metavar="FILE")
    payments.add_argument("--webhook-secret-file", metavar="FILE")
    back = "restore the former pair"
    payments.add_argument("--back", action="store_true", help=back)
    wallets = "Store what Apple or Google gave for passes of tickets, read from files."
    passes = verbs.add("passes", wallets, "pass_keys.run_passes", reason="may")
    passes.add_argument("--organisation", metavar="NAME", help="as passes name it")
    passes.add_argument("--apple-certificate", metavar="FILE", help="for passes, PEM")
    passes.add_argument("--apple-key", metavar="FILE", help="the certificate's, PEM")
    passes.add_argument("--apple-intermediate", metavar="FILE", help="Apple's own (WWDR), PEM")
    passes.add_argument("--google-account", metavar="FILE", help="service account's key, JSON")
    passes.add_argument("--google-issuer", metavar="ID", help="of the Google Wallet API")
    client = (
        "Store the identity provider's client secret, read from standard input or asked for; or"
        " restore the former one."
    )
    oidc = verbs.add("oidc", client, "client_secret.run_oidc", reason="may")
    oidc.add_argument("--back", action="store_true", help="restore the former one")
    unasked = "do not try it at the provider"
    oidc.add_argument("--unasked", action="store_true", help=unasked)
    new = "Retire the old signing key if it is allowed, and let a new one sign."
    rotating = verbs.add("rotate", new, "keys.run_rotate")
    which = rotating.add_mutually_exclusive_group(required=True)
    which.add_argument("event", nargs="?", help="whose waiting tokens")
    which.add_argument("--auth", action="store_true", help="the auth JWTs' key instead")
    steps = "only this one; else retire, add, wait two minutes, switch"
    rotating.add_argument("--step", choices=("add", "switch", "retire"), help=steps)
    timer = "for a timer: do what is due, but replace no key that has signed for less"
    hours = between(0.0, 8_760.0)
    rotating.add_argument("--every-h", type=hours, default=0.0, metavar="HOURS", help=timer)


def desk(group: argparse.ArgumentParser) -> None:
    verbs = Verbs(group)
    why = "Show the decisions about a user."
    verbs.add("show", why, "desk.run_show", "event", "user", looks=True)
    asked = "List open appeals."
    verbs.add("appeals", asked, "desk.run_appeals", "event", looks=True)
    lift = "Lift the decisions about a user."
    verbs.add("pardon", lift, "desk.run_pardon", "event", "user", reason="must")
    longer = "Lock an account out longer."
    keep = verbs.add("extend", longer, "desk.run_extend", "event", "user", reason="must")
    when = keep.add_mutually_exclusive_group(required=True)
    when.add_argument("--until", metavar="TIME", help="within a day")
    when.add_argument("--minutes", type=between(1.0, 1_440.0), help="for so long from now")


def queue(group: argparse.ArgumentParser) -> None:
    verbs = Verbs(group)
    each = "List each queue with its waiting messages and its dead letters."
    verbs.add("list", each, "queues.run_list", looks=True)
    again = "Send a queue's dead letters again."
    verb = verbs.add("redrive", again, "queues.run_redrive", reason="may")
    verb.add_argument("queue", choices=QUEUES)
    verb.add_argument("--max", type=count(1, 1_000_000), default=1_000, metavar="MESSAGES")


def cache(group: argparse.ArgumentParser) -> None:
    text = "Fill the availability cache from the table, while reads and changes go on."
    verb = Verbs(group).add("rebuild", text, "cache.run_rebuild", "event", reason="may")
    place = "only this section or area; repeat for more (default: all)"
    verb.add_argument("--place", action="append", metavar="ID", help=place)
    forget = "first forget what is cached, even if newer: after the table was restored"
    verb.add_argument("--forget", action="store_true", help=forget)
    at_once, kind = f"so many sections at a time (default: {AT_ONCE})", count(1, AT_ONCE_MAX)
    verb.add_argument("--at-once", type=kind, default=AT_ONCE, metavar="N", help=at_once)


def prewarm(group: argparse.ArgumentParser) -> None:
    verbs = Verbs(group)
    warm = "Fill the cache, and in AWS warm tables, cache and functions and freeze deployments."
    start = verbs.add("start", warm, "prewarm.run_start", "event", reason="may")
    costs = "Give back what costs by the hour, and allow deployments."
    back = verbs.add("give-back", costs, "prewarm.run_back", "event", reason="may")
    timer = "For a timer: start before the sale start, give back afterwards."
    due = verbs.add("due", timer, "prewarm.run_due", "event", reason="may")
    itself = "aws: let AWS prepare functions and cache before the sale, and give them back."
    schedule = verbs.add("schedule", itself, "prewarm.run_schedule", "event", reason="may")
    for verb in (start, due, schedule):
        wait = f"so many may wait ({CROWD:,})"
        verb.add_argument("--crowd", type=crowd, default=CROWD, metavar="N", help=wait)
    for verb in (start, due):
        frozen = "let deployments go on during the sale"
        verb.add_argument("--no-freeze", action="store_true", help=frozen)
    before, after = between(0.0, _BEFORE_MIN_MAX), between(0.0, _AFTER_H_MAX)
    for verb in (due, schedule):
        verb.add_argument("--before-min", type=before, default=BEFORE_MIN, metavar="MINUTES")
        verb.add_argument("--after-h", type=after, default=AFTER_H, metavar="HOURS")
    needed = "also while another event of the deployment needs it"
    back.add_argument("--force", action="store_true", help=needed)
    back.set_defaults(before_min=BEFORE_MIN, after_h=AFTER_H)


def completion(group: argparse.ArgumentParser) -> None:
    finish(group, "completion.run_completion", looks=True)
    group.add_argument("shell", choices=SHELLS)
