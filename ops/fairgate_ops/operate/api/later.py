"""The acts whose modules are imported when the first act of their group is asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Mapping

    from fairgate_ops.operate.cli.report import Spoken

    Runs = Mapping[str, Callable[[argparse.Namespace], Spoken]]


def _seats() -> Runs:
    from fairgate_ops.operate.cli import house_seats

    return {
        "seats list": house_seats.run_list,
        "seats block": house_seats.run_block,
        "seats free": house_seats.run_free,
    }


def _orders() -> Runs:
    from fairgate_ops.operate.cli import (
        order_address,
        order_list,
        order_staff,
        order_tickets,
        orders,
    )

    return {
        "orders list": order_list.run_list,
        "orders show": order_staff.run_show,
        "orders tasks": orders.run_tasks,
        "orders done": orders.run_done,
        "orders refund": order_staff.run_refund,
        "orders resend": order_staff.run_resend,
        "orders edit": order_address.run_edit,
        "orders void": order_tickets.run_void,
        "orders take-back": order_tickets.run_take_back,
    }


def _desk() -> Runs:
    from fairgate_ops.operate.cli import desk

    return {
        "desk show": desk.run_show,
        "desk appeals": desk.run_appeals,
        "desk pardon": desk.run_pardon,
        "desk extend": desk.run_extend,
    }


def _buyer() -> Runs:
    from fairgate_ops.operate.cli import buyer

    return {"buyer show": buyer.run_show, "buyer erase": buyer.run_erase}


def _books() -> Runs:
    from fairgate_ops.operate.cli import books, books_balance, books_sales

    return {
        "books sales": books_sales.run_sales,
        "books ledger": books.run_ledger,
        "books movements": books_balance.run_movements,
        "books payouts": books_balance.run_payouts,
    }


def _draw() -> Runs:
    from fairgate_ops.operate.cli import draw, draw_verify

    return {
        "draw show": draw.run_show,
        "draw announce": draw.run_announce,
        "draw beacon": draw.run_beacon,
        "draw reveal": draw.run_reveal,
        "draw verify": draw_verify.run_verify_here,
    }


def _check() -> Runs:
    from fairgate_ops.operate.cli import event_check

    return {"check": event_check.run_check_in_reach}


def _live() -> Runs:
    from fairgate_ops.operate.api import live

    return {"live alarms": live.run_alarms, "live cost": live.run_cost}


def _forecast() -> Runs:
    from fairgate_ops.operate.api import live

    return {"forecast show": live.run_forecast}


# By the first word of their acts. Imported here, because what goes to Lambda is found by imports.
BY_GROUP: Mapping[str, Callable[[], Runs]] = {
    "seats": _seats,
    "orders": _orders,
    "desk": _desk,
    "buyer": _buyer,
    "books": _books,
    "draw": _draw,
    "check": _check,
    "live": _live,
    "forecast": _forecast,
}
