"""What ``-c name=value`` may say of a deployment; stage and payments alone have no default."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fairgate.adapters.dynamodb.schema import TABLES, Name
from fairgate.domain.shared.mail_address import why_unsendable
from fairgate.errors import MalformedInputError
from fairgate.service.catalog.stage_brand import read_brand
from fairgate.settings import PAYMENT_PROVIDERS
from infra.cognito_plans import CHEAPEST, PLANS, PROTECTED, prices
from infra.firewall import VERSIONED
from infra.misspelt import misspelt
from infra.naming import name
from infra.option_values import ConfigError, is_provider_address, listed, number, switch
from infra.throttles import API_RATE, STRIPE_PER_S
from infra.watching_options import check_watching, read_watching

PROVIDER_ADDRESSES = (
    *("oidc_issuer", "oidc_authorize_url", "oidc_token_url", "oidc_jwks_url"),
    "oidc_sign_out_url",
)
OIDC_OPTIONS = (*PROVIDER_ADDRESSES, "oidc_client_id", "oidc_audience")
SIGN_INS = ("", "cognito")
CLAIM_OPTIONS = ("account_created_claim", "phone_claim", "membership_claim")
# Source: Cognito API Reference, CreateUserPoolDomain: words that no prefix may have.
REFUSED_IN_DOMAINS = ("aws", "amazon", "cognito")
LAYERS = ("vendor", "crypto", "crt", "stripe", "tickets", "pictures", "operators")
# Whose money is play money. Every other stage is one that sells: the safer mistake.
REHEARSAL_BUYERS_MAX = 20_000  # of one machine, as ops/fairgate_ops/run/crowd/arrivals.py
TEST_STAGES = ("demo", "dev", "emulated", "load", "local", "rehearsal", "test")
# Old zones that newer services leave out; by id, because each account has names of its own. Neither
# Lambda ("The provided subnets contain availability zone Lambda doesn't support") nor ElastiCache
# Serverless publishes its list, so what others publish is refused: EKS User
# Guide, "View Amazon EKS networking requirements for VPC and subnets" (three of them); PrivateLink
# Guide, "Access AWS services across Regions" (which adds apne1-az3).
REFUSED_ZONES = ("apne1-az3", "cac1-az3", "use1-az3", "usw1-az2")
REGIONS_WITH_REFUSED = ("ap-northeast-1", "ca-central-1", "us-east-1", "us-west-1")
_RULE_VERSION = re.compile(r"Version_[0-9]+\.[0-9]+")
_CLAIM = re.compile(r"[A-Za-z0-9_:./-]{1,100}")
_ZONE_ID = re.compile(r"[a-z]{2,5}[0-9]-az[0-9]")
_DISTRIBUTION_ID = re.compile(r"E[A-Z0-9]{7,20}")
_HOST = re.compile(r"(?!.{254})([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]")
_STAGE = re.compile(r"[a-z][a-z0-9]{0,11}")
# What a table on demand takes from the start; DynamoDB refuses to warm one to less.
WARM_READS_MIN, WARM_WRITES_MIN = 12_000, 4_000
# What ElastiCache Serverless takes. Source: ElastiCache User Guide, "Scaling ElastiCache
# Serverless": ECPUs a second, for minimum and maximum alike; "Quotas": data.
ECPU_MIN, ECPU_MAX = 1_000, 15_000_000
CACHE_GB_MAX = 5_000
ZONES = 2
CONCURRENCY_MIN = 400  # below it the shares are too small to sell by (infra/concurrency.py)
_GATE_MAX_BYTES = 10_240  # CloudFront Developer Guide, cloudfront-limits: function size
# Options that are read as they are; "" and None: not given.
_TEXTS = (
    *("stage", "payments_provider", "payments_url", "domain", "certificate_arn", "api_domain"),
    *("api_certificate_arn", "web_acl_arn", "access_logs", "edge_alarms", "front_door_version"),
    *("origin_shield_region", "mail_sender", "sign_in"),
    *PROVIDER_ADDRESSES,
    *CLAIM_OPTIONS,
)
_NUMBERS = ("warm_reads", "warm_writes", "concurrency", "cache_ecpu_min", "budget_dollars")


_OR_COGNITO = " (or -c sign_in=cognito, which makes the provider, with -c mail_sender=…)"


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
    concurrency: int | None  # of Lambda, that the account has in this region; None: not shared out
    zones: tuple[str, ...]  # ids of two availability zones; none: those that AWS lists first
    region: str  # as the CDK's command names it; empty: nobody knows yet
    test_stages: tuple[str, ...]
    log_retention_days: int
    cache_gb_max: int
    cache_ecpu_max: int
    cache_ecpu_min: int | None  # a second that the cache always stands ready for; None: grows
    alarm_email: str
    alarm_https: str  # hears the critical ones as well
    slack_workspace: str
    slack_channel: str  # of that workspace; hears all
    critical_alarm_email: str  # alarm_email hears them too where this is empty
    api_rate: int  # requests a second that the account's API Gateway takes in this region
    front_door_version: str  # which version of its value the distribution sends; the newest
    origin_shield_region: str  # empty: what AWS advises for the stage's region
    budget_dollars: int | None  # a month; None: nobody is told
    backup_days: int | None  # for so long daily backups are kept; None: there are none
    canary_event: str  # a hidden event, at which the canary goes a buyer's way; empty: no canary
    crowd: int  # the most people who are planned to wait for one event
    domain: str
    certificate_arn: str
    waf: bool  # a stack of its own with the firewall; where nobody says, every stage that sells
    web_acl_arn: str  # the firewall of the distribution: that stack's, or yours
    api_logs: bool  # a stack of its own with the API's log as tables
    access_logs: str  # id of the distribution whose requests are logged; a stack of its own
    edge_alarms: str  # id of the distribution that is watched; a stack of its own
    rule_versions: Mapping[str, str]  # of AWS's rules in the firewall; "": the newest
    second_person: bool  # some acts of operators over HTTP need two people
    rehearsal_buyers: int  # the most simulated buyers of one rehearsal; 0: nothing is rehearsed
    load_workers: bool  # a stack where simulated buyers of a rehearsal run
    api_domain: str
    api_certificate_arn: str
    payments_provider: str
    payments_url: str
    payments_per_s: int  # checkouts that Stripe takes a second
    mail_sender: str
    mail_identity: str  # what SES has verified: the sender's address, or its domain
    passes: tuple[str, ...]  # wallets that buyers may save tickets to: apple, google
    brand: str  # TOML, of events whose organiser says nothing of it; empty: none
    sign_in: str  # cognito: a stack with a user pool is the identity provider; empty: oidc_…
    cognito_plan: str  # of that user pool; a stage that sells has to say which
    oidc_issuer: str
    oidc_client_id: str
    oidc_audience: str  # of its identity tokens: the client's id, where nobody says another
    oidc_authorize_url: str
    oidc_token_url: str
    oidc_jwks_url: str
    oidc_sign_out_url: str
    account_created_claim: str  # of identity tokens, as are the next two
    phone_claim: str
    membership_claim: str
    # The tables that are used, and the streams of those that are not the stage's own: one that was
    # restored to a moment takes the damaged one's place.
    tables: Mapping[Name, str]
    streams: Mapping[Name, str]

    @staticmethod
    def from_context(
        context: Callable[[str], Any], root: Path, region: str = "", given: Iterable[str] = ()
    ) -> Config:
        """Read and check every value. Raises ConfigError, naming the first thing that is wrong.

        Args:
            given: every name that the context has, so that one that is misspelt is noticed.
        """
        known: set[str] = set()

        def text(option: str, default: str = "") -> str:
            known.add(option)
            return str(context(option) or default)

        plain: dict[str, Any] = {option: text(option) for option in _TEXTS}
        plain |= {option: number(text(option), option) for option in _NUMBERS}
        config = Config(
            **plain,
            layers_dir=root / text("layers", "build/layers"),
            functions_dir=root / text("functions", "functions"),
            core_dir=root / "layers/core",
            gate_file=root / text("gate", "build/gate.js"),
            web_dir=root / text("web", "build/web"),
            zones=listed(text("zones")),
            region=region,
            test_stages=listed(text("test_stages", ",".join(TEST_STAGES))),
            log_retention_days=number(text("log_retention_days", "90"), "log_retention_days") or 0,
            cache_gb_max=number(text("cache_gb_max", "5"), "cache_gb_max") or 0,
            cache_ecpu_max=number(text("cache_ecpu_max", "300000"), "cache_ecpu_max") or 0,
            api_rate=number(text("api_rate", str(API_RATE)), "api_rate") or 0,
            **read_watching(text),
            crowd=number(text("crowd", "10000000"), "crowd") or 0,
            payments_per_s=number(text("payments_per_s", str(STRIPE_PER_S)), "payments_per_s") or 0,
            waf=switch(text("waf"), "waf") or not (text("waf") or _is_test(text)),
            rule_versions=_rule_versions(text),
            second_person=switch(text("second_person"), "second_person"),
            rehearsal_buyers=number(text("rehearsal_buyers"), "rehearsal_buyers") or 0,
            load_workers=switch(text("load_workers"), "load_workers"),
            passes=_passes(text("passes")),
            brand=_brand(text("brand"), root),
            mail_identity=text("mail_identity") or text("mail_sender"),
            cognito_plan=_plan(text),
            oidc_client_id=text("oidc_client_id") or text("oidc_audience"),
            oidc_audience=text("oidc_audience") or text("oidc_client_id"),
            tables=_tables(text),
            streams={table.name: text(f"{table.name}_stream") for table in TABLES if table.stream},
        )
        for name_given, meant in misspelt(given, known).items():
            raise ConfigError(f"there is no option {name_given}: did you mean {meant}?")
        config.check()
        return config

    @property
    def checkouts_per_s(self) -> int:
        """Checkouts that the payment provider takes a second; 0: any number."""
        return self.payments_per_s if self.payments_provider == "stripe" else 0

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
        self._check_addresses()
        if self.web_acl_arn and ":us-east-1:" not in self.web_acl_arn:
            raise ConfigError("web_acl_arn is of us-east-1: CloudFront takes a firewall from there")
        self._check_distribution()
        self._check_rehearsals()
        self._check_zones()
        self._check_concurrency()
        if self.budget_dollars and not self.alarm_email:
            raise ConfigError("budget_dollars needs alarm_email, to which its warnings go")
        check_watching(vars(self))
        self._check_identity()
        self._check_sign_in()
        self._check_warm_throughput()
        self._check_cache()
        if self.sells:
            self._check_it_can_sell()
        self._check_tables()
        self._check_built()

    def _check_rehearsals(self) -> None:
        if self.load_workers and self.sells:
            raise ConfigError("load_workers is for a stage that sells nothing, like rehearsal")
        if self.rehearsal_buyers and self.payments_provider != "sandbox":
            raise ConfigError(
                "rehearsal_buyers needs payments_provider=sandbox, on a stage that sells nothing:"
                " simulated buyers pay there, and never with real money"
            )
        if self.rehearsal_buyers > REHEARSAL_BUYERS_MAX:
            raise ConfigError(f"rehearsal_buyers is at most {REHEARSAL_BUYERS_MAX:,}")

    def _check_distribution(self) -> None:
        for option in ("access_logs", "edge_alarms"):
            if (value := getattr(self, option)) and not _DISTRIBUTION_ID.fullmatch(value):
                raise ConfigError(
                    f"{option} is the id of the distribution, as the stack Edge puts it out:"
                    f" -c {option}=E1ABCDEFGHIJKL"
                )
        if self.edge_alarms and not self.region:
            raise ConfigError("edge_alarms needs the stage's region: set AWS_REGION")

    def _check_addresses(self) -> None:
        """What AWS would refuse in the middle of a deployment."""
        if self.certificate_arn and ":us-east-1:" not in self.certificate_arn:
            raise ConfigError(
                "certificate_arn is of us-east-1: CloudFront takes certificates from there"
            )
        if self.api_certificate_arn and self.region and self.region not in self.api_certificate_arn:
            raise ConfigError(f"api_certificate_arn is of the stage's region, {self.region}")
        for option in ("domain", "api_domain"):
            host = getattr(self, option)
            if host and not _HOST.fullmatch(host):
                raise ConfigError(f"{option} is a host name, like t.example.org, not {host!r}")
        for option in ("alarm_email", "critical_alarm_email", "mail_sender"):
            address = getattr(self, option)
            if address and (why := why_unsendable(address)):
                raise ConfigError(f"{option} is one address, like a@example.org: {why}")

    def _check_identity(self) -> None:
        for option in PROVIDER_ADDRESSES:
            url = getattr(self, option)
            if url and not is_provider_address(url):
                raise ConfigError(
                    f"{option} must be an https address without a fragment, not {url!r}"
                )

    def _check_sign_in(self) -> None:
        if self.sign_in not in SIGN_INS:
            raise ConfigError(
                f"sign_in is {SIGN_INS[1]}, or left out for a provider of yours, not"
                f" {self.sign_in!r}"
            )
        if self.mail_identity not in (self.mail_sender, self.mail_sender.rpartition("@")[2]):
            raise ConfigError(
                "mail_identity is the address of mail_sender or its domain: what SES has verified"
            )
        for option in CLAIM_OPTIONS:
            if (claim := getattr(self, option)) and not _CLAIM.fullmatch(claim):
                raise ConfigError(f"{option} is the name of a claim, like fan_club, not {claim!r}")
        if self.sign_in:
            self._check_cognito()
        elif self.cognito_plan:
            raise ConfigError("cognito_plan goes with sign_in=cognito")

    def _check_cognito(self) -> None:
        for option in CLAIM_OPTIONS[:2]:
            if getattr(self, option):
                raise ConfigError(
                    f"{option} needs a provider of yours: the pool of sign_in=cognito verifies no"
                    " phone numbers, and Cognito puts no time of creation into its tokens"
                )
        if self.cognito_plan not in ("", *PLANS):
            raise ConfigError(
                f"cognito_plan is one of {', '.join(PLANS)}, not {self.cognito_plan!r}"
            )
        given = [option for option in OIDC_OPTIONS if getattr(self, option)]
        if given:
            raise ConfigError(f"sign_in={self.sign_in} goes without {', '.join(given)}")
        reserved = [word for word in REFUSED_IN_DOMAINS if word in self.stage]
        if reserved:
            raise ConfigError(f"Cognito refuses a sign-in page whose name has {reserved[0]} in it")

    @property
    def sells(self) -> bool:
        """Whether buyers pay with money here: every stage does that is not named as a test's."""
        return self.stage not in self.test_stages

    def _check_it_can_sell(self) -> None:
        missing = [f"-c {option}=…" for option in self.missing_sign_in_options()]
        if self.payments_provider == "sandbox":
            missing.insert(0, "-c payments_provider=stripe")
        instead = "" if self.sign_in or not self.missing_sign_in_options() else _OR_COGNITO
        if "cognito_plan" in self.missing_sign_in_options():
            instead += (
                f" (dollars for {self.crowd:,} accounts that sign in within a month:"
                f" {prices(self.crowd)}; plus has threat protection, a provider of yours costs"
                " nothing here)"
            )
        if missing:
            raise ConfigError(
                f"the stage {self.stage} sells, and nobody could sign in and pay: set"
                f" {' '.join(missing)}{instead}. To try things out, take a stage that sells nothing"
                f" ({', '.join(self.test_stages)}), or name yours with -c test_stages={self.stage}"
            )

    def missing_sign_in_options(self) -> list[str]:
        """Return the options that a sign-in needs and that are not given."""
        if self.sign_in:  # the deployment makes its own; but Cognito alone sends 50 mails a day
            own = ("mail_sender", "cognito_plan") if self.sells else ()
            return [option for option in own if not getattr(self, option)]
        needed = ("oidc_issuer", "oidc_client_id", "oidc_authorize_url", "oidc_token_url")
        return [option for option in (*needed, "oidc_jwks_url") if not getattr(self, option)]

    def _check_zones(self) -> None:
        """Ask for two where AWS may list a refused one first: the deployment would break off."""
        if self.region in REGIONS_WITH_REFUSED and not self.zones:
            raise ConfigError(
                f"{self.region} has a zone that Lambda or the cache refuse: name two others with"
                " -c zones=<id>,<id>, as `aws ec2 describe-availability-zones --query"
                f" 'AvailabilityZones[].ZoneId'` lists them; refused are"
                f" {', '.join(REFUSED_ZONES)}"
            )
        if not self.zones:
            return
        if len(set(self.zones)) != ZONES or len(self.zones) != ZONES:
            raise ConfigError("zones are two ids: -c zones=euc1-az1,euc1-az2")
        for zone in self.zones:
            if not _ZONE_ID.fullmatch(zone):
                raise ConfigError(
                    f"{zone!r} is no id of a zone, like euc1-az1: names differ by account"
                )
            if zone in REFUSED_ZONES:
                raise ConfigError(f"Lambda or the cache refuse the zone {zone}: name another")

    def _check_concurrency(self) -> None:
        if self.concurrency is not None and self.concurrency < CONCURRENCY_MIN:
            raise ConfigError(
                f"concurrency must be at least {CONCURRENCY_MIN} to be shared out among the"
                " functions: leave it out, or ask AWS for more (Lambda, concurrent executions)"
            )

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

    def _check_cache(self) -> None:
        if self.cache_gb_max > CACHE_GB_MAX:
            raise ConfigError(f"cache_gb_max must be at most {CACHE_GB_MAX}, as AWS takes no more")
        for option, units in (
            ("cache_ecpu_max", self.cache_ecpu_max),
            ("cache_ecpu_min", self.cache_ecpu_min),
        ):
            if units is not None and not ECPU_MIN <= units <= ECPU_MAX:
                raise ConfigError(
                    f"{option} must be from {ECPU_MIN} to {ECPU_MAX}, as AWS takes it, not {units}"
                )
        if self.cache_ecpu_min is not None and self.cache_ecpu_min > self.cache_ecpu_max:
            raise ConfigError(
                f"cache_ecpu_min ({self.cache_ecpu_min}) must be at most cache_ecpu_max"
                f" ({self.cache_ecpu_max}): raise that as well"
            )

    def _check_tables(self) -> None:
        for table, stream in self.streams.items():
            own = self.tables[table] == name(self.stage, table)
            if not own and f":table/{self.tables[table]}/stream/" not in stream:
                raise ConfigError(
                    f"{table}_table goes with {table}_stream, the ARN of that table's own stream:"
                    " a restored table has none until it is switched on (docs/disaster.md)"
                )
            if own and stream:
                raise ConfigError(f"{table}_stream is only for a {table}_table of another name")

    def _check_built(self) -> None:
        for layer in LAYERS:
            if not (self.layers_dir / layer / "python").is_dir():
                raise ConfigError(
                    f"the layer {layer} is not built ({self.layers_dir / layer}): run `make layers`"
                )
        if not self.gate_file.is_file():
            raise ConfigError(f"the gate is not built ({self.gate_file}): run `make gate`")
        size = self.gate_file.stat().st_size
        if size > _GATE_MAX_BYTES:
            raise ConfigError(
                f"the gate has {size} bytes, and CloudFront takes at most {_GATE_MAX_BYTES}"
            )
        if not (self.web_dir / "index.html").is_file():
            raise ConfigError(f"the pages are not built ({self.web_dir}): run `make pages`")


