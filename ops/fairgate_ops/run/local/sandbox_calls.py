"""What the shop may send to the sandbox provider's API, call by call."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

_Amount = Annotated[int, msgspec.Meta(ge=0, le=10**12)]
_Id = Annotated[str, msgspec.Meta(min_length=1, max_length=128, pattern=r"^[A-Za-z0-9_-]+$")]


class CheckoutRequest(msgspec.Struct, forbid_unknown_fields=True):
    order: _Id
    amount_minor: _Amount
    currency: Annotated[str, msgspec.Meta(pattern=r"^[A-Z]{3}$")]
    expires_ms: Annotated[int, msgspec.Meta(ge=0, le=10**14)]
    return_url: Annotated[str, msgspec.Meta(max_length=2048)]
    held: bool = False


class CardRequest(msgspec.Struct, forbid_unknown_fields=True):
    payment: _Id


class EndHeldRequest(msgspec.Struct, forbid_unknown_fields=True):
    payment: _Id
    take: bool


class RefundRequest(msgspec.Struct, forbid_unknown_fields=True):
    payment: _Id
    order: _Id
    amount_minor: _Amount
    part: Annotated[int, msgspec.Meta(ge=0, le=9_999)] = 0


class PageRequest(msgspec.Struct, forbid_unknown_fields=True):
    checkout: _Id


class RefundStateRequest(msgspec.Struct, forbid_unknown_fields=True):
    refund: _Id


class RefundsRequest(msgspec.Struct, forbid_unknown_fields=True):
    payment: _Id
    order: _Id


class DisputeStateRequest(msgspec.Struct, forbid_unknown_fields=True):
    dispute: _Id


class IncidentRequest(msgspec.Struct, forbid_unknown_fields=True):
    payment: _Id
    action: _Id


class ListRequest(msgspec.Struct, forbid_unknown_fields=True):
    since_ms: Annotated[int, msgspec.Meta(ge=0, le=10**14)]
    skip: Annotated[int, msgspec.Meta(ge=0, le=10**9)] = 0


class MovementsRequest(ListRequest, forbid_unknown_fields=True, kw_only=True):
    until_ms: Annotated[int, msgspec.Meta(ge=0, le=10**14)]


class PayoutPartsRequest(msgspec.Struct, forbid_unknown_fields=True):
    payout: _Id
    skip: Annotated[int, msgspec.Meta(ge=0, le=10**9)] = 0


class PayoutIncidentRequest(msgspec.Struct, forbid_unknown_fields=True):
    action: Literal["pay", "fail"]
