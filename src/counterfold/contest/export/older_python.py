"""Our source for older machines: what Python 3.8 and NumPy 1.20 lack is written in another way.

Contests run bots on machines of their own choice, some of them years old. Only what an exported bot
uses is rewritten; a test runs one on the oldest versions that can be installed.
"""

import ast
import builtins

OLDEST_PYTHON = (3, 8)
OLDEST_NUMPY = (1, 20)

MODULE = "counterfold.newer_python"
HELPERS = '''"""What newer versions of Python have and the oldest of this bot's does not."""

from functools import lru_cache
from itertools import tee

cache = lru_cache(maxsize=None)


def pairwise(items):
    """Each item with the one after it."""
    first, second = tee(items)
    next(second, None)
    return zip(first, second)


def remove_suffix(text, suffix):
    """`text` without `suffix` at its end."""
    return text[: -len(suffix)] if suffix and text.endswith(suffix) else text


def bitwise_count(masks):
    """How many bits are set in each of an array's numbers, which are not negative."""
    return sum((masks >> bit) & 1 for bit in range(63))
'''

_NEWER = {("itertools", "pairwise"), ("functools", "cache")}


def for_older_python(text: str) -> str:
    """Source that does the same on the oldest Python."""
    return _Rewriter(text).rewritten()


class _Rewriter(ast.NodeVisitor):
    """Collects stretches of the source and what is to stand there instead."""

    def __init__(self, text: str) -> None:
        self.source = text.encode()  # nodes count bytes
        self.lines = [0]
        for line in self.source.splitlines(keepends=True):
            self.lines.append(self.lines[-1] + len(line))
        self.tree = ast.parse(text)
        self.edits: list[tuple[int, int, str]] = []
        self.helpers: set[str] = set()

    def rewritten(self) -> str:
        self.visit(self.tree)
        for node in self.tree.body:
            if isinstance(node, ast.Assign):
                self._rename_type(node.value)
        self._head()
        source = self.source
        for first, last, replacement in sorted(self.edits, reverse=True):
            source = source[:first] + replacement.encode() + source[last:]
        return source.decode()

    def _head(self) -> None:
        """Annotations are not evaluated; they use types that cannot be written down there."""
        head = "from __future__ import annotations\n"
        if self.helpers:
            head += f"\nfrom {MODULE} import {', '.join(sorted(self.helpers))}\n"
        has_text = ast.get_docstring(self.tree) is not None
        body = self.tree.body[1:] if has_text else self.tree.body
        if body:
            place = self._start(_first_line(body[0]), 0)
            self.edits.append((place, place, head + "\n"))

    def _start(self, line: int, column: int) -> int:
        return self.lines[line - 1] + column

    def _replace(self, node: ast.expr | ast.stmt, text: str) -> None:
        first = self._start(node.lineno, node.col_offset)
        last = self._start(node.end_lineno or node.lineno, node.end_col_offset or 0)
        self.edits.append((first, last, text))

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        """Types of arrays are for annotations alone; what is newer is ours."""
        if node.module == "numpy.typing":
            self._replace(node, " = ".join([*(alias.name for alias in node.names), "object"]))
            return
        newer = [alias for alias in node.names if (node.module, alias.name) in _NEWER]
        if newer:
            self.helpers |= {alias.name for alias in newer}
            others = [alias for alias in node.names if alias not in newer]
            kept = ast.unparse(ast.ImportFrom(node.module, others, 0)) if others else ""
            self._replace(node, kept)

    def _rename_type(self, node: ast.expr) -> None:
        """What a name for a type stands for: a plain type, or a tuple of types."""
        if isinstance(node, ast.Subscript) and _is_type(node.value):
            self._replace(node, ast.unparse(node.value))
        elif _is_union(node):
            self._replace(node, _as_tuple(node))

    def visit_Call(self, node: ast.Call) -> None:
        """Arguments and methods that are newer."""
        called = node.func.id if isinstance(node.func, ast.Name) else ""
        newer = {"zip": "strict", "dataclass": "slots"}.get(called)
        if any(keyword.arg == newer for keyword in node.keywords) and newer:
            node.keywords = [each for each in node.keywords if each.arg != newer]
            self._replace(node, ast.unparse(node))
        elif called == "isinstance" and _is_union(node.args[1]):
            self._replace(node.args[1], _as_tuple(node.args[1]))
        elif isinstance(node.func, ast.Attribute) and node.func.attr == "removesuffix":
            self.helpers.add("remove_suffix")
            parts = ", ".join(ast.unparse(each) for each in (node.func.value, *node.args))
            self._replace(node, f"remove_suffix({parts})")
        elif ast.unparse(node.func) == "np.bitwise_count":
            self.helpers.add("bitwise_count")
            self._replace(node.func, "bitwise_count")
        elif isinstance(node.func, ast.Attribute) and node.func.attr == "bit_count":
            self._replace(node, f'bin({ast.unparse(node.func.value)}).count("1")')
        else:
            self.generic_visit(node)


def _first_line(node: ast.stmt) -> int:
    """Decorators come before the statement that they belong to."""
    decorators: list[ast.expr] = getattr(node, "decorator_list", [])
    return min([node.lineno, *(each.lineno for each in decorators)])


def _is_type(node: ast.expr) -> bool:
    """Whether a node is the name of a type: ``int``, ``Mapping``, but not ``masks`` or ``FOLD``."""
    if not isinstance(node, ast.Name):
        return False
    return hasattr(builtins, node.id) or (node.id[0].isupper() and not node.id.isupper())


def _is_union(node: ast.expr) -> bool:
    """``int | float``, ``NewGame | NewHand``."""
    if not isinstance(node, ast.BinOp) or not isinstance(node.op, ast.BitOr):
        return False
    return all(_is_type(part) or _is_union(part) for part in (node.left, node.right))


def _as_tuple(node: ast.expr) -> str:
    return "(" + ast.unparse(node).replace(" | ", ", ") + ")"
