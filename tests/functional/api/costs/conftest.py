"""The measure of costs: a plain create."""

from types import ModuleType

import pytest

from tests.functional.api.conftest import serving
from tests.functional.api.costs.test_request_costs import asking, route_of
from tests.support.api import new_job
from tests.support.world import World

#: Creates of which the quickest counts: a busy machine makes most of them slower.
_CREATES = 60


@pytest.fixture(scope="session")
def plain(handler: ModuleType, workers_handler: ModuleType) -> float:
    """The processor time of a plain create, in seconds, by which others are measured."""
    create = route_of("createJob")
    with pytest.MonkeyPatch.context() as patch:
        api = serving(handler, workers_handler, World(), patch)
        return min(asking(api, create, new_job(name=f"n{n}"))() for n in range(_CREATES))
