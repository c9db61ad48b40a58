"""The source of an exported bot: our own modules, those that its start imports and no others.

Modules are copied, so that the same code decides, written as older versions of Python read it. Two
things are made for the export: the decorator of kernels, which returns the function unchanged, and
the `__init__` of a package, which imports only the names that are needed. The result may import
nothing but the standard library and NumPy.
"""

import ast
import sys
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType

from counterfold.contest.export import older_python
from counterfold.contest.export.older_python import for_older_python
from counterfold.errors import ExportError

ROOT = Path(__file__).parents[2]
PACKAGE = "counterfold"
START = f"{PACKAGE}.contest.exported.start"
COMPILER = f"{PACKAGE}.jit.compiler"
ALLOWED = sys.stdlib_module_names | {"numpy"}

PLAIN_COMPILER = '''"""The decorators of kernels without Numba: functions stay as they are."""


def kernel(function):
    """The function itself."""
    return function


inlined_kernel = borrowing_kernel = inlined_borrowing_kernel = copied_kernel = kernel
'''


@cache
def collect_sources(start: str = START) -> Mapping[str, str]:
    """Text of every file that `start` needs, by path relative to the folder of the bot."""
    return MappingProxyType(_Collector().collect(start))


class _Collector:
    """Follows imports from module to module."""

    def __init__(self) -> None:
        self._texts: dict[str, str] = {}  # by module; of packages only those kept whole
        self._asked: dict[str, dict[str, str]] = {}  # by package: names asked of it, with lines

    def collect(self, start: str) -> dict[str, str]:
        self._add(start)
        files = {_path_of(module): for_older_python(text) for module, text in self._texts.items()}
        files[_path_of(older_python.MODULE)] = older_python.HELPERS
        for package, names in self._asked.items():
            if package not in self._texts:
                about = f'"""The part of `{package}` that this bot needs."""\n'
                files[_path_of(package)] = "\n".join([about, *dict.fromkeys(names.values()), ""])
        return dict(sorted(files.items()))

    def _add(self, module: str) -> None:
        """Add a module, what it imports and the packages around it."""
        if module in self._texts:
            return
        parts = module.split(".")
        for n in range(1, len(parts)):
            self._asked.setdefault(".".join(parts[:n]), {})
        if module == COMPILER:
            self._texts[module] = PLAIN_COMPILER
            return
        text = _file_of(module).read_text(encoding="utf-8")
        self._texts[module] = text
        for imported, names in _imports(ast.parse(text)):
            self._import(module, imported, names)

    def _import(self, module: str, imported: str, names: list[str]) -> None:
        if imported.split(".")[0] != PACKAGE:
            if imported.split(".")[0] not in ALLOWED:
                raise ExportError(
                    f"{module} imports {imported}, which a contest machine may not have"
                )
            return
        if not _is_package(imported):
            self._add(imported)
            return
        self._asked.setdefault(imported, {})
        for name in names:
            if (ROOT.parent / _path_of(f"{imported}.{name}")).exists():
                self._add(f"{imported}.{name}")
            else:
                self._ask(imported, name)

    def _ask(self, package: str, name: str) -> None:
        """Add the module that gives `package` the name."""
        if package in self._texts or name in self._asked[package]:
            return
        for imported, names in _imports(ast.parse(_file_of(package).read_text(encoding="utf-8"))):
            if name in names:
                self._asked[package][name] = f"from {imported} import {name}"
                self._import(package, imported, [name])
                return
        self._add(package)  # it is made there


def _imports(tree: ast.Module) -> Iterator[tuple[str, list[str]]]:
    """Modules that run-time imports name, and the names taken from them."""
    waiting: list[ast.AST] = [tree]
    while waiting:
        node = waiting.pop(0)
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            continue
        if isinstance(node, ast.ImportFrom) and node.module is not None:
            yield node.module, [alias.name for alias in node.names]
        elif isinstance(node, ast.Import):
            for alias in node.names:
                yield alias.name, []
        waiting += ast.iter_child_nodes(node)


def _is_package(module: str) -> bool:
    return (ROOT.parent / Path(*module.split("."))).is_dir()


def _path_of(module: str) -> str:
    """Path of a module's file."""
    path = "/".join(module.split("."))
    return f"{path}/__init__.py" if _is_package(module) else f"{path}.py"


def _file_of(module: str) -> Path:
    return ROOT.parent / _path_of(module)
