"""Engines of functions in a pair of regions: most write in its time alone."""

import importlib
import pkgutil
from collections.abc import Callable, Iterator
from types import FunctionType, MethodType
from typing import Any
from unittest.mock import MagicMock

import pytest

from tests.support.deployed.bare_functions import FUNCTIONS, variables_of
from timegate.adapters.dynamo.dispatch.fenced_engine import FencedEngine
from timegate.adapters.dynamo.tables.boto_engine import BotoEngine
from timegate.runtime import clients, wiring
from timegate.runtime.wiring.parts import region

#: Functions that reach no table.
TABLELESS = {"relay", "cloud_events"}
#: Functions that write at any time, as ends of runs are recorded; ``begins_until`` lets runs begin.
#: The archiver reads tables alone.
UNFENCED = {"executor", "workers", "archiver"}
#: Stores of other functions that write at any time: requests are counted.
COUNTING = {"api": {"DynamoRateStore"}}
#: Holds the record by which others are fenced.
RECORD = "DynamoRegionStore"
Engines = dict[type, set[str]]


@pytest.fixture
def in_a_pair(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], Engines]:
    """Build the services of a function of a pair, and return who holds which kind of engine."""
    monkeypatch.setattr(clients, "_own", MagicMock())
    # Kept for a process; that of the tests is of many functions.
    monkeypatch.setattr(region, "known_region", region.known_region.__wrapped__)

    def build(function: str) -> Engines:
        told = {"REGION_TABLE": "timegate-prod-region", "AWS_REGION": "eu-west-1"}
        for name, text in {**variables_of(function), **told}.items():
            monkeypatch.setenv(name, text)
        return held(services_of(function)())

    return build


def services_of(function: str) -> Callable[[], Any]:
    """Return what a function's handler calls when it is imported."""
    module = importlib.import_module(f"{wiring.__name__}.{function}")
    (build,) = (
        each
        for name, each in vars(module).items()
        if name.endswith("_services")
        and not name.startswith("_")
        and each.__module__ == module.__name__
    )
    found: Callable[[], Any] = build
    return found


def held(services: object) -> Engines:
    """Return each kind of engine that services lead to, and whose it is."""
    found: Engines = {FencedEngine: set(), BotoEngine: set()}
    seen: dict[int, object] = {}
    left = [services]
    while left:
        owner = left.pop()
        if id(owner) in seen:
            continue
        seen[id(owner)] = owner
        for each in parts(owner):
            if type(each) in found:
                found[type(each)].add(type(owner).__name__)
            elif type(each).__module__ != MagicMock.__module__:
                left.append(each)
    return found


def parts(owner: object) -> Iterator[object]:
    """Return what an object keeps: fields, members, and what a function closes over."""
    if isinstance(owner, dict):
        yield from owner.values()
    elif isinstance(owner, list | tuple | set | frozenset):
        yield from owner
    elif isinstance(owner, MethodType):
        yield owner.__self__
    elif isinstance(owner, FunctionType):
        yield from (each.cell_contents for each in owner.__closure__ or ())
    elif not isinstance(owner, type):
        names = {name for kind in type(owner).__mro__ for name in getattr(kind, "__slots__", ())}
        yield from (getattr(owner, name) for name in names if hasattr(owner, name))
        yield from getattr(owner, "__dict__", {}).values()
        # Parts of a partial, and of a callable that is called once.
        yield from (getattr(owner, name, None) for name in ("func", "args", "keywords"))


def test_each_function_has_a_wiring_of_its_name() -> None:
    """So a new one is among those whose engines are looked at."""
    names = {each.name for each in pkgutil.iter_modules(wiring.__path__) if not each.ispkg}

    assert names == set(FUNCTIONS)
    assert names >= UNFENCED | TABLELESS


@pytest.mark.parametrize("function", FUNCTIONS)
def test_functions_write_in_the_time_of_their_region(
    in_a_pair: Callable[[str], Engines], function: str
) -> None:
    """All stores of a function, and those that it builds when they are needed."""
    engines = in_a_pair(function)
    unfenced = engines[BotoEngine] - {RECORD}

    assert bool(engines[FencedEngine]) == (function not in UNFENCED | TABLELESS)
    if function in UNFENCED:
        assert unfenced
    else:
        assert unfenced == COUNTING.get(function, set())


def test_stores_on_demand_are_looked_at(in_a_pair: Callable[[str], Engines]) -> None:
    """The API builds most of its stores at the request that needs them."""
    assert "StoreMaker" in in_a_pair("api")[FencedEngine]