def _passes(value: str) -> tuple[str, ...]:
    """Read ``apple,google``. Raises ConfigError."""
    wallets = listed(value)
    if set(wallets) - {"apple", "google"}:
        raise ConfigError(f"passes has {value!r}: write apple, google, or both with a comma")
    return wallets


def _brand(path: str, root: Path) -> str:
    """Read the file of the stage's brand. Raises ConfigError."""
    if not path:
        return ""
    try:
        brand = (root / path).read_text("utf-8")
        read_brand(brand)
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"brand: {root / path} cannot be read") from error
    except MalformedInputError as error:
        raise ConfigError(f"brand: {error.detail}") from error
    return brand


def _plan(text: Callable[..., str]) -> str:
    """Return the user pool's plan; a stage that sells nothing has the cheapest."""
    if text("threat_protection"):
        raise ConfigError(
            f"threat_protection is gone: cognito_plan={PROTECTED} has it, the others have not"
        )
    return text("cognito_plan", CHEAPEST if text("sign_in") and _is_test(text) else "")


def _tables(text: Callable[..., str]) -> dict[Name, str]:
    stage = text("stage")
    return {table.name: text(f"{table.name}_table", name(stage, table.name)) for table in TABLES}


def _rule_versions(text: Callable[..., str]) -> dict[str, str]:
    """Read ``CommonRuleSet=Version_1.19,…``. Raises ConfigError."""
    versions = dict(VERSIONED)
    for one in listed(text("rule_versions")):
        group, _, version = one.partition("=")
        if f"AWSManagedRules{group}" not in versions or not _RULE_VERSION.fullmatch(version):
            raise ConfigError(
                f"rule_versions has {one!r}: write CommonRuleSet=Version_1.19, and the like for"
                " KnownBadInputsRuleSet"
            )
        versions[f"AWSManagedRules{group}"] = version
    return versions


def _is_test(text: Callable[..., str]) -> bool:
    return text("stage") in listed(text("test_stages", ",".join(TEST_STAGES)))
