"""``DeadLetterStore``: found by key while they wait, settled by one write."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

import pytest

from tests.support.factories import (
    JOB_ID,
    OTHER_TENANT,
    TENANT,
    after,
    attempt_factory,
    job_id,
    running,
    timing_factory,
)
from tests.support.operations.burying import dead_factory, resolution_factory
from tests.support.stores.contract_stores import Stores, race
from timegate.adapters.page_cursor import write_cursor
from timegate.domain.operations.dead_letter import DeadLetterFilter
from timegate.domain.planning.reopen import reopened
from timegate.domain.runs.conclusion import end
from timegate.domain.runs.resolution import Settled
from timegate.domain.runs.run import Attempt, Reason, RunError, RunState
from timegate.domain.values.errors import InvalidInput
from timegate.domain.values.identity import OperationId
from timegate.domain.values.payload import Payload
from timegate.domain.values.tenant import TenantId

OTHER = job_id("other")
REFUSED = RunError(code="http_400", type="HttpStatus", message="no")
ALL = DeadLetterFilter()


def listed(
    stores: Stores,
    wanted: DeadLetterFilter = ALL,
    *,
    tenant: TenantId = TENANT,
    limit: int = 50,
) -> list[Attempt]:
    """Every dead letter that matches, page by page."""
    found: list[Attempt] = []
    cursor = None
    while True:
        page = stores.dead_letters.list_dead_letters(tenant, wanted, limit=limit, cursor=cursor)
        found += page.rows
        cursor = page.cursor
        if cursor is None:
            return found


def add_all(stores: Stores, attempts: Sequence[Attempt]) -> list[Attempt]:
    """Store them; returns them."""
    return [stores.add(each) for each in attempts]


def opening(dead: Attempt) -> Attempt:
    """The attempt with which its run goes on."""
    return reopened(dead, timing_factory(), now=after(10))


def settled(dead: Attempt, **fields: object) -> Attempt:
    """Return the dead letter after a redrive."""
    fields = {"settled": Settled.REDRIVEN, "at": after(10)} | fields
    return replace(dead, resolution=resolution_factory(**fields))


def test_the_write_that_ends_a_run_makes_it_a_dead_letter(stores: Stores) -> None:
    """The worker's end and the sweeper's end of an abandoned run both make one."""
    failed = stores.add(running())
    lost = stores.add(running(attempt_factory(id=dead_factory(1).id)))
    ends = [
        end(each, RunState.DEAD_LETTERED, now=after(number), reason=reason)
        for number, (each, reason) in enumerate(
            [(failed, Reason.RETRIES_EXHAUSTED), (lost, Reason.POISON_MESSAGE)]
        )
    ]
    before = listed(stores)
    stores.runs.finish_all(ends[:1])
    stores.runs.replace(lost, ends[1])

    assert before == []
    assert listed(stores) == [stores.stored(lost), stores.stored(failed)]


@pytest.mark.parametrize(
    "state", [RunState.SUCCEEDED, RunState.FAILED, RunState.TIMED_OUT, RunState.CANCELLED], ids=str
)
def test_no_other_end_is_one(stores: Stores, state: RunState) -> None:
    """A run that failed permanently waits for no decision."""
    held = stores.add(running())
    stores.runs.finish_all([end(held, state, now=after(1))])

    assert listed(stores) == []


def test_they_are_listed_newest_first_page_by_page(stores: Stores) -> None:
    """By when they were given up, whatever their instants; nothing is shown twice or left out."""
    attempts = add_all(stores, [dead_factory(number) for number in range(7)])

    assert listed(stores, limit=3) == attempts[::-1]
    assert listed(stores, limit=7) == attempts[::-1]
    assert listed(stores, limit=1) == attempts[::-1]


@pytest.mark.parametrize(
    ("wanted", "expected"),
    [
        (DeadLetterFilter(), [4, 3, 2, 1, 0]),
        (DeadLetterFilter(job_id=OTHER), [3, 1]),
        (DeadLetterFilter(reason=Reason.KILLS_WORKERS), [4]),
        (DeadLetterFilter(error_code="http_400"), [3, 2]),
        (DeadLetterFilter(job_id=OTHER, error_code="http_400"), [3]),
        (DeadLetterFilter(reason=Reason.RETRIES_EXHAUSTED, error_code="http_503"), [1, 0]),
        (DeadLetterFilter(start=after(1), end=after(3)), [3, 2, 1]),
        (DeadLetterFilter(start=after(1.001), end=after(2.999)), [2]),
        (DeadLetterFilter(start=after(5)), []),
        (DeadLetterFilter(start=after(3), end=after(1)), []),
        (DeadLetterFilter(error_code="http_40"), []),
    ],
    ids=str,
)
def test_they_are_found_by_what_they_have_in_common(
    stores: Stores, wanted: DeadLetterFilter, expected: list[int]
) -> None:
    """Each criterion, several together, and a range whose ends belong to it; in pages as well."""
    attempts = add_all(
        stores,
        [
            dead_factory(0),
            dead_factory(1, job=OTHER),
            dead_factory(2, error=REFUSED),
            dead_factory(3, job=OTHER, error=REFUSED),
            dead_factory(4, reason=Reason.KILLS_WORKERS, error=None),
        ],
    )
    found = [attempts[number] for number in expected]

    assert listed(stores, wanted) == found
    assert listed(stores, wanted, limit=1) == found


def test_a_tenant_sees_its_own(stores: Stores) -> None:
    """Also where another one's job has the same id (S1)."""
    stores.add(dead_factory())
    theirs = stores.add(dead_factory(tenant=OTHER_TENANT))

    assert listed(stores, tenant=OTHER_TENANT) == [theirs]
    assert listed(stores, DeadLetterFilter(job_id=JOB_ID), tenant=OTHER_TENANT) == [theirs]


