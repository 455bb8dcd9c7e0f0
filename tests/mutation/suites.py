"""Suites that have to notice a bug, small enough to be run once for each."""

from collections.abc import Callable

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis.stateful import run_state_machine_as_test

from tests.crash.cloud import Cloud
from tests.crash.faults import Fault, Mode, faults_of
from tests.crash.flows import FLOWS
from tests.crash.region import Region
from tests.crash.story import live_through
from tests.property.test_leases import Leases

#: Raises what it noticed. A bug is planted after the region has been built, and gone before it is.
Suite = Callable[[Callable[[], None]], None]

_EXAMPLES = settings(
    max_examples=150,
    stateful_step_count=40,
    derandomize=True,
    database=None,
    deadline=None,
    # What it found is enough: nobody reads a smaller example.
    phases=[Phase.generate],
    suppress_health_check=list(HealthCheck),
)


def leases(plant: Callable[[], None]) -> None:
    """The machine that plays with leases, always the same games."""
    plant()
    run_state_machine_as_test(Leases, settings=_EXAMPLES)


def flow(
    name: str, *, clean: bool = False, stalls: bool = False, function: str | None = None
) -> Suite:
    """The part of the crash matrix that is about one flow: ``clean``, without any fault.

    ``stalls``: executors that stand still. ``function``: every fault of this one.
    """
    (known,) = (each for each in FLOWS if each.name == name)

    def wanted(fault: Fault) -> bool:
        if stalls:
            return fault.mode is Mode.STALLED and fault.call.function.startswith("executor")
        return not clean and fault.call.function == function

    def run(plant: Callable[[], None]) -> None:
        with pytest.MonkeyPatch.context() as patch:
            cloud = Cloud(Region(patch))
            for ticked in ("planner", "sweeper"):
                cloud.invoke(ticked, {"shards": [0], "of": 1})
            calls = live_through(known, cloud, "tenant")
            plant()
            if clean:
                live_through(known, cloud, "tenant")
            for point, fault in enumerate(faults_of(calls, set(), every=False)):
                if wanted(fault):
                    live_through(known, cloud, f"tenant-{point}", fault)

    return run
