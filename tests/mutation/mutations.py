"""Small changes to the source of a module, each of which a test should notice.

Texts are left as they are: strings, what an error says, annotations, decorators.
"""

import ast
from collections.abc import Iterator
from itertools import chain
from typing import NamedTuple

_OPERATORS = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Add,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.FloorDiv,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
    ast.And: ast.Or,
    ast.Or: ast.And,
}
_OPPOSITES = {"min": "max", "minimum": "maximum", "any": "all", "argmin": "argmax"}
_OPPOSITES |= {there: here for here, there in _OPPOSITES.items()}
_TEXTS = (ast.JoinedStr, ast.arguments, ast.Import, ast.ImportFrom)


class Mutation(NamedTuple):
    """One change: `after` stands where `before` stood."""

    kind: str
    line: int
    before: str
    after: str
    text: str  # the whole module


def mutations(source: str, *, in_functions: bool = False) -> list[Mutation]:
    """Every mutation of a module, or of its functions alone, in the order of its lines."""
    tree = ast.parse(source)
    parts = [node for node in tree.body if isinstance(node, ast.FunctionDef)]
    found = []
    for kind, node, after in chain.from_iterable(map(_changes, parts if in_functions else [tree])):
        before = ast.get_source_segment(source, node) or ""
        written = after if isinstance(node, ast.stmt) else f"({after})"
        text = _replaced(source, node, written)
        found.append(Mutation(kind, node.lineno, before, after, text))
    return sorted(found, key=lambda one: one.line)


def _changes(node: ast.AST) -> Iterator[tuple[str, ast.expr | ast.stmt, str]]:
    """Kind, node and new source of each mutation in the tree under `node`."""
    if isinstance(node, ast.stmt) and _is_deletable(node):
        yield "deleted", node, "pass"
    if isinstance(node, ast.expr):
        for kind, after in _expressions(node):
            yield kind, node, ast.unparse(after)
    for child in _children(node):
        yield from _changes(child)


def _children(node: ast.AST) -> Iterator[ast.AST]:
    if isinstance(node, ast.Raise | ast.Assert):
        return
    texts = {"annotation", "returns", "decorator_list", "bases", "msg"}
    for name, value in ast.iter_fields(node):
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST) and name not in texts and not isinstance(child, _TEXTS):
                yield child


def _is_deletable(node: ast.stmt) -> bool:
    """Whether the module is still a program without it: names that are read stay assigned."""
    if isinstance(node, ast.Expr):
        return not isinstance(node.value, ast.Constant)
    if isinstance(node, ast.Assign):
        return not isinstance(node.targets[0], ast.Name | ast.Tuple)
    return isinstance(node, ast.AugAssign | ast.Raise | ast.Continue | ast.Break | ast.Delete)


def _expressions(node: ast.expr) -> Iterator[tuple[str, ast.expr]]:
    match node:
        case ast.Compare(ops=[operator, *rest]) if type(operator) in _OPERATORS:
            ops = [_OPERATORS[type(operator)](), *rest]
            yield "comparison", ast.Compare(node.left, ops, node.comparators)
        case ast.BinOp(left, operator, right) if type(operator) in _OPERATORS:
            yield "arithmetic", ast.BinOp(left, _OPERATORS[type(operator)](), right)
        case ast.BoolOp(operator, values):
            yield "and/or", ast.BoolOp(_OPERATORS[type(operator)](), values)
        case ast.UnaryOp(ast.Not() | ast.USub(), operand):
            yield "not" if isinstance(node.op, ast.Not) else "sign", operand
        case ast.IfExp(test, body, orelse):
            yield "if", ast.IfExp(test, orelse, body)
        case ast.Constant(bool() as value):
            yield "constant", ast.Constant(not value)
        case ast.Constant(int() | float() as value):
            yield "constant", ast.Constant(value + 1)
            yield "constant", ast.Constant(value - 1)
        case ast.Call(ast.Name(name) | ast.Attribute(attr=name), args, keywords):
            if name in _OPPOSITES:
                yield "opposite", ast.Call(_renamed(node.func, _OPPOSITES[name]), args, keywords)
            elif len(args) > 1 and not any(isinstance(arg, ast.Starred) for arg in args[:2]):
                yield "arguments", ast.Call(node.func, [args[1], args[0], *args[2:]], keywords)


def _renamed(function: ast.expr, name: str) -> ast.expr:
    if isinstance(function, ast.Attribute):
        return ast.Attribute(function.value, name)
    return ast.Name(name)


def _replaced(source: str, node: ast.expr | ast.stmt, after: str) -> str:
    """The source with `after` in the node's place; other lines keep their numbers."""
    lines = source.encode().splitlines(keepends=True)
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line))
    first = starts[node.lineno - 1] + node.col_offset
    last = starts[node.end_lineno - 1] + node.end_col_offset
    padding = b"\n" * (node.end_lineno - node.lineno) if isinstance(node, ast.stmt) else b""
    whole = b"".join(lines)
    return (whole[:first] + after.encode() + padding + whole[last:]).decode()
