"""Choose the adapters: the composition root. Each is made once, at first use, or overridden."""

from __future__ import annotations

from functools import cache, cached_property, partial
from typing import TYPE_CHECKING, Any

from fairgate import metrics
from fairgate import settings as settings_module

if TYPE_CHECKING:
    from fairgate.adapters.aws.sqs import SqsMailQueue
    from fairgate.adapters.valkey.availability import ValkeyAvailability
    from fairgate.ports.outside import (
        CanaryAccount,
        EdgeConfig,
        ExpiryQueue,
        IdentityProvider,
        JobFiles,
        JobQueue,
        Layouts,
        Mailer,
        Site,
        TicketQueue,
    )
    from fairgate.ports.payments import Payments
    from fairgate.ports.table import Table
    from fairgate.ports.world import Clock, Ids, PaymentSecrets, SecretStore
    from fairgate.service.availability.read_availability import AvailabilityReader
    from fairgate.service.catalog.current_events import CurrentEvents
    from fairgate.service.catalog.read_catalog import CatalogReader
    from fairgate.service.checkout.payment_turns import PaymentTurns
    from fairgate.service.gate.gate_values import GateValues
    from fairgate.service.gate.read_gate import GateReader
    from fairgate.service.holds.claim_seats import Claims
    from fairgate.service.shared.front_door import FrontDoor
    from fairgate.service.shared.rate_limits import RateLimiter
    from fairgate.settings import Settings


