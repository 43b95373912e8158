"""Lambda: a layer is unpacked once, for all functions that have it."""

from __future__ import annotations

import hashlib
import tempfile
import threading
import zipfile
from pathlib import Path
from types import ModuleType
from typing import Any

from ministack.core import lambda_runtime

from fairgate_lab.emulator.additions.replace import replace

_LAYER = "layer_"  # how the folders and archives are called that the emulator makes of layers
_unpacking = threading.Lock()


def add() -> None:
    replace(lambda_runtime, "zipfile", _sharing)


def _sharing(original: ModuleType) -> ModuleType:
    shared = ModuleType(original.__name__)
    vars(shared).update(vars(original), ZipFile=_Archive)
    return shared


class _Archive(zipfile.ZipFile):
    """An archive that is unpacked as ever, or a layer's, which is linked to what stands unpacked.

    The emulator unpacks each layer for each process of a function: the same two thousand files,
    thirty times in a test's deployment.
    """

    def namelist(self) -> list[str]:
        """The names to be checked: none where they were before."""
        return [] if self._is_layer() and self._home().is_dir() else super().namelist()

    def extractall(self, path: Any = None, *arguments: Any, **options: Any) -> None:
        if path is None or not self._is_layer():
            super().extractall(path, *arguments, **options)
            return
        home = self._home()
        with _unpacking:
            if home.is_dir():
                Path(path).rmdir()
            else:  # what was unpacked by half goes with the process's own folder, as ever
                super().extractall(path)
                Path(path).rename(home)
        Path(path).symlink_to(home, target_is_directory=True)
        self._file().unlink()

    def _is_layer(self) -> bool:
        return self._file().name.startswith(_LAYER)

    def _home(self) -> Path:
        digest = hashlib.sha256(self._file().read_bytes()).hexdigest()
        return Path(tempfile.gettempdir()) / f"layer-{digest[:16]}"

    def _file(self) -> Path:
        return Path(self.filename or "")
