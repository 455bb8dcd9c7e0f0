"""All that is known of an operation is declared at the function that serves it."""

import importlib
import pkgutil
from types import ModuleType

import pytest
from pydantic import BaseModel

import api.answers
import api.routes
from api.exchange import Exchange, Reply
from api.routes.route import Route, route, routes_of
from api.routes.table import ROUTES


def test_the_table_has_every_route_that_is_declared() -> None:
    """A module that the table does not name would be served by nothing."""
    modules = [
        importlib.import_module(f"api.routes.{each.name}")
        for each in pkgutil.iter_modules(api.routes.__path__)
    ]
    declared = [each for module in modules for each in routes_of(module)]

    assert sorted(each.operation for each in declared) == sorted(each.operation for each in ROUTES)


def test_answers_are_no_models() -> None:
    """Handlers name them: a model would build its validator at every cold start."""
    modules = [
        importlib.import_module(f"api.answers.{each.name}")
        for each in pkgutil.iter_modules(api.answers.__path__)
    ]
    classes = [
        each
        for module in modules
        for each in vars(module).values()
        if isinstance(each, type) and each.__module__ == module.__name__
    ]

    assert len(classes) > 100
    assert [each for each in classes if issubclass(each, BaseModel)] == []


@pytest.fixture(scope="module")
def declared() -> tuple[Route, ...]:
    """Return the routes of a module with a function that serves two operations."""

    @route("GET", "/v1/moons/<moon>", operation="getMoon", answer=dict, success={200: "It."})
    @route(
        "GET",
        "/v1/tides/<moon>",
        operation="getTide",
        answer=dict,
        success={200: "It."},
        description="By its moon.",
    )
    def get(_: Exchange) -> Reply:
        """Read a moon.

        Its phase is
        that of now.
        """
        return Reply(body={})

    module = ModuleType(__name__)
    vars(module)["get"] = get
    return routes_of(module)


def test_routes_stand_in_the_order_of_their_decorators(declared: tuple[Route, ...]) -> None:
    """The description shows them in it."""
    assert [each.operation for each in declared] == ["getMoon", "getTide"]


def test_a_docstring_describes_an_operation(declared: tuple[Route, ...]) -> None:
    """Its first line is the summary; a route of its own words keeps to them."""
    assert [each.words for each in declared] == [
        ("Read a moon", "Its phase is that of now."),
        ("Read a moon", "By its moon."),
    ]


def test_a_function_that_is_imported_declares_nothing_again(declared: tuple[Route, ...]) -> None:
    """Its own module has its routes."""
    other = ModuleType("elsewhere")
    vars(other)["get"] = declared[0].serve

    assert routes_of(other) == ()
