"""A request loads the modules of routes that serve its path, and no others."""

import re
from collections.abc import Iterator
from itertools import product
from types import ModuleType

from api.http.places import PLACES, names_of
from api.http.route import Route
from api.http.table import ROUTES
from tests.support.api import Api

_PARAMETER = re.compile(r"<\w+>")


def module_of(route: Route) -> str:
    """The module that declares a route, beneath the API's package."""
    return route.serve.__module__.removeprefix("api.")


def serving(path: str) -> set[str]:
    """Modules with a route at a path, by whatever method."""
    return {
        module_of(route)
        for route in ROUTES
        if re.fullmatch(_PARAMETER.sub("[^/]+", route.path), path)
    }


def paths() -> Iterator[str]:
    """Paths of every route; each parameter is an id, or a word that stands there elsewhere."""
    parts = [route.path.split("/") for route in ROUTES]
    for route in parts:
        words = [
            {"x", *(other[at] for other in parts if len(other) > at and "<" not in other[at])}
            if _PARAMETER.fullmatch(part)
            else {part}
            for at, part in enumerate(route)
        ]
        yield from ("/".join(chosen) for chosen in product(*words))


def test_a_request_finds_every_route_of_its_path() -> None:
    """Otherwise an operation would be found, or its methods told, only after another request."""
    asked = sorted(set(paths()))

    assert len(asked) > len({route.path for route in ROUTES})
    assert [path for path in asked if not serving(path) <= set(names_of(path))] == []


def test_a_request_loads_nothing_of_other_paths() -> None:
    """Two modules for one path are named where words and ids meet, or two functions serve it."""
    several = {path: names_of(path) for path in paths() if len(names_of(path)) != 1}

    assert set(several.values()) == {
        ("jobs.job_routes", "previews.job_preview_routes"),
        ("jobs.job_routes", "operations.bulk_routes"),
        ("runs.run_routes", "pools.worker_log_routes"),
        ("runs.run_routes", "operations.dead_letter_routes"),
    }


def test_each_place_is_that_of_a_route() -> None:
    """A place that is misspelt, or is left behind, would load a module for nothing."""
    needed = {
        place
        for name, places in PLACES.items()
        for place in places
        for route in ROUTES
        if module_of(route) == name
        and re.match(rf"/v1/{place.replace('*', '[^/]+')}(/|$)", route.path)
    }

    assert needed == {place for places in PLACES.values() for place in places}


def test_paths_beneath_no_place_load_nothing() -> None:
    """A scanner of addresses costs no imports."""
    strays = ("/", "/v1", "/v1/", "/v2/jobs", "/V1/jobs", "/v1//jobs", "/v1/job", "")

    assert {path: names_of(path) for path in strays} == dict.fromkeys(strays, ())


def test_a_request_is_answered_after_its_module_was_loaded(api: Api, handler: ModuleType) -> None:
    """Importing the handler alone serves no route of the API's function."""
    assert not hasattr(handler, "ROUTES")
    assert api.send("GET", "/v1/freezes").status == 200
