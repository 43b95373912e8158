"""What a negative control takes away: a guard, by its name."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Guard:
    """``without()`` is a context in which the guard is gone."""

    name: str
    without: Callable[[], AbstractContextManager[Any]]
    cache: bool = False  # seen only with a cache
