"""Pools in every order: each run has one holder at a time, and ends once."""

from typing import Any

import pytest

from tests.property.orders.exploring import explore
from tests.property.orders.pools.pool_game import PoolGame
from tests.property.orders.processes import Fault

LOST = {Fault.ASKED_AGAIN: 1, Fault.UNANSWERED: 1}
SHORT: dict[str, dict[str, Any]] = {
    "two workers claim one run": {"may": {"claims": 2}},
    "a claim meets a pause": {"may": {"claims": 1, "pauses": 1}},
    "a claim meets an end that is late": {
        "held": True,
        "may": {"claims": 1, "beats": 1, "passes": 1},
    },
    "a claim meets a release": {"held": True, "may": {"claims": 1, "releases": 1}},
    "a release is late": {"held": True, "may": {"claims": 1, "releases": 1, "passes": 1}},
    "two workers claim two runs": {"runs": 2, "most": 2, "may": {"claims": 2}},
    "a claim meets a pause and its end": {"may": {"claims": 1, "pauses": 1, "resumes": 1}},
    "answers are lost": {"held": True, "may": {"claims": 1, "releases": 1, **LOST}},
    "a holder dies beside another run": {
        "runs": 2,
        "most": 2,
        "held": True,
        "may": {"claims": 1, "deaths": 1, "passes": 1},
    },
    "a claim meets the sweeper as a lease ends": {
        "held": True,
        "may": {"claims": 1, "sweeps": 1, "passes": 1},
    },
}


@pytest.mark.parametrize("scope", SHORT)
def test_runs_of_a_pool_have_one_holder_in_every_order(scope: str) -> None:
    assert explore(PoolGame(**SHORT[scope])) > 1
