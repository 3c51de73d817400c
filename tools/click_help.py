"""Finds the words of commands for Babel: a command's docstring and each `help="..."` are what `--help` says."""

import ast
import inspect
from collections.abc import Iterator
from io import BytesIO
from typing import Any, BinaryIO

from babel.messages.extract import extract_python


def extract(fileobj: BinaryIO, keywords: Any, comment_tags: Any, options: Any) -> Iterator[Any]:
    """What `_("...")` marks, and the help of commands: line, function, text, comments (as Babel wants it)."""
    source = fileobj.read()
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.FunctionDef(decorator_list=decorators) if any(map(_is_command, decorators)):
                if doc := ast.get_docstring(node):
                    yield node.lineno, "_", doc, []
            case ast.keyword(arg="help", value=ast.Constant(value=str(words))):
                yield node.lineno, "_", inspect.cleandoc(words), []
    yield from extract_python(BytesIO(source), keywords, comment_tags, options)


def _is_command(decorator: ast.expr) -> bool:
    """Whether it is `@click.command(...)`, `@group.command(...)` or `@click.group(...)`."""
    call = decorator.func if isinstance(decorator, ast.Call) else decorator
    return isinstance(call, ast.Attribute) and call.attr in ("command", "group")
