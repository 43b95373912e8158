"""Every check, by the name that it has when it can say nothing else."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fairgate_ops.operate.doctor import account, deployment, event, outside, rows, sale

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fairgate_ops.operate.doctor.finding import Check

IN_AWS: Mapping[str, Check] = {
    "edge requests a second": account.edge_requests,
    "API requests a second": account.api_rate,
    "Lambda concurrency": account.lambda_concurrency,
    "what routes and functions are given": account.given,
    "units of the tables": account.table_units,
    "Stripe": account.stripe,
    "provider": event.provider,
    "mail": account.mail,
    "zones": deployment.zones,
    "tables": deployment.tables,
    "provisioned concurrency": deployment.provisioned,
    "who hears alarms": deployment.subscriptions,
    "alarms": deployment.alarms,
    "alarms of the edge": deployment.edge_alarms,
    "firewall": deployment.firewall,
    "alarms' delivery": deployment.delivery,
}
BEFORE_DEPLOY: Mapping[str, Check] = {
    "new account": account.new_account,
    "edge requests a second": account.edge_requests,
    "API requests a second": account.api_rate,
    "Lambda concurrency": account.lambda_concurrency,
    "units of the tables": account.table_units,
    "Stripe": account.stripe,
    "mail": account.mails,
}
EVERYWHERE: Mapping[str, Check] = {
    "clock": sale.clock,
    "keys": sale.keys,
    "catalogue": sale.damage,
    "gates' values": sale.gate_format,
    "epochs": sale.epochs,
    "store against catalogue": sale.store,
    "values at the edge": outside.edge,
    "pages": outside.pages,
    "identity provider": outside.identity,
    "provider's name": outside.issuer,
    "requirements of accounts": outside.accounts,
    "wallet passes": outside.passes,
    "webhook": outside.webhook,
}
# What `fairgate check` looks at, of one event.
OF_AN_EVENT: Mapping[str, Check] = {
    "event": event.event,
    "clock": sale.clock,
    "keys": sale.keys,
    "gates' values": sale.gate_format,
    "epochs": sale.epochs,
    "planned changes": event.spare_for_changes,
    "store against catalogue": sale.store,
    "values at the edge": outside.edge,
    "requirements of accounts": outside.accounts,
    "estimate's sample": event.sample,
    "controller": event.figures,
    "rows": rows.rows,
    "layouts": event.layouts,
    "cache": event.cache,
    "public address": event.public,
    "webhook": outside.webhook,
    "provider": event.provider,
    "test checkout": event.checkout,
    "queues": event.queues,
}
OF_AN_EVENT_IN_AWS: Mapping[str, Check] = {
    "stage's load": event.load,
    "who hears alarms": deployment.subscriptions,
    "alarms": deployment.alarms,
}
