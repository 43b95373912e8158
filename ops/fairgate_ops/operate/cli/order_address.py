"""``fairgate orders edit --email``: the address that an order's mails go to, put right by staff."""

from __future__ import annotations

import argparse

from fairgate.domain.shared.mail_address import sent_to
from fairgate.errors import DependencyUnavailableError, WrongStateError
from fairgate.service.orders.change_address import AddressChanger
from fairgate.service.shared.records.orders import Order
from fairgate_ops.operate.cli.act import Act
from fairgate_ops.operate.cli.command import at_target
from fairgate_ops.operate.cli.order_shape import as_json, order_of
from fairgate_ops.operate.cli.report import Report, one_line
from fairgate_ops.operate.target import Target
from fairgate_ops.operate.tell_change import operators_mail_queue


@at_target
def run_edit(options: argparse.Namespace, target: Target) -> Report | Act[Order]:
    """Links mailed to the old address show the order no more. Its tickets are mailed again."""
    order, world, email = order_of(target, options.order), target.world, options.email.strip()
    sent_to(email)
    if order.erased_at:
        detail = f"Its buyer's address was erased on request at {order.erased_at}."
        raise WrongStateError(detail, state=order.state)
    name = order.order_id
    if order.email == email:
        line = f"Nothing to do: the mails of {name} go there already (`orders resend` sends again)."
        return Report({"again": True, "order": as_json(order)}, [line])
    admits = order.state == "ticketed" and bool(order.held_by(order.user_id))
    ends = [
        f"Mails of {name} go to {one_line(email)}, no longer to {one_line(order.email)}.",
        "Links that were mailed to the old address no longer show this order.",
    ]
    if admits:
        ends.append("Its tickets are mailed to the new address. Those mailed before still admit.")

    def report(after: Order) -> Report:
        lines, sends = [ends[0]], False
        if admits:
            sends = _mailed_again(after, target)
            lines.append(
                "Its tickets are being mailed there."
                if sends
                else f"Its tickets could not be mailed: fairgate orders resend {name} --reason TEXT"
            )
        data = {"again": False, "tickets_mailed": sends, "order": as_json(after)}
        return Report(data, lines, failed=admits and not sends)

    changer = AddressChanger(world.table, world.clock, world.secrets.addresses())
    return Act(
        name="order edit",
        events=[order.event_id],
        detail={"order": name},  # never an address
        ends=ends,
        do=lambda: changer.change(order, email),
        would=lambda: Report({"again": False, "order": as_json(order)}, ends),
        report=report,
    )


def _mailed_again(order: Order, target: Target) -> bool:
    try:
        operators_mail_queue(target).mail(order.order_id, again=True)
    except DependencyUnavailableError:
        return False
    return True
