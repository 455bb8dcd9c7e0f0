"""The crash matrix: whatever happens at any call to AWS, what was promised is kept."""

import os
import traceback
from collections.abc import Callable

import pytest

from tests.crash.cloud import Cloud
from tests.crash.conftest import TRIED
from tests.crash.faults import Fault, Shape, faults_of
from tests.crash.flows import FLOWS
from tests.crash.story import Flow, live_through

#: ``all``: every call in every mode, also where that cannot be told from another point.
_EVERY = os.environ.get("TIMEGATE_CRASH") == "all"
#: What ticks did in the flows so far.
_KNOWN: set[Shape] = set()


@pytest.mark.parametrize("number", range(len(FLOWS)), ids=[flow.name for flow in FLOWS])
def test_a_flow_keeps_its_promise_whatever_happens_at_any_call(
    number: int, cloud: Cloud, record_property: Callable[[str, object], None]
) -> None:
    """Death before a call, death after it, an answer that is lost, and a process that stalls."""
    flow = FLOWS[number]
    calls = live_through(flow, cloud, f"tenant-{number}")
    faults = faults_of(calls, _KNOWN, every=_EVERY)
    broken = [
        f"{fault}: {why}"
        for point, fault in enumerate(faults)
        if (why := _broken(flow, cloud, f"tenant-{number}-{point}", fault)) is not None
    ]
    record_property(TRIED, (flow.name, len(calls), len(faults)))

    assert broken == []


def _broken(flow: Flow, cloud: Cloud, tenant: str, fault: Fault) -> str | None:
    """What does not hold after this fault, and where that was seen."""
    try:
        live_through(flow, cloud, tenant, fault)
    except Exception as error:  # noqa: BLE001 - a matrix says all that is wrong with it
        place = traceback.extract_tb(error.__traceback__)[-1]
        failed = [f"{p.function} {p.number}: {e!r}" for p, e in cloud.region.failures]
        return f"{error!r} at {place.name}:{place.lineno}, invocations failed: {failed}"
    return None
