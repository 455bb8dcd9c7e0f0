"""``RunStore``: windows of triggers; one transaction decides each race."""

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from tests.contract.conftest import NewStores
from tests.contract.tenants.test_audit_trail import STAMP
from tests.support.factories import JOB_ID, NOW, OTHER_TENANT, TENANT, after, attempt_factory
from tests.support.factories import job_id as other_job
from tests.support.stores.contract_stores import Stores
from tests.support.stores.recorder import recorded
from timegate.domain.execution.triggers import TriggerKey, mark_of
from timegate.domain.limits.collapse import CollapseKey, CollapseWindow
from timegate.domain.runs.conclusion import end
from timegate.domain.runs.run import Attempt, Reason, RunState
from timegate.domain.values.identity import AttemptId, Origin, RunId
from timegate.ports.runs.claims import CollapseWrite
from timegate.usecases.runs.read_window import mark_within

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

KEY = CollapseKey.of(TENANT, JOB_ID, "customer 1")
#: The end of a run's id.
MARK = "a" * 14


def run(number: int, seconds: float = 0) -> Attempt:
    """A run that waits, of a trigger."""
    about = f"{MARK}{'abcdefgh'[number // 8]}{'abcdefgh'[number % 8]}"
    name = RunId(job_id=JOB_ID, origin=Origin.TRIGGER, scheduled_at=after(seconds), about=about)
    return attempt_factory(id=AttemptId(run=name, number=1), created_at=NOW)


def window(attempt: Attempt, *, number: int = 1, triggers: int = 1) -> CollapseWindow:
    """A window that the run stands for."""
    return CollapseWindow(key=KEY, number=number, run=attempt.id.run, since=NOW, triggers=triggers)


def opening(attempt: Attempt, *, number: int = 1) -> CollapseWrite:
    """A trigger that opens a window."""
    return CollapseWrite(window=window(attempt, number=number), read=None, attempt=attempt)


def taking(attempt: Attempt, before: Attempt) -> CollapseWrite:
    """A trigger that takes the place of a run that waits."""
    read = window(before)
    ended = end(before, RunState.SKIPPED, now=after(1), reason=Reason.COLLAPSED)
    return CollapseWrite(
        window=replace(read, run=attempt.id.run, triggers=read.triggers + 1),
        read=read,
        attempt=attempt,
        replaced=(before, replace(ended, collapse=mark_of(read, into=attempt.id.run))),
    )


def joined(attempt: Attempt, read: CollapseWindow) -> Attempt:
    """A run that ends at once, for that of the window stands for it."""
    ended = end(attempt, RunState.SKIPPED, now=after(1), reason=Reason.COLLAPSED)
    return replace(ended, collapse=mark_of(read, into=read.run))


def joining(attempt: Attempt, read: CollapseWindow) -> CollapseWrite:
    """A trigger that joins a window."""
    after_it = replace(read, triggers=read.triggers + 1)
    return CollapseWrite(window=after_it, read=read, attempt=joined(attempt, read))


def latest(stores: Stores) -> CollapseWindow | None:
    """The last window of the key."""
    return stores.runs.window(TENANT, JOB_ID, KEY)


def test_a_window_is_read_back(stores: Stores) -> None:
    """By its key, and by what a run of it says."""
    first = run(0)

    assert latest(stores) is None
    assert stores.runs.collapse(opening(first))
    assert latest(stores) == window(first)
    assert stores.runs.window_of(TENANT, JOB_ID, mark_of(window(first))) == window(first)
    assert stores.stored(first) == first


def test_a_window_is_of_one_job(stores: Stores) -> None:
    """Neither another key's, nor another job's or tenant's."""
    stores.runs.collapse(opening(run(0)))

    assert stores.runs.window(TENANT, JOB_ID, CollapseKey.of(TENANT, JOB_ID, None)) is None
    assert stores.runs.window(TENANT, other_job("other"), KEY) is None
    assert stores.runs.window(OTHER_TENANT, JOB_ID, KEY) is None


def test_one_of_two_triggers_opens_a_window(stores: Stores) -> None:
    """The other one writes nothing."""
    first, second = run(0), run(1)

    assert stores.runs.collapse(opening(first))
    assert not stores.runs.collapse(opening(second))
    assert latest(stores) == window(first)
    assert not stores.exists(second)


def test_the_last_window_is_found_among_many(stores: Stores) -> None:
    """They sort by number."""
    for number in range(1, 12):
        assert stores.runs.collapse(opening(run(number), number=number))

    found = latest(stores)
    assert found is not None
    assert found.number == 11


