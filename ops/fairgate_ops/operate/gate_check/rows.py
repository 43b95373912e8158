"""Expand the table of the gate's cases, edge/gate/rows.json, to requests and what answers them.

A row names where it differs from the table's base: other rules, another caller, another token. Here
it becomes a CloudFront event, the value in the store and the full answer, signed where it must be.
The same table always gives the same bytes.
"""

from __future__ import annotations

import copy
import hashlib
import hmac
import json
import struct
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from fairgate.domain.gate import proof_of_work
from fairgate.domain.gate.edge_header import sign_edge_header
from fairgate.domain.gate.gate_config import Epoch, GateConfig, dump_gate
from fairgate.domain.gate.gate_value import FIGURE_BYTES, FIGURES_AT, OLDER_AT, block_of
from fairgate.domain.gate.slip import kept_until_s, write_slip
from fairgate.domain.gate.waiting_claims import WaitingToken
from fairgate.domain.gate.waiting_token import (
    encode_waiting_token,
    issue_waiting_token,
    postponed,
)
from fairgate.domain.shared import jws
from fairgate.domain.shared.auth_token import issue_auth_token
from fairgate.domain.shared.times import rfc3339
from fairgate_ops.shared.paths import ROOT

TABLE = ROOT / "edge" / "gate" / "rows.json"
EVENT_ID = "summer-night"  # the event that every row's request names
# Where a token without a key's id ends: the edge takes what is to be signed from the value itself.
AUTH_HEAD, TOKEN_HEAD = b'{"typ":"JWT","alg":"HS256","kid":', b'{"typ":"WR","alg":"HS256","kid":"'
_FIELDS = frozenset(
    {"to", "method", "gate", "value", "caller", "token", "headers", "solution", "expect"}
)
_CALLER_FIELDS = frozenset(
    {"sub", "issued_in_s", "ttl_s", "scheme", "signature_end", "signed_under", "headless_under"}
)
_TOKEN_FIELDS = frozenset(
    {
        *("sub", "event", "issued_in_s", "h", "boff_in_s", "exp_in_s", "level", "pow_bits"),
        *("text", "times", "header", "payload_end", "is_caller", "signed_under", "headless_under"),
    }
)
_VALUE_FIELDS = frozenset({"keep", "blank", "figures"})
_WHOLE_CHARS = (OLDER_AT - FIGURES_AT) // 4 * 4  # of the figures, in whole groups of three bytes
_KEY_BYTES = 32


_PROBLEM = frozenset({"state", "verdict", "retry_after"})


class RowError(ValueError):
    """The table does not say what a row must say."""


@dataclass(frozen=True)
class Row:
    """One case: a request, the stored value (None: no such key) and what must come of it."""

    name: str
    event: dict[str, Any]
    now_s: int
    value: str | None
    expect: dict[str, Any]


@dataclass(frozen=True)
class Base:
    """What every row differs from."""

    now_s: int
    event: dict[str, Any]
    gate: GateConfig
    caller: dict[str, Any]
    token: dict[str, Any]


def read_rows(path: Path = TABLE) -> list[Row]:
    """Expand every row of the table, in its order.

    Raises:
        RowError: a row has a field that does not exist, or its name twice.
    """
    base, cases = _read(path)
    return [_Case(base, name, fields).row() for name, fields in cases]


def read_base(path: Path = TABLE) -> Base:
    """Read the base request of all rows, for other cases."""
    return _read(path)[0]


def make_event(
    base: Base, to: str, headers: Mapping[str, str], **changes: object
) -> dict[str, Any]:
    """Make the viewer request to ``to`` as CloudFront gives it to a function."""
    event = copy.deepcopy(base.event)
    request = event["request"]
    request["uri"] = request["uri"].replace("{to}", to)
    request["headers"] = {name: {"value": value} for name, value in headers.items()}
    request.update(changes)
    return event


def with_figure(value: str, at: int, figure: float) -> str:
    """Change one of a stored value's binary figures, whatever it means."""
    shared = FIGURE_BYTES * (at + 1) > _WHOLE_CHARS * 3 // 4
    block = block_of(value) if shared else value[FIGURES_AT : FIGURES_AT + _WHOLE_CHARS]
    figures = bytearray(jws.from_b64url(block))
    struct.pack_into("<d", figures, FIGURE_BYTES * at, figure)
    changed = jws.b64url(bytes(figures))
    first, later = changed[: OLDER_AT - FIGURES_AT], changed[OLDER_AT - FIGURES_AT :]
    end = len(value) - len(later)
    return value[:FIGURES_AT] + first + value[FIGURES_AT + len(first) : end] + later


def headless(head: bytes, payload: bytes, key: str) -> str:
    """Sign with a guessed text a token whose header ends where a key's id should stand."""
    claims = payload[:-1].rstrip(b" ")
    padded = claims + b" " * (-len(claims + b"}") % 3) + b"}"
    covered = jws.b64url(head + padded)
    digest = hmac.digest(key.encode(), covered.encode(), hashlib.sha256)
    return f"{covered}.{jws.b64url(digest)}"


