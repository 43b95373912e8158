"""The simulated buyers' visit to the local identity provider."""

from __future__ import annotations

from http import HTTPStatus
from typing import TYPE_CHECKING

from fairgate_ops.run.local.guest_sign_in import AUTHORIZE, FORM, guest_sign_in

if TYPE_CHECKING:
    import random

    import aiohttp


async def code_from_provider(
    http: aiohttp.ClientSession, base_url: str, who: str, chance: random.Random
) -> dict[str, str]:
    """Return the body for ``/api/auth/exchange``. Raises ValueError: nobody was signed in."""
    begun = guest_sign_in(base_url, who, lambda size: chance.randbytes(size).hex())
    url = base_url + AUTHORIZE
    async with http.post(url, data=begun.form(), headers=FORM, allow_redirects=False) as answer:
        if answer.status != HTTPStatus.SEE_OTHER:
            raise ValueError(f"the identity provider answered {answer.status}")
        return begun.exchange(answer.headers["location"])
