"""Where the code meets the world: each call yields to others first, and may meet trouble.

The seams lie below the adapters: the real retries, codecs and translations of errors run.
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from botocore.exceptions import ClientError, ReadTimeoutError

from fairgate.adapters.memory.dynamodb import canceled, client_error
from fairgate.adapters.payments.sandbox import SandboxPayments
from fairgate.errors import DependencyUnavailableError
from fairgate.ports.availability import CacheUnavailableError, Claim, Claimed, Position
from fairgate.ports.record import PK, SK
from fairgate_ops.prove.simulate.sale.scheduler import CrashedError

if TYPE_CHECKING:
    from fairgate.adapters.memory.dynamodb import MemoryDynamo
    from fairgate.ports.world import Clock, SecretStore
    from fairgate_ops.prove.simulate.sale.fault_plan import FaultPlan
    from fairgate_ops.prove.simulate.sale.scheduler import Scheduler

READS = ("get_item", "batch_get_item", "query", "scan")
TIMEOUT_MS = 1_000
LATE_MS_MAX = 20_000
REAL_TTL_MS = 3_600_000


class FaultInjector:
    """Take the chances of the plan that holds now: it may stall, crash or refuse a call."""

    def __init__(self, scheduler: Scheduler, plan: FaultPlan) -> None:
        self.scheduler, self.plan = scheduler, plan
        self.rng = scheduler.rng

    def chance(self, rate: float) -> bool:
        return rate > 0 and self.rng.random() < rate

    def call(self, what: str) -> None:
        """Before every call: others may go first, and the process may stall or die."""
        plan = self.plan
        stalls = self.chance(plan.stall)
        delay_ms = self.rng.randint(0, plan.stall_ms) if stalls else 0
        self.scheduler.pause(what, delay_ms=delay_ms)
        task = self.scheduler.current
        if task.process is not None and self.chance(plan.crash):
            self.scheduler.note("crashes")
            task.crashed = True
            raise CrashedError(what)

    def dark(self) -> bool:
        now_ms = self.scheduler.now_ms
        return any(begins <= now_ms < ends for begins, ends in self.plan.outages)


class TableSeam:
    """Stands for botocore's ``dynamodb`` client of one process."""

    def __init__(self, engine: MemoryDynamo, faults: FaultInjector, pending: set[str]) -> None:
        self._engine, self._faults, self._pending = engine, faults, pending

    def __getattr__(self, operation: str) -> Callable[..., dict[str, Any]]:
        if operation.startswith("_"):
            raise AttributeError(operation)
        call = getattr(self._engine, operation)
        return lambda **request: self._call(operation, call, request)

    def _call(
        self, operation: str, call: Callable[..., dict[str, Any]], request: dict[str, Any]
    ) -> dict[str, Any]:
        faults = self._faults
        faults.call(_said(operation, request))
        if faults.dark():
            raise self._trouble("throttled", call, request)
        kinds = faults.plan.reads if operation in READS else faults.plan.writes
        if kinds and faults.chance(faults.plan.trouble):
            kind = faults.rng.choice(kinds)
            faults.scheduler.note(f"meets {kind}")
            raise self._trouble(kind, call, request)
        token = request.get("ClientRequestToken")
        if token in self._pending and faults.chance(0.5):
            raise client_error("TransactionInProgressException", "in progress")
        try:
            answer = call(**request)
        except ClientError as error:
            raise self._mixed(error) from None
        if operation in ("query", "batch_get_item") and faults.chance(faults.plan.torn):
            return self._torn(answer, call, request)
        return answer

    def _trouble(
        self, kind: str, call: Callable[..., dict[str, Any]], request: dict[str, Any]
    ) -> Exception:
        transaction = "TransactItems" in request
        token = request.get("ClientRequestToken")
        if kind == "conflict" and transaction:
            reasons = [{"Code": "None"} for _ in request["TransactItems"]]
            reasons[self._faults.rng.randrange(len(reasons))] = {"Code": "TransactionConflict"}
            return canceled(reasons)
        if kind == "conflict":
            return client_error("TransactionConflictException", "ongoing transaction")
        if kind == "in-progress" and token is not None:
            return client_error("TransactionInProgressException", "in progress")
        if kind in ("throttled", "in-progress"):
            return client_error("ThrottlingException", "rate exceeded")
        if kind == "lost-after":
            with contextlib.suppress(ClientError):
                call(**request)
        elif kind == "late":
            self._later(call, request, token)
        self._faults.scheduler.sleep(TIMEOUT_MS)
        return ReadTimeoutError(endpoint_url="dynamodb")

    def _later(
        self, call: Callable[..., dict[str, Any]], request: dict[str, Any], token: str | None
    ) -> None:
        """The request is still under way, and commits when its caller has given it up."""

        def commit() -> None:
            self._faults.scheduler.pause(f"commits late: {_said('write', request)}")
            self._pending.discard(str(token))
            with contextlib.suppress(ClientError):
                call(**request)

        if token is not None:
            self._pending.add(token)
        delay_ms = self._faults.rng.randint(0, LATE_MS_MAX)
        self._faults.scheduler.spawn("the network", commit, after_ms=delay_ms)

    def _mixed(self, error: ClientError) -> ClientError:
        """A conflict beside a failed condition: the condition's reason stays final."""
        reasons: Any = error.response.get("CancellationReasons")
        if not reasons or not self._faults.chance(self._faults.plan.mixed):
            return error
        fine = [n for n, reason in enumerate(reasons) if reason["Code"] == "None"]
        if not fine:
            return error
        reasons = list(reasons)
        reasons[self._faults.rng.choice(fine)] = {"Code": "TransactionConflict"}
        return canceled(reasons)

    def _torn(
        self, first: dict[str, Any], call: Callable[..., dict[str, Any]], request: dict[str, Any]
    ) -> dict[str, Any]:
        """Read committed, not serialisable: each item is from before or after, on its own."""
        self._faults.scheduler.pause("reads on")
        second = call(**request)
        if "Items" in first:
            return {**first, "Items": self._blend(first["Items"], second["Items"])}
        both = {
            table: self._blend(items, second["Responses"][table])
            for table, items in first["Responses"].items()
        }
        return {**first, "Responses": both}

    def _blend(
        self, first: Sequence[Mapping[str, Any]], second: Sequence[Mapping[str, Any]]
    ) -> list[Mapping[str, Any]]:
        keyed = [{(i[PK]["S"], i[SK]["S"]): i for i in items} for items in (first, second)]
        blended: list[Mapping[str, Any]] = []
        for key in keyed[0] | keyed[1]:
            item = keyed[self._faults.rng.randrange(2)].get(key)
            if item is not None:
                blended.append(item)
        blended.sort(key=lambda item: str(item[SK]["S"]))
        return blended


