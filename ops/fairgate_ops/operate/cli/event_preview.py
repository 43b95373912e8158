"""``fairgate event preview``: the link that shows a draft as buyers will see it."""

from __future__ import annotations

import argparse

from fairgate.domain.gate.preview import preview_token
from fairgate.service.gate.must_be_listed import must_be_listed
from fairgate.service.shared.event_update import read_event
from fairgate_ops.operate.cli.command import at_target
from fairgate_ops.operate.cli.report import Report
from fairgate_ops.operate.target import Target


@at_target
def run_preview(options: argparse.Namespace, target: Target) -> Report:
    event = options.event
    must_be_listed(target.world.table, event)
    created_at = read_event(target.world.table, event).created_at
    token = preview_token(target.control().read(event), event, created_at)
    url = f"{target.world.settings.public_url}/#/e/{event}/preview/{token}"
    return Report({"event": event, "url": url}, [url])