def test_a_trigger_takes_the_place_of_a_run_that_waits(stores: Stores) -> None:
    """That one ends, and says what stands for it; the window counts both."""
    first, second = run(0), run(1)
    stores.runs.collapse(opening(first))
    taken = taking(second, first)

    assert stores.runs.collapse(taken)
    assert taken.replaced is not None
    assert stores.stored(first) == taken.replaced[1]
    assert stores.stored(second) == second
    assert latest(stores) == window(second, triggers=2)


def test_one_of_two_triggers_takes_the_place(stores: Stores) -> None:
    """The other one finds that the window has another run, and writes nothing."""
    first, second, third = run(0), run(1), run(2)
    stores.runs.collapse(opening(first))
    stores.runs.collapse(taking(second, first))

    assert not stores.runs.collapse(taking(third, first))
    assert not stores.exists(third)
    assert latest(stores) == window(second, triggers=2)


def test_a_claimed_run_is_not_replaced(stores: Stores) -> None:
    """The claim wins: the trigger, the window and the run stay as they were."""
    first, second = run(0), run(1)
    stores.runs.collapse(opening(first))
    claimed = replace(first, state=RunState.RUNNING, fence=1)
    assert stores.runs.replace(first, claimed)

    assert not stores.runs.collapse(taking(second, first))
    assert stores.stored(first) == claimed
    assert not stores.exists(second)
    assert latest(stores) == window(first)


def test_a_run_that_was_replaced_is_not_claimed(stores: Stores) -> None:
    """The trigger wins: a worker that read the run before writes nothing."""
    first, second = run(0), run(1)
    stores.runs.collapse(opening(first))
    stores.runs.collapse(taking(second, first))

    assert not stores.runs.replace(first, replace(first, state=RunState.RUNNING, fence=1))


def test_a_trigger_joins_a_window_that_moved_on(stores: Stores) -> None:
    """Its count grows, whatever run it has by now."""
    first, second, third = run(0), run(1), run(2)
    stores.runs.collapse(opening(first))
    stores.runs.collapse(taking(second, first))

    assert stores.runs.collapse(joining(third, window(first)))
    assert latest(stores) == window(second, triggers=3)
    assert stores.stored(third) == joined(third, window(first))


@pytest.mark.parametrize("count", [1, 49, 50, 101])
def test_many_join_a_window_each_once(stores: Stores, count: int) -> None:
    """One that exists keeps none of the others from being stored, and is not counted."""
    first = run(0)
    stores.runs.collapse(opening(first))
    ended = [joined(numbered(number), window(first)) for number in range(count)]
    stores.add(ended[count // 2])
    expected = [number != count // 2 for number in range(count)]

    assert stores.runs.join(window(first), ended) == expected
    assert stores.runs.join(window(first), ended) == [False] * count
    assert latest(stores) == window(first, triggers=count)
    assert all(stores.exists(each) for each in ended)


def test_a_key_is_stored_with_its_trigger(stores: Stores) -> None:
    """A key that names a run refuses the whole."""
    key = TriggerKey.of(TENANT, JOB_ID, "one", request_hash="hash")
    first, second = run(0), run(1)

    assert stores.runs.collapse(replace(opening(first), key=key))
    assert not stores.runs.collapse(replace(taking(second, first), key=key))
    assert not stores.exists(second)
    assert latest(stores) == window(first)


def test_a_window_that_was_forgotten_is_not_begun_by_who_joins(stores: Stores) -> None:
    """The trigger looks again, and opens the next."""
    assert not stores.runs.collapse(joining(run(1), window(run(0))))
    assert stores.runs.window_of(TENANT, JOB_ID, mark_of(window(run(0)))) is None


def test_a_mark_follows_its_own_window_only() -> None:
    """A number is given anew once windows were forgotten."""
    first, second = run(0), run(1)
    mark = mark_of(window(first))

    assert mark_within(mark, None, first.id.run) == mark
    assert mark_within(mark, replace(window(second), since=after(1)), first.id.run) == mark
    assert mark_within(mark, window(second, triggers=5), first.id.run) == replace(
        mark, into=second.id.run, triggers=5
    )


def test_each_trigger_is_one_transaction(
    new_dynamo_stores: NewStores, dynamodb: "DynamoDBClient"
) -> None:
    """With its entries of the audit trail, and however many join: 49 at once."""
    stores = new_dynamo_stores()
    first, second = run(0), run(1)
    ended = [joined(numbered(number), window(second)) for number in range(98)]
    with stores.trail.on_behalf_of(STAMP), recorded(dynamodb) as made:
        stores.runs.collapse(opening(first))
        stores.runs.collapse(taking(second, first))
        stores.runs.join(window(second), ended)

    assert made == {"TransactWriteItems": 4}


def numbered(number: int) -> Attempt:
    """A run of one of many triggers."""
    return run(63, seconds=1 + number)
