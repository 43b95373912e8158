"""Put a function of ours in the place of one of the emulator's, or fail when that is gone."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable


class AdditionError(Exception):
    """The emulator is not the version that the additions were written for."""


def replace(owner: Any, name: str, make: Callable[[Any], Any]) -> None:
    """Set ``owner.name`` to ``make(original)``. Raises AdditionError: there is no such name."""
    original = getattr(owner, name, None)
    if original is None:
        raise AdditionError(f"{owner.__name__} has no {name}: compare it with requirements/")
    setattr(owner, name, make(original))


def wrap_create(handlers: dict[str, Any], kind: str, make: Callable[[Any], Any]) -> None:
    """Set how CloudFormation creates a type that the emulator knows. Raises AdditionError."""
    wrap(handlers, kind, "create", make)


def wrap(handlers: dict[str, Any], kind: str, verb: str, make: Callable[[Any], Any]) -> None:
    """Set how CloudFormation creates, updates or deletes a type. Raises AdditionError."""
    if verb not in handlers.get(kind, {}):
        raise AdditionError(f"the emulator does not {verb} {kind}: compare it with requirements/")
    handlers[kind][verb] = make(handlers[kind][verb])


def add_type(handlers: dict[str, Any], kind: str, create: Any) -> None:
    """Teach CloudFormation a type that is only recorded. Raises AdditionError: it is known."""
    if kind in handlers:
        raise AdditionError(f"the emulator knows {kind} now: take our own away")
    handlers[kind] = {
        "create": create,
        "update": lambda _physical_id, _old, new, stack, logical_id: create(logical_id, new, stack),
        "update_with_logical_id": True,  # else Custom:: types ask their function
        "delete": lambda _physical_id, _properties: None,
    }
