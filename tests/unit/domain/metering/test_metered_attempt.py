"""Usage of attempts: no quantity is below nothing, whatever an attempt shares with others."""

from itertools import product

import pytest

from tests.support.factories import NOW, attempt_factory, attempt_id
from timegate.domain.metering.metered_attempt import MeteredAttempt
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
