"""The functions fed from streams, each with its filter; ``tests/infra`` compares them."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

JOBS, RUNS = "jobs", "runs"
_CHANGED = ["INSERT", "MODIFY"]
FILTERS: Mapping[str, Mapping[str, Any]] = {
    "relay": {
        "eventName": _CHANGED,
        "dynamodb": {"NewImage": {"state": {"S": ["queued"]}, "direct": {"BOOL": [False]}}},
    },
    "outcomes": {
        "eventName": _CHANGED,
        "dynamodb": {"NewImage": {"follow": {"S": [{"exists": True}]}}},
    },
    "operator": {
        "eventName": _CHANGED,
        "dynamodb": {"NewImage": {"sk": {"S": ["operation"]}, "status": {"S": ["running"]}}},
    },
}
_TABLES = {"relay": RUNS, "outcomes": RUNS, "operator": JOBS}


@dataclass
class Reader:
    """How far a function has read its stream."""

    function: str
    position: int = 0
    #: An invocation has a batch of it.
    is_busy: bool = False

    @property
    def table(self) -> str:
        """Whose stream it reads."""
        return _TABLES[self.function]

    def wants(self, record: Mapping[str, Any]) -> bool:
        """Whether its filter lets a record through."""
        return _matches(FILTERS[self.function], record)


def readers() -> tuple[Reader, ...]:
    """All of them, at the beginning."""
    return tuple(Reader(function) for function in FILTERS)


def _matches(pattern: Mapping[str, Any], shown: Mapping[str, Any]) -> bool:
    return all(
        _matches(wanted, shown.get(name, {}))
        if isinstance(wanted, dict)
        else shown.get(name) in wanted or ({"exists": True} in wanted and name in shown)
        for name, wanted in pattern.items()
    )