class VirtualTimes:
    """Claims and readings by the simulation's clock: the server's runs on meanwhile."""

    def __init__(self, cache: Any, scheduler: Scheduler) -> None:
        self._cache, self._scheduler = cache, scheduler
        self._ends_ms: dict[tuple[str, str, tuple[str, str]], int] = {}

    def __getattr__(self, name: str) -> Any:
        if name in ("claimed", "unclaim"):
            self._end()
        return getattr(self._cache, name)

    def claim(self, event: str, choices: Sequence[Claim], token: str, ttl_ms: int) -> Claimed:
        self._end()
        claimed: Claimed = self._cache.claim(event, choices, token, REAL_TTL_MS)
        if claimed.choice is not None:
            for unit in choices[claimed.choice].units:
                self._ends_ms[event, token, unit] = self._scheduler.now_ms + ttl_ms
        return claimed

    def position(self, event: str, section: str = "") -> Position:
        self._cache.position(event, section)
        return Position(self._scheduler.now_ms * 1_000, quiet_ms=0)

    def _end(self) -> None:
        over = [key for key, ms in self._ends_ms.items() if ms <= self._scheduler.now_ms]
        for event, token, unit in over:
            del self._ends_ms[event, token, unit]
            self._cache.unclaim(event, [unit], token)


