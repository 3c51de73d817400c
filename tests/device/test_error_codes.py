"""The board answers with no error code that is not in the protocol's closed list (the firmware's own text)."""

import ast
from collections.abc import Iterator

from device.test_one_way_to_the_motor import FILES, GUARD, functions, name
from eyecaptain.link.errors import CODES

LIST = "bad_op bad_arg busy not_armed lease switch sensor version fault uncal"  # protocol.md


def first(node: ast.expr) -> str | None:
    """The word with which a tuple, a list or a call's arguments begin; None when it is no literal."""
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None


def codes() -> Iterator[tuple[str, str]]:
    """Each literal code, and its file."""
    for path in FILES:
        for where, node in functions(path):
            found = None
            match node:
                case ast.Call(func=ast.Name("Refused"), args=[code, *_]):
                    found = first(code)
                case ast.Dict(keys=keys, values=values):
                    for key, value in zip(keys, values, strict=True):
                        if key is not None and first(key) == "er" and isinstance(value, ast.List):
                            found = first(value.elts[0])
                case ast.Return(value=ast.Tuple(elts=[code, _text])) if name(path) == GUARD and where in ("arm", "refuse"):
                    found = first(code)
            if found is not None:
                yield found, name(path)


def test_every_error_is_one_of_the_protocols() -> None:
    used = set(codes())
    assert len(used) > 12
    assert {(code, file) for code, file in used if code not in LIST.split()} == set()


def test_the_host_has_words_for_each_of_them() -> None:
    assert list(CODES) == LIST.split()
