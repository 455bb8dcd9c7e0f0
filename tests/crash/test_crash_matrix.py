"""The crash matrix: whatever happens at any call to AWS, what was promised is kept."""

import os
import traceback
from collections.abc import Callable, Sequence
from functools import partial
from random import Random

import pytest

from tests.crash.conftest import TRIED
from tests.crash.faults import Call, Fault, Shape, faults_of, second_fault
from tests.crash.flows.main_flows import FLOWS
from tests.crash.selection import chosen
from tests.crash.services.cloud import Cloud
from tests.crash.services.service import KIND, Service
from tests.crash.story import Flow, live_through

#: ``all``: every call in every mode, also where that cannot be told from another point.
EVERY = os.environ.get("TIMEGATE_CRASH") == "all"
#: So many faults of each flow are followed by another one, somewhere in what they lead to.
_PAIRS = 1_000_000 if EVERY else 2
#: So many faults of each flow are tried once more while the sweeper looks between its ticks.
_AMONG_LOOKS = 1_000_000 if EVERY else 1
#: Flows that are struck among looks. `tests/iam/test_rights.py` lives through each among looks.
_STRUCK_AMONG_LOOKS = range(0, len(FLOWS), 1 if EVERY else 3)
#: What ticks did in the flows so far.
_KNOWN: set[Shape] = set()


class Trial:
    """A flow, lived through again and again."""

    def __init__(
        self,
        flow: Flow,
        cloud: Cloud,
        name: str,
        *,
        whole: bool = False,
        service: Service = KIND,
    ) -> None:
        self._flow, self._cloud, self._name = flow, cloud, name
        self._live = partial(live_through, whole=whole, service=service)
        self.tried = 0
        self.broken: list[str] = []

    def meet(self, *faults: Fault) -> Sequence[Call]:
        """Live through it with these faults, and note what does not hold; the calls it made."""
        self.tried += 1
        cloud, tenant = self._cloud, f"{self._name}-{self.tried}"
        try:
            return self._live(self._flow, cloud, tenant, *faults)
        except Exception as error:  # noqa: BLE001 - a matrix says all that is wrong with it
            place = traceback.extract_tb(error.__traceback__)[-1]
            failed = [f"{p.function} {p.number}: {e!r}" for p, e in cloud.region.failures]
            self.broken.append(
                f"{', then '.join(map(str, faults))}: {error!r} at {place.name}:{place.lineno},"
                f" invocations failed: {failed}"
            )
            return ()


@pytest.mark.parametrize("number", range(len(FLOWS)), ids=[flow.name for flow in FLOWS])
def test_a_flow_keeps_its_promise_whatever_happens_at_any_call(
    number: int, cloud: Cloud, record_property: Callable[[str, object], None]
) -> None:
    """Death before a call, death after it, an answer that is lost, and a process that stalls.

    Of some, what happens when another fault comes before the first one is made good.
    """
    flow = FLOWS[number]
    calls = live_through(flow, cloud, f"tenant-{number}")
    faults = chosen(flow, calls, _KNOWN, every=EVERY)
    trial = Trial(flow, cloud, f"tenant-{number}")
    made = {fault: trial.meet(fault) for fault in faults}
    for first in _pairs(flow, faults):
        second = second_fault(first, made[first], flow.name) if made[first] else None
        if second is not None:
            trial.meet(first, second)
    record_property(TRIED, (flow.name, len(calls), trial.tried))

    assert trial.broken == []


@pytest.mark.parametrize(
    "number", _STRUCK_AMONG_LOOKS, ids=[FLOWS[number].name for number in _STRUCK_AMONG_LOOKS]
)
def test_a_flow_keeps_its_promise_while_the_sweeper_looks_between_its_ticks(
    number: int, cloud: Cloud, record_property: Callable[[str, object], None]
) -> None:
    """Looks come among all that is under way, and faults strike them as well."""
    flow, name = FLOWS[number], f"tenant-{number}-looks"
    calls = live_through(flow, cloud, name, whole=True)
    faults = faults_of(calls, _KNOWN, every=EVERY)
    trial = Trial(flow, cloud, name, whole=True)
    for fault in Random(flow.name).sample(faults, min(_AMONG_LOOKS, len(faults))):
        made = trial.meet(fault)
        second = second_fault(fault, made, flow.name) if made else None
        if second is not None:
            trial.meet(fault, second)
    record_property(TRIED, (f"{flow.name} +", len(calls), trial.tried))

    assert trial.broken == []


def _pairs(flow: Flow, faults: list[Fault]) -> list[Fault]:
    """Those that another one follows."""
    return Random(flow.name).sample(faults, min(_PAIRS, len(faults)))