def _read(path: Path) -> tuple[Base, list[tuple[str, dict[str, Any]]]]:
    table = json.loads(path.read_text("utf-8"), object_pairs_hook=_without_twins)
    given = table["base"]
    now_s = int(given["now_s"])
    base = Base(
        now_s=now_s,
        event=given["event"],
        gate=GateConfig(**_gate_fields(given["gate"], now_s)),
        caller=given["caller"],
        token=given["token"],
    )
    cases = [pair for group in table["rows"].values() for pair in group.items()]
    _without_twins(cases)  # nor in two groups
    return base, cases


def _without_twins(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    unique = dict(pairs)
    if len(unique) != len(pairs):
        names = [name for name, _ in pairs]
        raise RowError(f"twice: {sorted({name for name in names if names.count(name) > 1})}")
    return unique


def _gate_fields(given: Mapping[str, Any], now_s: int) -> dict[str, Any]:
    """Turn rules as the table writes them into fields of a gate."""
    fields: dict[str, Any] = {}
    for name, told in given.items():
        match name:
            case "draw_key" | "edge_key" | "beacon_key":
                fields[name] = b"" if told is None else _key(told)
            case "token_keys" | "auth_keys":
                fields[name] = {kid: _key(first) for kid, first in told.items()}
            case "epochs":
                fields[name] = tuple(
                    Epoch(now_s + start, h, 1 / tau_s if tau_s else 0.0) for start, h, tau_s in told
                )
            case "open_until_in_s" | "sale_start_in_s":
                fields[name.replace("_in_s", "_s")] = 0 if told is None else now_s + told
            case _:
                fields[name] = told
    return fields


def _key(first: int) -> bytes:
    return bytes(range(first, first + _KEY_BYTES))


@dataclass(frozen=True)
class _Case:
    """One row of the table on its way to a ``Row``."""

    base: Base
    name: str
    fields: Mapping[str, Any]

    def row(self) -> Row:
        self._refuse_unknown("", self.fields, _FIELDS)
        return Row(self.name, self._event(), self.base.now_s, self._value(), self._expect())

    @property
    def gate(self) -> GateConfig:
        """The row's rules; the base's where the stored value is no gate's."""
        changes = self.fields.get("gate", {})
        return self._under(self.base.gate, changes if isinstance(changes, dict) else {})

    def _under(self, gate: GateConfig, changes: Mapping[str, Any]) -> GateConfig:
        try:
            return replace(gate, **_gate_fields(changes, self.base.now_s))
        except TypeError as error:
            raise RowError(f"{self.name}: gate: {error}") from error

    def _refuse_unknown(self, where: str, given: Iterable[str], known: frozenset[str]) -> None:
        unknown = sorted(set(given) - known)
        if unknown:
            raise RowError(f"{self.name}: {where or 'the row'} has no {', '.join(unknown)}")

    # The stored value

    def _value(self) -> str | None:
        rules = self.fields.get("gate", {})
        if not isinstance(rules, dict):
            return None if rules is None else str(rules)
        text = dump_gate(self.gate)
        damage = self.fields.get("value", {})
        self._refuse_unknown("value", damage, _VALUE_FIELDS)
        if "blank" in damage:
            start, end = damage["blank"]
            text = text[:start] + " " * (end - start) + text[end:]
        if "keep" in damage:
            text = text[slice(*damage["keep"])]
        for at, figure in damage.get("figures", {}).items():
            text = with_figure(text, int(at), float(figure))
        return text

    # The request

    def _event(self) -> dict[str, Any]:
        headers = {"authorization": self._caller()}
        if self.fields["to"] == "admission":
            headers["x-fairgate-token"] = self._token_text()
            headers["x-fairgate-solution"] = self._solution()
        headers |= self.fields.get("headers", {})
        sent = {name: value for name, value in headers.items() if value}
        method = {"method": self.fields["method"]} if "method" in self.fields else {}
        return make_event(self.base, self.fields["to"], sent, **method)

    def _caller(self) -> str:
        changes = self.fields.get("caller", {})
        if changes is None:
            return ""
        self._refuse_unknown("caller", changes, _CALLER_FIELDS)
        claims = self.base.caller | changes
        gate = self._under(self.gate, changes.get("signed_under", {}))
        kid, key = next(iter(gate.auth_keys.items()))
        issued_s = self.base.now_s + claims["issued_in_s"]
        text = issue_auth_token(claims["sub"], [], key, kid, issued_s, claims["ttl_s"])
        if "signature_end" in changes:
            text = _ended(text, changes["signature_end"])
        if "headless_under" in changes:
            text = headless(AUTH_HEAD, _payload(text), changes["headless_under"])
        return f"{claims.get('scheme', 'Bearer')} {text}"

    def _caller_exp_s(self) -> int:
        claims = self.base.caller | self.fields.get("caller", {})
        return int(self.base.now_s + claims["issued_in_s"] + claims["ttl_s"])

    def _token_fields(self) -> dict[str, Any]:
        changes: dict[str, Any] = self.fields.get("token", {})
        self._refuse_unknown("token", changes, _TOKEN_FIELDS)
        return self.base.token | changes

    def _token(self) -> WaitingToken:
        """The place in the queue that the buyer comes back with."""
        fields, now_s = self._token_fields(), self.base.now_s
        token = issue_waiting_token(
            self._token_gate(),
            fields["event"],
            fields["sub"],
            request_id="r-1",
            ip=self.base.event["viewer"]["ip"],
            now_ms=(now_s + fields["issued_in_s"]) * 1000,
        )
        return replace(
            token,
            h=token.h if fields["h"] is None else fields["h"],
            boff=now_s + fields["boff_in_s"],
            exp=now_s + fields["exp_in_s"],
            challenge_level=fields.get("level", token.challenge_level),
            pow_bits=fields.get("pow_bits", token.pow_bits),
        )

    def _token_gate(self) -> GateConfig:
        """The rules under which the buyer's token was issued and signed."""
        return self._under(self.gate, self._token_fields().get("signed_under", {}))

    def _token_text(self) -> str:
        fields = self._token_fields()
        if "text" in fields:
            return str(fields["text"] * fields.get("times", 1))
        if fields.get("is_caller"):
            return self._caller().partition(" ")[2]
        text = encode_waiting_token(self._token(), self._token_gate())
        header, payload, signature = text.split(".")
        if "header" in fields:
            header = jws.b64url(fields["header"].encode())
        if "payload_end" in fields:
            payload = _ended(payload, fields["payload_end"])
        if "headless_under" in fields:
            return headless(TOKEN_HEAD, _payload(text), fields["headless_under"])
        return f"{header}.{payload}.{signature}"

    def _solution(self) -> str:
        if "solution" in self.fields:
            return self.fields["solution"] or ""
        token = self._token()
        return proof_of_work.solve(token.ch, token.pow_bits)

    # The answer

    def _expect(self) -> dict[str, Any]:
        match self.fields["expect"]:
            case {"verdict": str(verdict), **rest} if not rest:
                return self._forwarded(verdict)
            case {"status": int(status), "code": str(code), **rest} if rest.keys() <= _PROBLEM:
                return {"status": status, "problem": {"code": code, "status": status, **rest}}
            case {
                "status": int(status),
                "state": str(state),
                "boff_in_s": int(boff_in_s),
                "estimate_s": estimate_s,
                **rest,
            } if not rest:
                lo_hi = estimate_s and dict(zip(("lo_s", "hi_s"), estimate_s, strict=True))
                answer = self._joined if self.fields["to"] == "queue" else self._postponed
                return answer(status, state, self.base.now_s + boff_in_s, lo_hi)
        raise RowError(f"{self.name}: expect is none of the three kinds of answer")

    def _forwarded(self, verdict: str) -> dict[str, Any]:
        admitted = verdict == "admit"
        sub = self.base.caller["sub"]
        return {
            "forward": f"/api/events/{EVENT_ID}/admission" if admitted else "/api/desk",
            "querystring": {} if admitted else {"event": {"value": EVENT_ID}},
            "x-fairgate-edge": sign_edge_header(
                self.gate, verdict, EVENT_ID, sub, self.base.now_s, self.base.event["viewer"]["ip"]
            ),
        }

    def _joined(
        self, status: int, state: str, boff_s: int, estimate: dict[str, Any] | None
    ) -> dict[str, Any]:
        token = issue_waiting_token(
            self.gate,
            EVENT_ID,
            self.base.caller["sub"],
            request_id=self.base.event["context"]["requestId"],
            ip=self.base.event["viewer"]["ip"],
            now_ms=self.base.now_s * 1000,
        )
        body = {
            "state": state,
            "token": encode_waiting_token(postponed(token, self.gate, boff_s), self.gate),
            "challenge": {"ch": token.ch, "pow": token.pow_bits},
            "boff": boff_s,
            "sale_starts_at": rfc3339(self.gate.sale_start_s * 1000),
            "now": self.base.now_s,
            "estimate": estimate,
        }
        return {"status": status, "body": body, "headers": {"cache-control": "no-store"}}

    def _postponed(
        self, status: int, state: str, boff_s: int, estimate: dict[str, Any] | None
    ) -> dict[str, Any]:
        """The same place with a later time, signed again once half of its life is over."""
        wait_s = boff_s - self.base.now_s
        place, text = self._token(), self._token_text()
        again = boff_s > kept_until_s(self.gate, place)
        if again:
            place = postponed(place, self.gate, boff_s)
            text = encode_waiting_token(place, self.gate)
        place = replace(place, boff=boff_s)
        body: dict[str, Any] = {
            "state": state,
            **({"token": text} if again else {}),
            "slip": write_slip(self.gate, place, text, self._caller(), self._caller_exp_s()),
            "boff": boff_s,
            "now": self.base.now_s,
            "estimate": estimate,
        }
        if state == "paused":
            body["retry_after"] = wait_s
        return {"status": status, "body": body, "headers": {"retry-after": str(wait_s)}}


def _ended(text: str, end: str) -> str:
    return text[: -len(end)] + end


def _payload(token: str) -> bytes:
    return jws.from_b64url(token.split(".")[1])
