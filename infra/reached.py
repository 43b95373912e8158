"""Which modules of the shipped package the functions reach, by the imports that stand in the code.

Read with ``ast`` and never run: the answer is the same on every machine, and asks for nothing that
the functions need.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

_DYNAMIC = {"import_module", "__import__"}


class DynamicImportError(Exception):
    """A module is imported by a computed name, which no reading of the code can follow."""


def unreached_files(functions_dir: Path, package_root: Path, *others: Path) -> list[str]:
    """List what no function reaches, relative to ``package_root``, in order.

    Args:
        functions_dir: holds one folder for each function.
        package_root: what is on the function's path; every ``.py`` below it counts.
        others: roots of what may lead there as well.

    Raises:
        DynamicImportError: something that is reached imports by a computed name.
    """
    modules = _modules(package_root)
    reached = reached_modules(functions_dir, package_root, *others)
    return sorted(
        path.relative_to(package_root).as_posix()
        for name, path in modules.items()
        if name not in reached
    )


def reached_files(function: Path, package_root: Path, *others: Path) -> list[str]:
    """List what one function reaches below ``package_root``, as ``unreached_files``.

    A root that is a package itself is named in the paths.
    """
    reached = _reached(sorted(function.glob("*.py")), _modules(package_root, *others))
    return sorted(
        path.relative_to(_above(package_root)).as_posix()
        for name, path in _modules(package_root).items()
        if name in reached
    )


def reached_modules(functions_dir: Path, *package_roots: Path) -> set[str]:
    """Name every module below the roots that a function imports, at once or later on.

    Imports inside functions count, those for the type checker alone do not. A module brings the
    packages it lies in.

    Raises:
        DynamicImportError: something that is reached imports by a computed name.
    """
    return _reached(sorted(functions_dir.glob("*/*.py")), _modules(*package_roots))


def _reached(files: list[Path], modules: dict[str, Path]) -> set[str]:
    waiting = {name for path in files for name in _imported(path, "", modules)}
    reached: set[str] = set()
    while waiting:
        name = waiting.pop()
        reached.add(name)
        path = modules[name]
        package = name if path.name == "__init__.py" else name.rpartition(".")[0]
        waiting |= _imported(path, package, modules) - reached
    return reached


def _modules(*package_roots: Path) -> dict[str, Path]:
    found = {}
    for root in package_roots:
        for path in sorted(root.rglob("*.py")):
            parts = path.relative_to(_above(root)).with_suffix("").parts
            found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


def _above(root: Path) -> Path:
    """Return the folder in which the modules are found: of a package, the one around it."""
    return root.parent if (root / "__init__.py").is_file() else root


def _imported(path: Path, package: str, modules: dict[str, Path]) -> set[str]:
    """Name the modules that one file imports, with the packages that they lie in."""
    names: set[str] = set()
    source = path.read_bytes()
    # Imports are statements: of the many expressions only the words of _DYNAMIC would count.
    dynamic = any(word.encode() in source for word in _DYNAMIC)
    for node in _running(ast.parse(source, str(path)), expressions=dynamic):
        match node:
            case ast.Import():
                names |= {alias.name for alias in node.names}
            case ast.ImportFrom():
                base = _base(node, package)
                names |= {base, *(f"{base}.{alias.name}" for alias in node.names)}
            case ast.Name(id=called) | ast.Attribute(attr=called) if called in _DYNAMIC:
                raise DynamicImportError(f"{path}:{node.lineno} imports by a computed name")
            case _:
                pass
    parts = [name.split(".") for name in names]
    whole = {".".join(split[:end]) for split in parts for end in range(1, len(split) + 1)}
    return whole & modules.keys()


def _base(node: ast.ImportFrom, package: str) -> str:
    if node.level == 0:
        return node.module or ""
    above = package.split(".")[: len(package.split(".")) - node.level + 1]
    return ".".join([*above, *([node.module] if node.module else [])])


def _running(tree: ast.AST, *, expressions: bool) -> Iterator[ast.AST]:
    """Every node but those that only a type checker reads, in no order."""
    waiting = [tree]
    while waiting:
        node = waiting.pop()
        yield node
        if isinstance(node, ast.If) and _for_the_type_checker(node.test):
            waiting += node.orelse
            continue
        children = ast.iter_child_nodes(node)
        waiting += (c for c in children if expressions or not isinstance(c, ast.expr))


def _for_the_type_checker(test: ast.expr) -> bool:
    return (isinstance(test, ast.Name) and test.id == "TYPE_CHECKING") or (
        isinstance(test, ast.Attribute) and test.attr == "TYPE_CHECKING"
    )