def test_a_cursor_outlives_the_dead_letter_it_stands_at(stores: Stores) -> None:
    """It is a place, not a record."""
    attempts = add_all(stores, [dead_factory(number) for number in range(4)])
    first = stores.dead_letters.list_dead_letters(TENANT, ALL, limit=2, cursor=None)
    for each in first.rows:
        stores.dead_letters.settle(each, settled(each), opened=None)
    second = stores.dead_letters.list_dead_letters(TENANT, ALL, limit=2, cursor=first.cursor)

    assert second.rows == (attempts[1], attempts[0])


@pytest.mark.parametrize("cursor", ["", "x", write_cursor("jobs#acme", "20261121")])
def test_a_cursor_of_nothing_is_refused(stores: Stores, cursor: str) -> None:
    """Also that of another listing."""
    with pytest.raises(InvalidInput):
        stores.dead_letters.list_dead_letters(TENANT, ALL, limit=2, cursor=cursor)


def test_a_cursor_is_good_for_its_own_criteria(stores: Stores) -> None:
    """Elsewhere it would leave out what it never showed."""
    add_all(stores, [dead_factory(number) for number in range(2)])
    page = stores.dead_letters.list_dead_letters(TENANT, ALL, limit=1, cursor=None)

    with pytest.raises(InvalidInput):
        stores.dead_letters.list_dead_letters(
            TENANT, DeadLetterFilter(job_id=JOB_ID), limit=1, cursor=page.cursor
        )


def test_a_redrive_settles_it_and_opens_its_run(stores: Stores) -> None:
    """Every field of both is kept."""
    dead = stores.add(dead_factory())
    after_ = settled(
        dead,
        note="typo in the address",
        operation=OperationId(JOB_ID),
        job_version=4,
        payload_corrected=True,
    )
    opened = replace(opening(dead), payload=Payload(inline='{"a":1}', size_bytes=7))

    assert stores.dead_letters.settle(dead, after_, opened=opened)
    assert stores.runs.attempts(TENANT, dead.id.run) == (after_, opened)
    assert listed(stores) == []


@pytest.mark.parametrize(
    "payload",
    [Payload(), Payload(inline="null", size_bytes=4), Payload(blob="payloads/a", size_bytes=9)],
    ids=["none", "inline", "by reference"],
)
def test_a_corrected_payload_is_read_back(stores: Stores, payload: Payload) -> None:
    """One that says that there is none is not the same as no correction."""
    corrected = stores.add(attempt_factory(payload=payload))

    assert stores.stored(corrected).payload == payload


def test_a_discard_settles_it_and_nothing_else(stores: Stores) -> None:
    """Its run has ended as it did."""
    dead = stores.add(dead_factory())
    after_ = settled(dead, settled=Settled.DISCARDED)

    assert stores.dead_letters.settle(dead, after_, opened=None)
    assert stores.runs.attempts(TENANT, dead.id.run) == (after_,)
    assert listed(stores) == []


def test_it_is_settled_once(stores: Stores) -> None:
    """A second decision changes nothing, whatever it is."""
    dead = stores.add(dead_factory())
    stores.dead_letters.settle(dead, settled(dead, by="first"), opened=None)
    before = stores.runs.attempts(TENANT, dead.id.run)

    assert not stores.dead_letters.settle(dead, settled(dead, by="second"), opened=opening(dead))
    assert not stores.dead_letters.settle(dead, settled(dead, by="third"), opened=None)
    assert stores.runs.attempts(TENANT, dead.id.run) == before


def test_of_many_at_once_one_settles_it(stores: Stores) -> None:
    """And its run has one attempt more."""
    dead = stores.add(dead_factory())

    def contender(name: str) -> bool:
        return stores.dead_letters.settle(dead, settled(dead, by=name), opened=opening(dead))

    won = race(*(partial(contender, str(number)) for number in range(8)))
    attempts = stores.runs.attempts(TENANT, dead.id.run)

    assert (won.count(True), len(attempts)) == (1, 2)
    assert attempts[0].resolution is not None
    assert attempts[0].resolution.by == str(won.index(True))


@pytest.mark.parametrize("opens", [True, False], ids=["redrive", "discard"])
def test_a_write_whose_answer_was_lost_is_still_ours(stores: Stores, *, opens: bool) -> None:
    """The client repeats the call by itself and meets its own record."""
    dead = stores.add(dead_factory())
    opened = opening(dead) if opens else None
    stores.dead_letters.settle(dead, settled(dead), opened=opened)

    assert stores.dead_letters.settle(dead, settled(dead), opened=opened)
    assert len(stores.runs.attempts(TENANT, dead.id.run)) == 1 + opens


def test_it_is_not_settled_where_its_run_goes_on_already(stores: Stores) -> None:
    """Neither write is made without the other."""
    dead = stores.add(dead_factory())
    stores.add(opening(dead))

    assert not stores.dead_letters.settle(dead, settled(dead), opened=opening(dead))
    assert listed(stores) == [dead]


def test_what_dies_again_is_a_new_dead_letter(stores: Stores) -> None:
    """The old one stays settled."""
    dead = stores.add(dead_factory())
    opened = opening(dead)
    stores.dead_letters.settle(dead, settled(dead), opened=opened)
    held = running(opened)
    stores.runs.replace(opened, held)
    stores.runs.finish_all(
        [end(held, RunState.DEAD_LETTERED, now=after(20), reason=Reason.KILLS_WORKERS)]
    )

    assert listed(stores) == [stores.stored(held)]
    assert [each.id.number for each in listed(stores)] == [2]
