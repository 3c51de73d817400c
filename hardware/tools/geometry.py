"""Reads the lengths in `cad/params.scad`: assignments of numbers and sums, as OpenSCAD and Python both understand them."""

import ast
import operator
import re
from collections.abc import Callable
from pathlib import Path

from tools.wiring import HERE

PARAMS = HERE / "cad" / "params.scad"
_OPERATORS: dict[type[ast.operator], Callable[[float, float], float]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
}


def params(path: Path = PARAMS) -> dict[str, float]:
    """Return every length by its name, in mm.

    :raises ValueError: a line is something else than an assignment of numbers, earlier names and + - * /.
    """
    found: dict[str, float] = {}
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        code = line.partition("//")[0].strip()
        if not code:
            continue
        match = re.fullmatch(r"(\$?\w+) = (.+);", code)
        if not match:
            raise ValueError(f"{path.name}:{number}: not an assignment: {code}")
        try:
            found[match[1].removeprefix("$")] = _value(ast.parse(match[2], mode="eval").body, found)
        except (SyntaxError, KeyError, TypeError) as error:
            raise ValueError(f"{path.name}:{number}: cannot be computed: {code}") from error
    return found


def _value(node: ast.expr, known: dict[str, float]) -> float:
    if isinstance(node, ast.Constant) and isinstance(node.value, int | float):
        return float(node.value)
    if isinstance(node, ast.Name):
        return known[node.id]
    if isinstance(node, ast.BinOp):
        return _OPERATORS[type(node.op)](_value(node.left, known), _value(node.right, known))
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        return -_value(node.operand, known)
    raise TypeError(ast.dump(node))
