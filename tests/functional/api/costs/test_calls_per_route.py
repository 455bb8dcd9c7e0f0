"""A request makes no more AWS calls than the bench measured and the page shows (N5)."""

import pytest

from api.http.route import Route
from bench.page.performance import PARTS
from bench.routes.api_routes import MEASURED as ROUTES
from bench.routes.api_routes import calls_of
from tests.support.tenants.asked import Ask

MEASURED = PARTS["routes"].read()
#: The samples refuse these: a job without slices, a task that no operator may touch. Reading that
#: is the cost.
REFUSED = {"continueRun", "continueCallback", "completeDagTask", "skipDagTask", "rerunDagTask"}


@pytest.mark.parametrize("route", ROUTES, ids=lambda route: route.operation)
def test_a_request_makes_no_more_calls_than_were_measured(ask: Ask, route: Route) -> None:
    """A call that is added shows up here: run ``make bench-routes``, and say why."""
    status, calls = calls_of(route, ask)

    assert status == MEASURED["routes"][route.operation]["status"]
    assert (status >= 400) == (route.operation in REFUSED)
    assert calls.total() <= sum(MEASURED["routes"][route.operation]["calls"].values())
