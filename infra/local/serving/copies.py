"""Copies of items in the emulator: an item is a tree of JSON, which needs no care for cycles."""

import copy
from types import SimpleNamespace
from typing import Any

from ministack.services import dynamodb  # type: ignore[import-untyped]

_PLAIN = frozenset((str, int, float, bool, type(None), bytes))


def copy_items_as_trees() -> None:
    """Give the emulator's tables a copy that takes an eighth of the time of ``deepcopy``."""
    dynamodb.copy = SimpleNamespace(**{**vars(copy), "deepcopy": tree_copy})


def tree_copy(part: Any) -> Any:
    """Copy dictionaries and lists, and whatever else is in them by ``deepcopy``."""
    kind = type(part)
    if kind in _PLAIN:
        return part
    if kind is dict:
        return {
            name: each if type(each) in _PLAIN else tree_copy(each) for name, each in part.items()
        }
    if kind is list:
        return [each if type(each) in _PLAIN else tree_copy(each) for each in part]
    return copy.deepcopy(part)
