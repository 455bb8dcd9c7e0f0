"""Usage of attempts: no quantity is below nothing, whatever an attempt shares with others."""

from datetime import timedelta
from itertools import product

import pytest

from infra.stage.capacity import CLASSES
from tests.support.factories import NOW, attempt_factory, attempt_id
from timegate.domain.jobs.demands import ResourceClass
from timegate.domain.metering.metered_attempt import GIGABYTES, MeteredAttempt
from timegate.domain.metering.tally import CostTally
from timegate.domain.runs.lease import Pickup
from timegate.domain.runs.run import RunState
from timegate.domain.values.identity import Origin


def of_pool(*, origin: Origin, number: int, batch: int, planned_with: int) -> MeteredAttempt:
    """An attempt that a worker of a pool claimed."""
    attempt = attempt_factory(
        id=attempt_id(origin=origin, number=number),
        state=RunState.SUCCEEDED,
        started_at=NOW,
        ended_at=NOW,
        pickup=Pickup(claimed_at=NOW, batch=batch),
    )
    return MeteredAttempt(attempt=attempt, size_bytes=700, planned_with=planned_with)


@pytest.mark.parametrize("origin", [Origin.SCHEDULE, Origin.TRIGGER, Origin.NOTIFICATION])
def test_no_service_is_billed_less_than_nothing_for_a_run_of_a_pool(origin: Origin) -> None:
    """A run whose plan it shares sends fewer messages than the daily run that is taken off."""
    for number, batch, planned_with in product((1, 2), (1, 5, 10, 100), (1, 3, 7, 50)):
        found = of_pool(origin=origin, number=number, batch=batch, planned_with=planned_with)

        assert min(found.usage.amounts().values()) >= 0
        assert min(CostTally.of([found]).usage.bill().values()) >= 0


def test_a_daily_run_of_a_pool_sends_no_message() -> None:
    """Its worker claims it over the API."""
    found = of_pool(origin=Origin.SCHEDULE, number=1, batch=1, planned_with=1)

    assert found.usage.sqs_requests == pytest.approx(0)
    assert found.usage.api_requests == pytest.approx(2)


def called_for(seconds: int, resource_class: ResourceClass) -> float:
    """Return the GB-seconds of a run whose target took so long."""
    attempt = attempt_factory(
        state=RunState.SUCCEEDED,
        resource_class=resource_class,
        started_at=NOW,
        ended_at=NOW + timedelta(seconds=seconds),
        pickup=Pickup(claimed_at=NOW, published_at=NOW),
    )
    return MeteredAttempt(attempt=attempt, size_bytes=700).usage.gb_seconds


@pytest.mark.parametrize(
    ("resource_class", "gb_seconds"), [(ResourceClass.SHORT, 60), (ResourceClass.LONG, 30)]
)
def test_seconds_of_a_target_cost_the_memory_of_their_class(
    resource_class: ResourceClass, gb_seconds: float
) -> None:
    """An executor of class ``long`` has half the memory: its minute was billed twice."""
    longer = called_for(61, resource_class) - called_for(1, resource_class)

    assert longer == pytest.approx(gb_seconds)


def test_classes_have_the_memory_that_they_are_billed_for() -> None:
    """Lambda bills what the executors' templates have."""
    deployed = {each: CLASSES[each.value].memory_mb / 1024 for each in ResourceClass}

    assert deployed == GIGABYTES
