"""Check the options that say who is told what, and what is measured and kept."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from fairgate.domain.shared.ids import EVENT_ID
from infra.option_values import ConfigError, is_provider_address, number, switch

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

_SLACK_WORKSPACE = re.compile(r"T[A-Z0-9]{8,12}")
_SLACK_CHANNEL = re.compile(r"[CG][A-Z0-9]{8,12}")
BACKUP_DAYS_MAX = 36_500  # AWS Backup Developer Guide, "Lifecycle"


def read_watching(text: Callable[[str], str]) -> dict[str, Any]:
    """Return the fields of Config."""
    options = (
        "alarm_email",
        "critical_alarm_email",
        "alarm_https",
        "canary_event",
        "slack_workspace",
        "slack_channel",
    )
    return {option: text(option) for option in options} | {
        "api_logs": switch(text("api_logs"), "api_logs"),
        "backup_days": number(text("backup_days"), "backup_days"),
    }


def check_watching(given: Mapping[str, Any]) -> None:
    """Raise ConfigError for what AWS would refuse in the middle of a deployment.

    Args:
        given: the fields of Config.
    """
    if given["canary_event"] and not EVENT_ID.fullmatch(given["canary_event"]):
        raise ConfigError(f"canary_event is the id of an event, not {given['canary_event']!r}")
    if given["alarm_https"] and not (
        given["alarm_https"].startswith("https://") and is_provider_address(given["alarm_https"])
    ):
        raise ConfigError(
            "alarm_https is an https address without a name and password, like the one of"
            " PagerDuty's integration for CloudWatch"
        )
    if bool(given["slack_workspace"]) != bool(given["slack_channel"]):
        raise ConfigError("slack_workspace and slack_channel go together")
    for option, form, like in (
        ("slack_workspace", _SLACK_WORKSPACE, "T0123ABCDEF"),
        ("slack_channel", _SLACK_CHANNEL, "C0123ABCDEF"),
    ):
        if (value := given[option]) and not form.fullmatch(value):
            raise ConfigError(f"{option} is Slack's id, like {like}, not {value!r}")
    if given["backup_days"] and given["backup_days"] > BACKUP_DAYS_MAX:
        raise ConfigError(f"backup_days must be at most {BACKUP_DAYS_MAX}, as AWS takes no more")
