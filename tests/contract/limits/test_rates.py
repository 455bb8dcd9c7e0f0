"""``RateStore``: turns of one run each, however many ask at once."""

import random
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

import pytest

from tests.contract.conftest import NewStores
from tests.support.factories import NOW, OTHER_TENANT, TENANT, after
from tests.support.stores.contract_stores import Stores, memory_stores, race
from tests.support.stores.recorder import recorded
from timegate.domain.limits.rate_limit import RateKey, RateLimit, RatePeriod, RateRequest, held_back
from timegate.domain.values.errors import Throttled
from timegate.ports.limits.rates import RateStore

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

KEY = RateKey(tenant=TENANT, name="webhook:example.com")
LIMIT = RateLimit(calls=1)
CONTENDERS = 12


def ask(
    rates: RateStore, count: int = 1, *, at: float = 0, key: RateKey = KEY
) -> list[float | None]:
    """The turns of so many that ask together, in seconds from the start."""
    return seconds(rates.take_turns(key, [RateRequest(limit=LIMIT)] * count, at=after(at)))


def seconds(turns: list[datetime | None]) -> list[float | None]:
    return [None if turn is None else (turn - NOW).total_seconds() for turn in turns]


def test_turns_follow_one_another(stores: Stores) -> None:
    """Requests at once and later ones queue up; after a pause the next one goes at once."""
    assert ask(stores.rates, 3) == [0, 1, 2]
    assert ask(stores.rates, 2, at=0.5) == [3, 4]
    assert ask(stores.rates, at=9.25) == [9.25]
    assert ask(stores.rates, at=9.25) == [10.25]


@pytest.mark.parametrize(
    "other",
    [
        pytest.param(RateKey(tenant=TENANT, name="webhook:example.org"), id="another-name"),
        pytest.param(RateKey(tenant=OTHER_TENANT, name=KEY.name), id="another-tenant"),
    ],
)
def test_another_key_is_another_limit(stores: Stores, other: RateKey) -> None:
    """No run waits for an unrelated key."""
    ask(stores.rates, 5)

    assert ask(stores.rates, key=other) == [0]


def test_what_comes_too_late_is_not_reserved(stores: Stores) -> None:
    """The other requests get their turns; a request that gets none writes nothing."""
    soon, whenever = RateRequest(limit=LIMIT, not_after=after(2.5)), RateRequest(limit=LIMIT)
    ask(stores.rates, 2)

    assert seconds(stores.rates.take_turns(KEY, [soon, soon, whenever], at=NOW)) == [2, None, 3]
    assert seconds(stores.rates.take_turns(KEY, [soon], at=NOW)) == [None]
    assert ask(stores.rates) == [4]


def test_a_key_that_is_held_back_gives_no_turn_before(stores: Stores) -> None:
    """An unused key, one in use; and one that is further already stays where it is."""
    until = held_back(LIMIT, after(5))
    stores.rates.hold_back(KEY, used_until=until, at=NOW)
    assert ask(stores.rates, 2) == [5, 6]
    stores.rates.hold_back(KEY, used_until=until, at=NOW)

    assert ask(stores.rates) == [7]


def test_workers_that_ask_at_once_share_no_turn(stores: Stores) -> None:
    """Each turn is one interval after another one."""
    turns = [t for (t,) in race(*[lambda: ask(stores.rates)] * CONTENDERS)]

    assert sorted(t for t in turns if t is not None) == list(range(CONTENDERS))


def test_both_kinds_give_the_same_turns(new_dynamo_stores: NewStores) -> None:
    """Two workers that remember different things, and a twin; limits and patience of all kinds."""
    mine, twin = new_dynamo_stores(), memory_stores()
    other = type(mine.rates)(mine.rates._engine, table=mine.rates._table)  # type: ignore[attr-defined,call-arg]
    chance = random.Random(14)
    now = NOW
    for _ in range(60):
        now += timedelta(microseconds=chance.choice([0, 1, 250_000, 3_000_001]))
        wishes = [some_wish(chance, now) for _ in range(chance.randint(1, 4))]
        worker = chance.choice([mine.rates, other])

        assert worker.take_turns(KEY, wishes, at=now) == twin.rates.take_turns(KEY, wishes, at=now)


def some_wish(chance: random.Random, now: datetime) -> RateRequest:
    calls, burst = chance.choice([1, 3, 7]), chance.randint(1, 3)
    limit = RateLimit(calls=calls, per=chance.choice([*RatePeriod][:2]), burst=burst)
    patience = chance.choice([None, timedelta(0), timedelta(seconds=2), timedelta(minutes=2)])
    return RateRequest(limit=limit, not_after=None if patience is None else now + patience)


def test_a_batch_is_one_write_and_a_late_one_none(
    dynamodb: "DynamoDBClient", new_dynamo_stores: NewStores
) -> None:
    """A worker that meets a busy key for the first time needs a second."""
    stores = new_dynamo_stores()
    other = type(stores.rates)(stores.engine, table=stores.rates._table)  # type: ignore[attr-defined,call-arg]
    costs = []
    late = RateRequest(limit=LIMIT, not_after=NOW)
    for worker, wishes in [
        (stores.rates, [RateRequest(limit=LIMIT)] * 10),
        (stores.rates, [RateRequest(limit=LIMIT)] * 10),
        (other, [RateRequest(limit=LIMIT)] * 10),
        (other, [RateRequest(limit=LIMIT)]),
        (other, [late] * 10),
    ]:
        with recorded(dynamodb) as calls:
            worker.take_turns(KEY, wishes, at=NOW)
        costs.append(dict(calls))

    assert costs == [{"UpdateItem": 1}, {"UpdateItem": 1}, {"UpdateItem": 2}, {"UpdateItem": 1}, {}]


def test_a_number_that_is_always_another_one_is_a_throttle(
    new_dynamo_stores: NewStores, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The messages come back: no worker spins."""
    stores = new_dynamo_stores()
    monkeypatch.setattr(stores.rates, "_take", lambda *_, **__: (False, 0))
    with pytest.raises(Throttled, match="fought over"):
        ask(stores.rates)
