"""What a function can look at of an event: tables, gate, files and the web."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fairgate_ops.operate.doctor import event, outside, sale

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fairgate_ops.operate.doctor.finding import Check

IN_REACH: Mapping[str, Check] = {
    "event": event.event,
    "epochs": sale.epochs,
    "planned changes": event.spare_for_changes,
    "store against catalogue": sale.store,
    "values at the edge": outside.edge,
    "requirements of accounts": outside.accounts,
    "estimate's sample": event.sample,
    "controller": event.figures,
    "layouts": event.layouts,
    "cache": event.cache,
    "public address": event.public,
    "webhook": outside.webhook,
}
# They need the keys, the payment provider, or what only people may see of the account.
OUT_OF_REACH = (
    *("clock", "keys", "gates' values", "rows", "provider", "test checkout", "queues"),
    *("stage's load", "who hears alarms", "alarms"),
)
