"""A reader of a stream fails until Lambda gives its records up: every promise holds.

Lambda repeats a batch as often as ``infra/stage/delivery.py`` deploys, and then goes
on without it.
The indexes and the sweeper bring about all that follows from those records.
"""

from itertools import product
from typing import Any

import pytest

from infra.stage.delivery import STREAMS
from tests.crash.faults import Outage
from tests.crash.flows.main_flows import FLOWS
from tests.crash.selection import WHOLE
from tests.crash.services.cloud import Cloud
from tests.crash.story import live_through

pytestmark = pytest.mark.wide

#: The first record of a story is given up; or all records of more than six minutes.
OUTAGES: dict[str, dict[str, Any]] = {
    "one record": {"tries": 1 + STREAMS.retries},
    "minutes": {"seconds": 400},
}
#: Flows in which a caller meets an execution at a second at which outcomes has begun none yet.
_MEETS_EXECUTION = {"dag is cancelled", "dag, aborted", "dag, no callback"}
#: The flows in which each of them is given something: the others are no different for its outage.
READ: dict[str, set[str]] = {
    "outcomes": {flow.name for flow in FLOWS} - {"bulk change", *_MEETS_EXECUTION},
    "relay": {
        *("plan and relay", "recurring", "hand back", "retry", "retry late", "dead letter"),
        *("cancel job", "overlap slot", "backfill", "freeze", "thaw", "slices", "redrive"),
        *("notification", "late notice", "dag in a line", "dag fans out", "job, by a dag"),
    },
    "operations": {"backfill", "bulk change"},
}
#: Each outage of a flow ends after no call or after one, by turns; ``make crash-matrix``: both.
_STORIES = [
    pytest.param(function, name, lasts, calls, id=f"{function}: {name}, {lasts}, {calls}")
    for function, names in READ.items()
    for turn, (name, lasts) in enumerate(product(sorted(names), OUTAGES))
    for calls in (0, 1)
    if WHOLE or calls == (turn // len(OUTAGES) + turn) % 2
]


@pytest.mark.parametrize(("function", "name", "lasts", "calls"), _STORIES)
def test_what_lambda_gives_up_comes_about(
    cloud: Cloud, function: str, name: str, lasts: str, calls: int
) -> None:
    """``calls``: so many the function makes, each time, before it dies."""
    (flow,) = (each for each in FLOWS if each.name == name)
    outage = Outage(function, calls, **OUTAGES[lasts])
    live_through(flow, cloud, f"{function}-{FLOWS.index(flow)}-{lasts[:3]}-{calls}", outage=outage)


@pytest.mark.parametrize("function", READ)
def test_lambda_gives_up_after_the_deployed_number_of_tries(cloud: Cloud, function: str) -> None:
    """One fewer costs no record; and what is given up is described in ``rejected``."""
    names = {"outcomes": "create immediate", "relay": "plan and relay", "operations": "bulk change"}
    (flow,) = (each for each in FLOWS if each.name == names[function])
    given_up = []
    for tries in (STREAMS.retries, 1 + STREAMS.retries):
        outage = Outage(function, 0, tries=tries)
        live_through(flow, cloud, f"{function}-given-up-{tries}", outage=outage)
        given_up.append(sum(reader.given_up for reader in cloud.readers))

    assert given_up == [0, 1]
    assert len(cloud.queues.rejected) == 1
