"""Indexes of a tenant's runs: failures by their ends, and listed runs by their instants."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pytest

from tests.support.factories import OTHER_TENANT, TENANT, after, attempt_factory, attempt_id, job_id
from tests.support.operations.burying import dead_factory
from tests.support.stores.contract_stores import Stores
from timegate.adapters.dynamo.runs.items.index_items import (
    FAILURE_PARTS,
    LISTED_PARTS,
    failure_fields,
    listed_fields,
)
from timegate.adapters.page_cursor import write_cursor
from timegate.domain.runs.run import Attempt, Reason, RunState
from timegate.domain.values.errors import InvalidInput
from timegate.domain.values.identity import AttemptId
from timegate.domain.values.instant_range import EVER, InstantRange
from timegate.domain.values.tenant import TenantId


def failed(seconds: float, **fields: object) -> Attempt:
    """A run of its own that failed so many seconds after ``NOW``."""
    ended = {"state": RunState.FAILED, "reason": Reason.PERMANENT, "watch_at": None}
    return dead_factory(seconds, **{**ended, **fields})


def due(seconds: float, **fields: object) -> Attempt:
    """A run of its own, of an instant so many seconds after ``NOW``, whose job lists it."""
    own = {
        "id": attempt_id(job=job_id(f"job {seconds}"), scheduled_at=after(seconds)),
        "listed": True,
    }
    return attempt_factory(due_at=after(seconds), **{**own, **fields})


def ids(attempts: Sequence[Attempt]) -> list[AttemptId]:
    """Their ids, the latest first."""
    return [each.id for each in reversed(attempts)]


@dataclass(frozen=True, kw_only=True)
class Index:
    """An index of runs, in partitions."""

    make: Callable[..., Attempt]
    read: Callable[[Stores], Callable[..., Any]]
    parts: int
    #: Attributes that an item has for it, and the one that names the partition.
    fields: Callable[[Attempt], Mapping[str, object]]
    part: str

    def listed(
        self,
        stores: Stores,
        within: InstantRange = EVER,
        *,
        tenant: TenantId = TENANT,
        limit: int = 50,
    ) -> list[AttemptId]:
        """Every attempt within, page by page."""
        found: list[AttemptId] = []
        cursor = None
        while True:
            page = self.read(stores)(tenant, within=within, limit=limit, cursor=cursor)
            assert len(page.rows) <= limit
            assert {each.tenant for each in page.rows} <= {tenant}
            found += [each.id for each in page.rows]
            cursor = page.cursor
            if cursor is None:
                return found


FAILURES = Index(
    make=failed,
    read=lambda stores: stores.failures.list_failures,
    parts=FAILURE_PARTS,
    fields=failure_fields,
    part="failure_part",
)
LISTED = Index(
    make=due,
    read=lambda stores: stores.listed_runs.list_listed,
    parts=LISTED_PARTS,
    fields=listed_fields,
    part="listed_part",
)


@pytest.fixture(params=[FAILURES, LISTED], ids=["failures", "listed"])
def index(request: pytest.FixtureRequest) -> Index:
    """Each of them."""
    found: Index = request.param
    return found


@pytest.mark.parametrize("more", [-1, 0, 1])
def test_they_are_listed_latest_first_across_all_partitions(
    stores: Stores, index: Index, more: int
) -> None:
    """In pages of any size; no run is shown twice or left out."""
    # Enough runs for each partition to have some.
    many = 8 * index.parts
    attempts = [stores.add(index.make(number)) for number in range(many)]

    assert len({index.fields(each)[index.part] for each in attempts}) == index.parts
    for limit in (1 + abs(more), many + more):
        assert index.listed(stores, limit=limit) == ids(attempts)


@pytest.mark.parametrize(
    ("within", "expected"),
    [
        (InstantRange(start=after(1), end=after(3)), [3, 2, 1]),
        (InstantRange(start=after(1.001), end=after(2.999)), [2]),
        (InstantRange(start=after(5), end=None), []),
        (InstantRange(start=None, end=after(0)), [0]),
    ],
    ids=str,
)
def test_a_range_includes_both_bounds(
    stores: Stores, index: Index, within: InstantRange, expected: list[int]
) -> None:
    """Indexes of ends and of instants include both, in pages as well."""
    attempts = [stores.add(index.make(number)) for number in range(5)]
    found = [attempts[number].id for number in expected]

    assert index.listed(stores, within) == found
    assert index.listed(stores, within, limit=1) == found


def test_a_tenant_sees_its_own(stores: Stores, index: Index) -> None:
    """Also where another one's job has the same id, or its name begins alike (S1)."""
    mine = stores.add(index.make(1))
    theirs = stores.add(index.make(1, tenant=OTHER_TENANT))
    stores.add(index.make(2, tenant=TenantId(f"{TENANT}x")))

    assert index.listed(stores) == [mine.id]
    assert index.listed(stores, tenant=OTHER_TENANT) == [theirs.id]


@pytest.mark.parametrize("cursor", ["", "x", write_cursor("jobs#acme", "20261121")])
def test_a_cursor_of_nothing_is_refused(stores: Stores, index: Index, cursor: str) -> None:
    """Also that of another listing."""
    with pytest.raises(InvalidInput):
        index.read(stores)(TENANT, within=EVER, limit=2, cursor=cursor)