class Container:
    """Gives each port as a property; keyword overrides replace some (tests, the simulator)."""

    def __init__(self, settings: Settings, **overrides: Any) -> None:
        self.settings = settings
        self.__dict__.update(overrides)  # a cached_property yields to the instance's attribute

    @cached_property
    def clock(self) -> Clock:
        from fairgate.adapters.system import SystemClock

        return SystemClock()

    @cached_property
    def ids(self) -> Ids:
        from fairgate.adapters.system import SystemIds

        return SystemIds()

    @cached_property
    def table(self) -> Table:
        from fairgate.adapters.dynamodb.client import DynamoTable

        return DynamoTable.from_settings(self.settings)

    @cached_property
    def secrets(self) -> SecretStore:
        from fairgate.adapters.aws.secrets import secret_store

        return secret_store(self.settings, self.clock)

    @cached_property
    def front_door(self) -> FrontDoor:
        from fairgate.adapters.aws.front_door import front_door_values
        from fairgate.service.shared.front_door import FrontDoor

        return FrontDoor(front_door_values(self.settings), self.clock)

    @cached_property
    def cache(self) -> ValkeyAvailability:
        from fairgate.adapters.valkey.availability import ValkeyAvailability

        return ValkeyAvailability(self.settings.valkey_url)

    @cached_property
    def edge_config(self) -> EdgeConfig:
        from fairgate.adapters.aws.keyvaluestore import KeyValueStore

        return KeyValueStore(self.settings.kvs_arn, self.settings.kvs_endpoint)

    @cached_property
    def expiry_queue(self) -> ExpiryQueue:
        from fairgate.adapters.aws.sqs import SqsExpiryQueue

        return SqsExpiryQueue(self.settings.expiry_queue_url)

    @cached_property
    def mail_queue(self) -> SqsMailQueue:
        from fairgate.adapters.aws.sqs import SqsMailQueue

        return SqsMailQueue(self.settings.mail_queue_url)

    @cached_property
    def ticket_queue(self) -> TicketQueue:
        from fairgate.adapters.aws.sqs import SqsTicketQueue

        return SqsTicketQueue(self.settings.tickets_queue_url)

    @cached_property
    def job_queue(self) -> JobQueue:
        from fairgate.adapters.aws.sqs import SqsJobQueue

        return SqsJobQueue(self.settings.jobs_queue_url)

    @cached_property
    def job_files(self) -> JobFiles:
        from fairgate.adapters.aws.job_files import S3JobFiles

        return S3JobFiles(self.settings.job_files_bucket)

    @cached_property
    def layouts(self) -> Layouts:
        from fairgate.adapters.aws.layouts import layouts

        return layouts(self.settings)

    @cached_property
    def site(self) -> Site | None:
        """Return the pages' files; None where nobody serves any."""
        from fairgate.adapters.aws.site import site

        return site(self.settings)

    @cached_property
    def catalog(self) -> CatalogReader:
        from fairgate.service.catalog.read_catalog import CatalogReader

        return CatalogReader(self.table, self.clock)

    @cached_property
    def current_events(self) -> CurrentEvents:
        from fairgate.service.catalog.current_events import CurrentEvents

        return CurrentEvents(self.table, self.clock)

    @cached_property
    def unswept_events(self) -> CurrentEvents:
        """Return as ``current_events``, with those of which something may still come due."""
        from fairgate.service.catalog.current_events import CurrentEvents
        from fairgate.service.expiry.sweep_cursors import rests

        return CurrentEvents(self.table, self.clock, partial(rests, self.table))

    @cached_property
    def availability(self) -> AvailabilityReader:
        from fairgate.service.availability.leased_reads import ReadLeases
        from fairgate.service.availability.read_availability import AvailabilityReader
        from fairgate.service.availability.shared_reads import TableBudget

        budget = TableBudget(
            self.clock,
            per_s=self.settings.table_reads_per_s,
            leases=ReadLeases(self.table, self.clock, self.settings.environment),
        )
        return AvailabilityReader(self.cache, self.table, self.catalog, self.clock, budget=budget)

    @cached_property
    def claims(self) -> Claims:
        from fairgate.service.holds.claim_seats import Claims

        return Claims(self.cache, self.clock)

    @cached_property
    def rates(self) -> RateLimiter:
        from fairgate.service.shared.rate_limits import RateLimiter

        share = self.settings.event_holds_per_s
        return RateLimiter(self.cache, self.table, self.clock, event_holds_per_s=share)

    @cached_property
    def gate(self) -> GateReader:
        from fairgate.service.gate.catalog_values import CatalogValues
        from fairgate.service.gate.read_gate import GateReader

        return GateReader(CatalogValues(self.table), self.clock)

    @cached_property
    def gate_values(self) -> GateValues:
        from fairgate.adapters.aws.keyvaluestore import wait_with_jitter
        from fairgate.service.gate.gate_values import GateValues

        return GateValues(self.table, self.edge_config, self.clock, wait_with_jitter)

    @cached_property
    def payments(self) -> Payments:
        """Raises SettingsError if no payment provider is named."""
        from fairgate.adapters.payments.watched import WatchedPayments
        from fairgate.service.shared.provider_circuit import ProviderCircuit

        provider = self.payments_by(self.secrets)
        circuit = ProviderCircuit(
            self.table, self.clock, partial(self._count, metrics.PAYMENTS_AWAY)
        )
        return WatchedPayments(
            provider, partial(self._count, metrics.PAYMENT_SETUP_ERRORS), circuit.call
        )

    def emit_limits(self) -> None:
        """Write what the limits have refused and skipped since the last call, if anything."""
        if figures := self.rates.figures():
            from fairgate.adapters.aws.emf import emit

            emit(self.settings, self.clock.now_ms(), figures)

    def _count(self, figure: str) -> None:
        """Count it as a metric in a function, but not in the output of a tool."""
        if self.settings.service in metrics.EMITTED_BY_SEVERAL[figure]:
            from fairgate.adapters.aws.emf import emit

            emit(self.settings, self.clock.now_ms(), {figure: 1})

    @cached_property
    def payment_turns(self) -> PaymentTurns:
        from fairgate.service.checkout.payment_turns import PaymentTurns

        return PaymentTurns(self.table, self.clock, self.settings.payments_per_s)

    def payments_by(self, secrets: PaymentSecrets) -> Payments:
        """Return the provider's adapter with these keys. Raises SettingsError as ``payments``."""
        if not self.settings.payments_provider:
            raise settings_module.payments_unset()
        if self.settings.payments_provider == "stripe":
            from fairgate.adapters.payments.stripe_checkout import StripePayments

            return StripePayments(secrets, self.clock, self.settings.payments_url)
        from fairgate.adapters.payments.sandbox import SandboxPayments

        return SandboxPayments(self.settings.payments_url, secrets, self.clock)

    @cached_property
    def identity(self) -> IdentityProvider:
        from fairgate.adapters.identity.code_flow import CodeFlow
        from fairgate.adapters.identity.oidc import IdTokenVerifier

        return CodeFlow(
            token_url=self.settings.oidc_token_url,
            client_id=self.settings.oidc_client_id,
            redirect_uri=settings_module.signed_in_uri(self.settings.public_url),
            id_tokens=IdTokenVerifier(
                issuer=self.settings.oidc_issuer,
                audience=self.settings.oidc_audience,
                jwks_url=self.settings.oidc_jwks_url,
                unreadable=self._identity_keys_unreadable,
            ),
            secrets=self.secrets,
        )

    @cached_property
    def canary_sign_in(self) -> CanaryAccount:
        from fairgate.adapters.aws.canary_sign_in import CanarySignIn

        return CanarySignIn(self.settings.sign_in_function)

    def _identity_keys_unreadable(self) -> None:
        from fairgate.adapters.aws.emf import emit

        emit(self.settings, self.clock.now_ms(), {metrics.IDENTITY_KEYS_UNREADABLE: 1})

    @cached_property
    def mailer(self) -> Mailer:
        from fairgate.adapters.aws.mail import mailer

        return mailer(self.settings)


@cache
def container() -> Container:
    """Return the function's own container, made at its first request."""
    return Container(settings_module.from_environment())