class CacheSeam:
    """The availability cache of one process: real adapter and server, with trouble before them."""

    def __init__(self, cache: Any, faults: FaultInjector) -> None:
        self._cache, self._faults = cache, faults

    def __getattr__(self, name: str) -> Callable[..., Any]:
        if name.startswith("_"):
            raise AttributeError(name)
        call = getattr(self._cache, name)

        def through(*arguments: Any, **named: Any) -> Any:
            faults = self._faults
            faults.call(f"cache.{name}")
            lost = faults.chance(faults.plan.cache)
            if lost and faults.chance(0.5):
                raise CacheUnavailableError("lost before")
            answer = call(*arguments, **named)
            if lost:
                raise CacheUnavailableError("lost after")
            return answer

        return through


class QueueSeam:
    """Implements ports.ExpiryQueue for one process."""

    def __init__(self, send: Callable[[str, int], None], faults: FaultInjector) -> None:
        self._send, self._faults = send, faults

    def remind(self, session: str, delay_s: int) -> None:
        faults = self._faults
        faults.call(f"reminds of {session[-4:]} in {delay_s} s")
        lost = faults.chance(faults.plan.queue)
        if not lost or faults.chance(0.5):
            self._send(session, delay_s)
        if lost:
            raise DependencyUnavailableError("The expiry queue is unavailable.")

    def remind_all(self, sessions: Sequence[str]) -> None:
        for session in sessions:
            self.remind(session, 0)


class TicketsSeam:
    """Implements ports.TicketQueue for one process."""

    def __init__(self, send: Callable[[str], None], faults: FaultInjector) -> None:
        self._send, self._faults = send, faults

    def ask(self, order: str) -> None:
        self._faults.call(f"asks for tickets of {order[-6:]}")
        self._send(order)


class MailQueueSeam:
    """Implements ports.MailQueue for one process."""

    def __init__(self, send: Callable[[str], None], faults: FaultInjector) -> None:
        self._send, self._faults = send, faults

    def mail(self, order: str) -> None:
        faults = self._faults
        faults.call(f"asks for the mail of {order[-8:]}")
        lost = faults.chance(faults.plan.queue)
        if not lost or faults.chance(0.5):
            self._send(order)
        if lost:
            raise DependencyUnavailableError("The mail queue is unavailable.")


class PaymentsSeam(SandboxPayments):
    """The real adapter; only its connection is replaced."""

    def __init__(
        self,
        secrets: SecretStore,
        clock: Clock,
        answer: Callable[[str, Mapping[str, Any]], tuple[int, bytes]],
        faults: FaultInjector,
    ) -> None:
        super().__init__("http://provider", secrets, clock)
        self._answer, self._faults = answer, faults

    def _send(self, path: str, body: bytes) -> tuple[int, bytes]:
        faults = self._faults
        faults.call(f"provider: {path.rpartition('/')[2]}")
        lost = faults.chance(faults.plan.provider)
        if lost and faults.chance(0.5):
            raise OSError("lost before")
        answer = self._answer(path, json.loads(body))
        if lost:
            raise OSError("lost after")
        return answer


def _said(operation: str, request: Mapping[str, Any]) -> str:
    """A call in a few words, for the trace."""
    actions = request.get("TransactItems")
    if actions is None:
        key = request.get("Key") or request.get("ExpressionAttributeValues", {})
        return f"{operation} {' '.join(str(v.get('S', ''))[-12:] for v in key.values() if v)}"
    told = []
    for action in actions:
        ((kind, body),) = action.items()
        key = body.get("Key") or body["Item"]
        told.append(f"{kind} {key[PK]['S'][-8:]}/{key[SK]['S'][:10]}")
    return f"{operation}: {', '.join(told)}"
