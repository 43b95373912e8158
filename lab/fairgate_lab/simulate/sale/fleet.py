"""The Lambda functions: real handlers in instances with a container and a clock of their own.

An instance answers one event at a time, as in AWS; a crash takes it away with whatever it knew.
"""

from __future__ import annotations

import importlib.util
import json
import traceback
from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import ModuleType, SimpleNamespace
from typing import Any

from fairgate import bootstrap
from fairgate.adapters.system import back_off_s
from fairgate.bootstrap import Container
from fairgate.errors import FairgateError
from fairgate.service.books.import_movements import Imported
from fairgate_lab.simulate.sale.scheduler import CrashedError, Scheduler
from fairgate_ops.run.local.api_events import LambdaContext
from fairgate_ops.shared.paths import ROOT
from infra.functions import FUNCTIONS

HANDLERS = ROOT / "functions"
TIMERS = ("sweeper", "reconcile")
TIMEOUTS_S = {spec.name: float(spec.timeout_s) for spec in FUNCTIONS}
Answer = dict[str, Any]

_spare: defaultdict[str, list[ModuleType]] = defaultdict(list)


@dataclass
class Process:
    function: str
    number: int
    module: ModuleType
    container: Container
    skew_ms: int


@dataclass(frozen=True)
class ProcessClock:
    scheduler: Scheduler
    skew_ms: int

    def now_ms(self) -> int:
        return self.scheduler.now_ms + self.skew_ms

    def back_off(self, attempt: int) -> None:
        self.scheduler.pause("backs off", delay_ms=round(back_off_s(attempt) * 1000))


class Fleet:
    """Every function's instances; grows when all of them are busy.

    Args:
        equip: makes a process's container from its clock.
    """

    def __init__(
        self,
        scheduler: Scheduler,
        skew_ms: int,
        equip: Callable[[ProcessClock], Container],
    ) -> None:
        self._scheduler, self._skew_ms, self._equip = scheduler, skew_ms, equip
        self._idle: defaultdict[str, list[Process]] = defaultdict(list)
        self._modules: list[tuple[str, ModuleType]] = []
        self._count = 0
        self.defects: list[str] = []

    def invoke(self, function: str, event: Mapping[str, Any]) -> Answer | None:
        """The handler's answer; None when its process died before it could give one."""
        task = self._scheduler.current
        process = self._take(function)
        before, task.process = task.process, process
        context = LambdaContext(function, f"req-{self._scheduler.steps}", TIMEOUTS_S[function])
        try:
            answer: Answer = process.module.handler(dict(event), context)
        except CrashedError:
            task.crashed = False
            return None
        except FairgateError as error:  # of a function that nobody waits for: it is called again
            self._scheduler.note(f"fails: {error}")
            return None
        finally:
            task.process = before
        self._idle[function].append(process)
        return answer

    def exception(self, what: str, **_fields: object) -> None:
        """Stands for the logger of ``fairgate.http.app``: what it calls unhandled is a defect."""
        self.defects.append(f"{what}: {traceback.format_exc()}")

    def warning(self, _what: str, **_fields: object) -> None:
        """A dependency was away: expected here."""

    def info(self, _what: str, **_fields: object) -> None:
        """What was answered; nobody reads it here."""

    def close(self) -> None:
        """Hand the modules on to the next simulation."""
        for function, module in self._modules:
            _spare[function].append(module)
        self._modules.clear()

    def container(self) -> Container:
        """What ``bootstrap.container()`` is to the code that runs now."""
        process: Process = self._scheduler.current.process
        return process.container

    def _take(self, function: str) -> Process:
        idle, rng = self._idle[function], self._scheduler.rng
        if idle and rng.random() < 0.8:  # noqa: PLR2004 else a new one: load comes and goes
            return idle.pop(int(rng.random() * len(idle)))
        self._count += 1
        module = _spare[function].pop() if _spare[function] else _load(function)
        self._modules.append((function, module))
        skew_ms = rng.choice((-1, 0, 1)) * self._skew_ms
        container = self._equip(ProcessClock(self._scheduler, skew_ms))
        process = Process(function, self._count, module, container, skew_ms)
        for name, value in list(vars(module).items()):
            if value is bootstrap or isinstance(value, _Bootstrap):
                setattr(module, name, _Bootstrap(container=self.container))
            elif name == "MovementImporter":
                setattr(module, name, _NoImports)
            elif name == "container":
                module.container = self.container  # type: ignore[attr-defined]
            elif name == "logger" and function in TIMERS:
                module.logger = _TimersLog(self.defects)  # type: ignore[attr-defined]
        return process


class _NoImports:
    """Stands for the import of fees and payouts, which no part of a sale waits for.

    It is proved by generated movements instead (docs/adr/0035).
    """

    def __init__(self, *_world: object) -> None:
        """Need nothing."""

    def run(self, _first_ms: int) -> Imported:
        return Imported("", "")


class _TimersLog:
    """Replaces a timer's logger, which gets each entry that failed alone.

    What no port declares (``fairgate.errors``) is a defect, however well it is isolated.
    """

    def __init__(self, defects: list[str]) -> None:
        self._defects = defects

    def error(
        self, what: str, *, failure: Mapping[str, Any] | None = None, **_fields: object
    ) -> None:
        if failure is not None and failure["error"] not in _declared(FairgateError):
            self._defects.append(f"{what}: {failure}")

    def warning(self, _what: str, **_fields: object) -> None:
        """What was left behind, and repaired: expected here."""


def _declared(kind: type[Exception]) -> set[str]:
    return {kind.__name__, *(name for sub in kind.__subclasses__() for name in _declared(sub))}


class _Bootstrap(SimpleNamespace):
    """Stands for the module ``fairgate.bootstrap`` in a handler."""


def http_event(
    method: str, path: str, headers: Mapping[str, str], body: object = None
) -> dict[str, Any]:
    """An event of API Gateway's payload format 2.0."""
    text = body.decode() if isinstance(body, bytes) else json.dumps(body) if body else None
    return {
        "version": "2.0",
        "routeKey": "$default",
        "rawPath": path,
        "rawQueryString": "",
        "headers": dict(headers),
        "requestContext": {
            "requestId": "req",
            "stage": "$default",
            "http": {"method": method, "path": path, "sourceIp": "192.0.2.1"},
        },
        "body": text,
        "isBase64Encoded": False,
    }


def sqs_event(messages: Mapping[str, str]) -> dict[str, Any]:
    """Message id → body, as Lambda hands a batch over."""
    return {
        "Records": [{"messageId": name, "body": body} for name, body in messages.items()],
    }


def _load(function: str) -> ModuleType:
    """A copy of the handler's module of its own: routers keep state while they answer."""
    path = HANDLERS / function / "handler.py"
    spec = importlib.util.spec_from_file_location(f"fairgate_simulated_{function}", path)
    if spec is None or spec.loader is None:
        raise ImportError(f"{path} cannot be imported")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    # Slow, pure and tested elsewhere: drawing tickets, counting metrics; and real time that passes.
    for name in ("ticket_svg", "ticket_pdf", "calendar_file", "EphemeralMetrics", "pause"):
        if hasattr(module, name):
            setattr(module, name, _NoMetrics if name == "EphemeralMetrics" else _drawn)
    return module


def _drawn(*_faces: object) -> bytes:
    return b""


class _NoMetrics:
    def __getattr__(self, name: str) -> Callable[..., None]:
        return lambda *_arguments, **_named: None
