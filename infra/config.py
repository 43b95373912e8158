"""What ``-c name=value`` may say of a deployment; stage and payments alone have no default."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fairgate.settings import PAYMENT_PROVIDERS
from infra.throttles import API_RATE

LAYERS = ("vendor", "crypto", "crt", "stripe", "tickets")
_STAGE = re.compile(r"[a-z][a-z0-9]{0,11}")
# What a table on demand takes from the start; DynamoDB refuses to warm one to less.
WARM_READS_MIN, WARM_WRITES_MIN = 12_000, 4_000
_GATE_MAX_BYTES = 10_240  # CloudFront Developer Guide, cloudfront-limits: function size


class ConfigError(Exception):
    """The deployment is not described well enough; the text says what to do."""


@dataclass(frozen=True)
class Config:
    """One deployment. Empty strings mean: not used."""

    stage: str
    layers_dir: Path
    functions_dir: Path
    core_dir: Path
    gate_file: Path
    web_dir: Path
    # Warm throughput of the tables that a sale hits; None leaves DynamoDB's own start
    # (4,000 writes and 12,000 reads a second). Charged once, cannot be lowered.
    warm_reads: int | None
    warm_writes: int | None
    log_retention_days: int
    cache_gb_max: int
    cache_ecpu_max: int
    alarm_email: str
    critical_alarm_email: str  # alarm_email hears them too where this is empty
    api_rate: int  # requests a second that the account's API Gateway takes in this region
    front_door_version: str  # which version of its value the distribution sends; the newest
    budget_dollars: int | None  # a month; None: nobody is told
    domain: str
    certificate_arn: str
    api_domain: str
    api_certificate_arn: str
    payments_provider: str
    payments_url: str
    mail_sender: str
    oidc_issuer: str
    oidc_audience: str
    oidc_jwks_url: str

    @staticmethod
    def from_context(context: Callable[[str], Any], root: Path) -> Config:
        """Read and check every value. Raises ConfigError, naming the first thing that is wrong."""

        def text(name: str, default: str = "") -> str:
            return str(context(name) or default)

        config = Config(
            stage=text("stage"),
            layers_dir=root / text("layers", "build/layers"),
            functions_dir=root / text("functions", "functions"),
            core_dir=root / "layers/core",
            gate_file=root / text("gate", "build/gate.js"),
            web_dir=root / text("web", "edge/web"),
            warm_reads=_number(text("warm_reads"), "warm_reads"),
            warm_writes=_number(text("warm_writes"), "warm_writes"),
            log_retention_days=_number(text("log_retention_days", "90"), "log_retention_days") or 0,
            cache_gb_max=_number(text("cache_gb_max", "5"), "cache_gb_max") or 0,
            cache_ecpu_max=_number(text("cache_ecpu_max", "300000"), "cache_ecpu_max") or 0,
            alarm_email=text("alarm_email"),
            critical_alarm_email=text("critical_alarm_email"),
            api_rate=_number(text("api_rate", str(API_RATE)), "api_rate") or 0,
            front_door_version=text("front_door_version"),
            budget_dollars=_number(text("budget_dollars"), "budget_dollars"),
            domain=text("domain"),
            certificate_arn=text("certificate_arn"),
            api_domain=text("api_domain"),
            api_certificate_arn=text("api_certificate_arn"),
            payments_provider=text("payments_provider"),
            payments_url=text("payments_url"),
            mail_sender=text("mail_sender"),
            oidc_issuer=text("oidc_issuer"),
            oidc_audience=text("oidc_audience"),
            oidc_jwks_url=text("oidc_jwks_url"),
        )
        config.check()
        return config

    def check(self) -> None:
        if not _STAGE.fullmatch(self.stage):
            raise ConfigError(
                "name the stage with -c stage=<name>: a small letter, then up to 11 small letters "
                "or digits"
            )
        if self.payments_provider not in PAYMENT_PROVIDERS:
            raise ConfigError(
                "say who takes the payments with -c payments_provider=<name>: "
                f"{' or '.join(PAYMENT_PROVIDERS)}; there is no default"
            )
        if bool(self.domain) != bool(self.certificate_arn):
            raise ConfigError(
                "domain and certificate_arn go together (an ACM certificate in us-east-1)"
            )
        if bool(self.api_domain) != bool(self.api_certificate_arn):
            raise ConfigError(
                "api_domain and api_certificate_arn go together (an ACM certificate in the region"
                " of the stage)"
            )
        if self.budget_dollars and not self.alarm_email:
            raise ConfigError("budget_dollars needs alarm_email, which hears of it")
        self._check_warm_throughput()
        self._check_built()

    def _check_warm_throughput(self) -> None:
        for option, units, least in (
            ("warm_reads", self.warm_reads, WARM_READS_MIN),
            ("warm_writes", self.warm_writes, WARM_WRITES_MIN),
        ):
            if units is not None and units < least:
                raise ConfigError(
                    f"{option} must be at least {least}, which DynamoDB has from the start:"
                    " leave it out, or ask for more"
                )

    def _check_built(self) -> None:
        for name in LAYERS:
            if not (self.layers_dir / name / "python").is_dir():
                raise ConfigError(
                    f"the layer {name} is not built ({self.layers_dir / name}): run `make layers`"
                )
        if not self.gate_file.is_file():
            raise ConfigError(f"the gate is not built ({self.gate_file}): run `make gate`")
        size = self.gate_file.stat().st_size
        if size > _GATE_MAX_BYTES:
            raise ConfigError(
                f"the gate has {size} bytes, and CloudFront takes at most {_GATE_MAX_BYTES}"
            )
        if not self.web_dir.is_dir():
            raise ConfigError(f"the web pages are missing ({self.web_dir})")


def _number(value: str, name: str) -> int | None:
    if not value:
        return None
    if not value.isdecimal() or int(value) < 1:
        raise ConfigError(f"{name} must be a whole number above 0, not {value!r}")
    return int(value)
