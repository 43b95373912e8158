"""Farms of obedient accounts against each option that an organiser may set against many accounts.

The draw, its order and the moment of the last seat are those of the product's room. What a farm has
beside accounts (old ones, phones, memberships, addresses, cards) and what honest buyers lack is
assumed: ``OPTIONS`` says it, and the results are as good as these numbers. Everybody who comes in
buys one basket, as large as an account, an address or a card may have.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from fairgate_lab.simulate.gate.farms import POOLED
from fairgate_lab.simulate.gate.sale import Sale
from fairgate_lab.simulate.gate.strategies import another_honest
from fairgate_ops.operate.forecast.maths import Floats, Ints

SIZES = (100, 1_000, 10_000, 100_000)
_NORMAL = 1.96  # standard deviations of 95 %


@dataclass(frozen=True)
class Option:
    """What an option lets through.

    Attributes:
        farm, honest: the share of a farm's accounts, and of honest buyers, that may come in.
        a_source: so many of a farm's accounts share one address or card, which has one basket; 0:
            no limit.
    """

    farm: float = 1.0
    honest: float = 1.0
    a_source: int = 0


OPTIONS: dict[str, Option] = {
    "none": Option(),
    "account age, all accounts new": Option(farm=0.0, honest=0.9),
    "account age, one in ten bought old": Option(farm=0.1, honest=0.9),
    "verified phone, a number for ten accounts": Option(farm=0.1, honest=0.85),
    "members only, one account in a hundred": Option(farm=0.01, honest=0.3),
    "one address, for a hundred accounts": Option(honest=0.97, a_source=100),
    "one address, a letter more each time": Option(honest=0.97, a_source=1),
    "one card, for twenty accounts": Option(honest=0.95, a_source=20),
}


def options(sale: Sale, sizes: tuple[int, ...] = SIZES) -> list[dict[str, Any]]:
    """Return what farms of each size get against each option, and honest buyers beside them."""
    return [
        {"option": name, **_against(sale, option, size)}
        for size in sizes
        if size <= sale.tokens.h.size
        for name, option in OPTIONS.items()
    ]


def _against(sale: Sale, option: Option, accounts: int) -> dict[str, Any]:
    """Let farms of this size join the crowd; small ones are several, for a figure that says more.

    Whoever may not come in takes nobody's place. Who comes in without a card or an address left
    buys nothing, and the seat goes to the next.
    """
    farms = max(1, POOLED // accounts)
    rng = np.random.default_rng([sale.seed, 13, accounts])
    twins: Ints = rng.choice(sale.tokens.h.size, accounts * farms, replace=False)
    farmed = another_honest(sale, twins)
    farmed = np.where(rng.random(farmed.size) < option.farm, farmed, np.inf)
    if option.a_source:
        farmed = _limited(farmed.reshape(farms, accounts), option.a_source).ravel()
    crowd = sale.outcome.admitted_s
    crowd = np.where(rng.random(crowd.size) < option.honest, crowd, np.inf)
    everybody = np.concatenate([crowd, farmed])
    last_s = float(np.partition(everybody, sale.seats - 1)[sale.seats - 1])
    share = float((farmed[np.isfinite(farmed)] <= last_s).sum()) / farmed.size
    comes_in = float((crowd[np.isfinite(crowd)] <= last_s).sum()) / crowd.size
    return {
        "accounts": accounts,
        "baskets": share * accounts,
        "within": _NORMAL * accounts * float(np.sqrt(share * (1 - share) / farmed.size)),
        "honest_chance": comes_in / option.honest,
        "kept_out": 1 - option.honest,
    }


def _limited(farms: Floats, a_source: int) -> Floats:
    """Return when accounts buy, farm by farm: of those that share a source, the first."""
    limited = np.full_like(farms, np.inf)
    for kept, moments in zip(limited, farms, strict=True):
        for start in range(0, moments.size, a_source):
            part = moments[start : start + a_source]
            first = int(np.argmin(part))
            kept[start + first] = part[first]
    return limited


def option_lines(found: list[dict[str, Any]]) -> list[str]:
    """Make the table: the options down, the sizes across."""
    from fairgate_lab.simulate.gate.defences import table

    sizes = sorted({one["accounts"] for one in found})
    rows = []
    for name in OPTIONS:
        by_size = {one["accounts"]: one for one in found if one["option"] == name}
        won = [f"{one['baskets']:,.1f} ± {one['within']:.1f}" for one in by_size.values()]
        largest = by_size[sizes[-1]]
        chances = (by_size[sizes[0]]["honest_chance"], largest["honest_chance"])
        honest = " to ".join(f"{chance:.2%}" for chance in chances)
        rows.append((name, *won, honest, f"{largest['kept_out']:.0%}"))
    head = ("option", *(f"{size:,} accounts" for size in sizes))
    return table((*head, "chance of an honest buyer who may come in", "honest kept out"), rows)
