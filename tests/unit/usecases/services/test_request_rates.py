"""The rate of requests: kept over all processes, with a write for many requests."""

from datetime import datetime, timedelta

import pytest

from tests.support.factories import NOW, OTHER_TENANT, TENANT, after
from tests.support.stores.memory_rates import memory_rates
from timegate.adapters.dynamo.limits.rate_store import DynamoRateStore
from timegate.adapters.memory.engine import MemoryEngine
from timegate.domain.limits.quotas import Quotas
from timegate.domain.limits.rate_limit import RateKey, RateLimit
from timegate.domain.limits.request_rate import (
    RateExceeded,
    request_limit,
    requests_counted,
    taken_at_once,
)
from timegate.usecases.services.request_rates import RequestRates

HUNDRED = Quotas(requests_per_second=100, burst=200)


class Counting(DynamoRateStore):
    """Counts what it is asked."""

    def __init__(self) -> None:
        super().__init__(MemoryEngine(), table="jobs")
        self.asked = 0
        self.seen: list[RateKey] = []

    def take_turns(self, key: RateKey, *args: object, **named: object) -> list[datetime | None]:
        """Count, and do it."""
        self.asked += 1
        return super().take_turns(key, *args, **named)  # type: ignore[arg-type]


def served(rates: RequestRates, quotas: Quotas, at: datetime, most: int) -> int:
    """Return the number of admitted requests of ``most`` at one moment."""
    count = 0
    for _ in range(most):
        try:
            rates.admit(TENANT, quotas, now=at)
        except RateExceeded:
            continue
        count += 1
    return count


def test_a_burst_is_served_and_one_more_is_not() -> None:
    """All of it by one process."""
    rates = RequestRates(memory_rates())

    assert served(rates, HUNDRED, NOW, 201) == 200


def test_a_write_serves_many_requests() -> None:
    """A twentieth of a second's: five here; where a process has some left, it calls no store."""
    store = Counting()
    rates = RequestRates(store)
    served(rates, HUNDRED, NOW, 100)

    assert store.asked == 100 / taken_at_once(RateLimit(calls=100, burst=200)) == 20


def test_nothing_is_counted_where_nothing_is_limited() -> None:
    """No call at all."""
    store = Counting()

    assert RequestRates(store).admit(TENANT, Quotas(), now=NOW) is None
    assert store.asked == 0


def test_processes_share_the_rate() -> None:
    """In ten seconds of far too many requests at five processes: what the quota says, and at most
    what each had left over before.
    """
    store = memory_rates()
    processes = [RequestRates(store) for _ in range(5)]
    total = sum(
        served(process, HUNDRED, NOW + timedelta(milliseconds=50 * step), 10)
        for step in range(200)
        for process in processes
    )
    allowed = 200 + 100 * 10

    assert allowed - 5 * 5 <= total <= allowed + 5 * 5


def test_what_a_process_has_left_stays_good() -> None:
    """However long no request comes: it was taken from the bucket when there was room for it."""
    store = Counting()
    rates = RequestRates(store)
    rates.admit(TENANT, HUNDRED, now=NOW)
    rates.admit(TENANT, HUNDRED, now=after(3_600))

    assert store.asked == 1


def test_tenants_have_buckets_of_their_own() -> None:
    """One that asks too often uses up nothing of another's."""
    rates = RequestRates(memory_rates())
    one = Quotas(requests_per_second=1)
    served(rates, one, NOW, 5)

    assert rates.admit(OTHER_TENANT, one, now=NOW) is not None


@pytest.mark.parametrize(
    ("calls", "burst", "taken"),
    [(1, 1, 1), (39, 39, 1), (40, 40, 2), (40, 20, 1), (500, 1_000, 25), (9_000, 9_000, 25)],
)
def test_how_many_are_taken_at_once(calls: int, burst: int, taken: int) -> None:
    """A twentieth of the rate and of a burst, one at least and twenty-five at most."""
    assert taken_at_once(RateLimit(calls=calls, burst=burst)) == taken


@pytest.mark.parametrize(
    "quotas", [Quotas(requests_per_second=0), Quotas(requests_per_second=5, burst=0)]
)
def test_a_quota_of_none_lets_no_request_in(quotas: Quotas) -> None:
    """It says so before anything is counted."""
    with pytest.raises(RateExceeded):
        request_limit(quotas)


def test_a_burst_that_is_not_given_is_a_second() -> None:
    """The burst is then one second's requests."""
    assert request_limit(Quotas(requests_per_second=7)) == RateLimit(calls=7, burst=7)


def test_a_request_that_costs_more_counts_as_several() -> None:
    """Ten of twenty requests each are a burst of two hundred."""
    rates = RequestRates(memory_rates())
    for _ in range(10):
        rates.admit(TENANT, HUNDRED, now=NOW, count=20)
    with pytest.raises(RateExceeded) as refused:
        rates.admit(TENANT, HUNDRED, now=NOW, count=20)

    assert refused.value.retry_after_seconds == 1


def test_a_refusal_says_when_enough_has_come() -> None:
    """And what a process was given meanwhile is not lost."""
    rates, few = RequestRates(memory_rates()), Quotas(requests_per_second=10, burst=100)
    rates.admit(TENANT, few, now=NOW, count=75)
    with pytest.raises(RateExceeded) as refused:
        rates.admit(TENANT, few, now=NOW, count=60)

    assert refused.value.retry_after_seconds == 4
    with pytest.raises(RateExceeded):
        rates.admit(TENANT, few, now=after(3), count=60)
    assert rates.admit(TENANT, few, now=after(4), count=60) is not None


def test_a_request_beyond_any_burst_takes_a_whole_one() -> None:
    """A tenant of a low rate may make it, and nothing else meanwhile."""
    rates, few = RequestRates(memory_rates()), Quotas(requests_per_second=5, burst=5)
    rates.admit(TENANT, few, now=NOW, count=40)
    with pytest.raises(RateExceeded):
        rates.admit(TENANT, few, now=NOW)

    assert rates.admit(TENANT, few, now=after(1)) is not None


@pytest.mark.parametrize(("size", "counted"), [(0, 1), (32_767, 1), (32_768, 2), (1_048_576, 33)])
def test_a_body_counts_by_its_size(size: int, counted: int) -> None:
    """One for each 32 KB."""
    assert requests_counted(1, size, 32_768) == counted
