"""All that is known of an operation is declared at the function that serves it."""

import importlib
from http import HTTPStatus
from pathlib import Path
from types import ModuleType
from typing import get_args

import pytest
from pydantic import BaseModel

import api
from api.http.exchange import Exchange, Reply
from api.http.route import Route, route, routes_of
from api.http.table import ROUTES
from timegate.contracts.values.queries import JobReference

#: Rooms of subjects; the description is made of what they declare.
ROOMS = Path(api.__path__[0])


def modules(ending: str) -> list[ModuleType]:
    """Import every module of a subject whose name ends so."""
    return [
        importlib.import_module(".".join(("api", *path.relative_to(ROOMS).with_suffix("").parts)))
        for path in sorted(ROOMS.rglob(f"*/*{ending}.py"))
        if path.parent.name != "openapi"
    ]


def names_a_job(of: Route) -> bool:
    """Tell if its query has a field that takes the key of a job."""
    fields = () if of.query is None else of.query.model_fields.values()
    return any(JobReference in get_args(field.annotation) for field in fields)


def test_modules_of_routes_are_named_so() -> None:
    """The test below would miss routes that are declared elsewhere."""
    declaring = {path.stem for path in ROOMS.rglob("*.py") if "\n@route(" in path.read_text()}

    assert len(declaring) > 20
    assert {name for name in declaring if not name.endswith("_routes")} == set()


def test_the_table_has_every_route_that_is_declared() -> None:
    """A module that the table does not name would be served by nothing."""
    declared = [each for module in modules("_routes") for each in routes_of(module)]

    assert sorted(each.operation for each in declared) == sorted(each.operation for each in ROUTES)


def test_answers_are_no_models() -> None:
    """Handlers name them: a model would build its validator at every cold start."""
    classes = [
        each
        for module in modules("_answers")
        for each in vars(module).values()
        if isinstance(each, type) and each.__module__ == module.__name__
    ]

    assert len(classes) > 100
    assert [each for each in classes if issubclass(each, BaseModel)] == []


@pytest.mark.parametrize(
    "declared", [pytest.param(each, id=each.operation) for each in ROUTES if names_a_job(each)]
)
def test_a_query_that_names_a_job_may_find_none(declared: Route) -> None:
    """A key of no job is answered with 404, whichever list is asked for."""
    assert HTTPStatus.NOT_FOUND in declared.refusals


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
