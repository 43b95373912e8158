"""The SDK's data files, read once in a process: each of its sessions would read all of them again.

A test that makes a client makes a session of its own, as a function does when it starts, and most
of what that takes is the same megabytes of JSON and the same few hundred folders.
"""

from __future__ import annotations

from functools import cache
from typing import Any
from unittest.mock import patch

from botocore.loaders import JSONFileLoader, Loader

_load_file = JSONFileLoader.load_file
_list_available_services = Loader.list_available_services


@cache
def _loaded(file_path: str) -> Any:
    return _load_file(JSONFileLoader(), file_path)


@cache
def _listed(search_paths: tuple[str, ...], type_name: str) -> list[str]:
    loader = Loader(extra_search_paths=list(search_paths), include_default_search_paths=False)
    found: list[str] = _list_available_services(loader, type_name)
    return found


def _load(_self: JSONFileLoader, file_path: str) -> Any:
    return _loaded(file_path)


def _list(self: Loader, type_name: str) -> list[str]:
    return list(_listed(tuple(self.search_paths), type_name))


def read_once() -> None:
    """Let every session of this process share what the first has read; none changes it."""
    patch.object(JSONFileLoader, "load_file", _load).start()
    patch.object(Loader, "list_available_services", _list).start()
