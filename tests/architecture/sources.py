"""Source files of the project, each read and parsed once in a process."""

import ast
import gc
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


@cache
def text_of(path: Path) -> str:
    """Read a file's text."""
    return path.read_text()


@cache
def tree_of(path: Path) -> ast.Module:
    """Parse a module; it stays until the end, so no search for circles passes it again."""
    tree = ast.parse(text_of(path))
    gc.freeze()
    return tree


@cache
def nodes_of(path: Path) -> tuple[ast.AST, ...]:
    """List every node of a module: rules walk the list and not the tree."""
    return tuple(ast.walk(tree_of(path)))


def name_of(path: Path) -> str:
    """Name a file by its path below the project's folder."""
    return str(path.relative_to(ROOT))
