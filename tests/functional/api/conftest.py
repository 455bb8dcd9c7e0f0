"""The API's own handler, working on tables in memory."""

import importlib
from collections.abc import Iterator
from dataclasses import replace
from types import ModuleType
from typing import Any

import pytest

from tests.functional.api.described import check_exchange
from tests.support.api import (
    VARIABLES,
    Api,
    Event,
    HeardTelemetry,
    api_services,
    is_workers,
)
from tests.support.tenants.asked import Ask, asking_inside
from tests.support.world import World


@pytest.fixture(scope="session")
def handler() -> Iterator[ModuleType]:
    """The module that Lambda imports, with the variables that the stack sets."""
    with pytest.MonkeyPatch.context() as patch:
        for name, text in VARIABLES.items():
            patch.setenv(name, text)
        yield importlib.import_module("api.handler")


@pytest.fixture(scope="session")
def workers_handler(handler: ModuleType) -> ModuleType:
    """That of the function which workers talk to."""
    return importlib.import_module("workers.handler")


@pytest.fixture
def world(handler: ModuleType) -> World:
    """Everything behind the API."""
    return World(telemetry=HeardTelemetry())


@pytest.fixture
def api(
    handler: ModuleType,
    workers_handler: ModuleType,
    world: World,
    monkeypatch: pytest.MonkeyPatch,
) -> Api:
    """The way in; every exchange is held against the API's description."""
    return replace(serving(handler, workers_handler, world, monkeypatch), watch=check_exchange)


@pytest.fixture(scope="module")
def ask(handler: ModuleType, workers_handler: ModuleType) -> Iterator[Ask]:
    """Both functions on the real adapters, in a world of tables that is one for the module."""
    with asking_inside(handler, workers_handler) as ask:
        yield ask


def serving(
    handler: ModuleType, workers_handler: ModuleType, world: World, monkeypatch: pytest.MonkeyPatch
) -> Api:
    """Put this world behind both functions."""
    monkeypatch.setattr(handler, "services", api_services(world))
    monkeypatch.setattr(workers_handler, "services", world.working)

    def handle(event: Event, context: object) -> dict[str, Any]:
        serving = workers_handler if is_workers(event) else handler
        answered: dict[str, Any] = serving.handle(event, context)
        return answered

    return Api(handle, world)
