"""``JobStore``: searches for jobs by name, which read the index and the jobs that are found."""

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from tests.contract.conftest import NewStores
from tests.support.factories import NOW, OTHER_TENANT, TENANT, after, job_id
from tests.support.stores.contract_stores import Stores
from tests.support.stores.recorder import recorded
from timegate.adapters.dynamo.jobs import job_listing
from timegate.domain.jobs.job_filter import is_named

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

NAMES = ("nightly", "nightly report", "Nightly", "night", "a nightly", "nightly*", "report")
PER_QUERY = 3


@pytest.fixture(autouse=True)
def _short_queries(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(job_listing, "NAMES_PER_QUERY", PER_QUERY)


def found(stores: Stores, pattern: str, *, limit: int) -> list[str]:
    """Names on every page of a search, one after the other."""
    names: list[str] = []
    cursor: str | None = None
    while True:
        page = stores.jobs.list_jobs(TENANT, limit=limit, cursor=cursor, name=pattern)
        assert len(page.rows) <= limit
        names += [job.name for job in page.rows]
        cursor = page.cursor
        if cursor is None:
            return names


@pytest.mark.parametrize("limit", [1, 2, 100])
@pytest.mark.parametrize("pattern", ["nightly*", "nightly", "night*", "nightly**", "no such*", "*"])
def test_a_search_finds_what_the_filter_names(stores: Stores, pattern: str, limit: int) -> None:
    """Newest first, each once, whatever the size of a page and of a look at the index."""
    names = [*NAMES, *NAMES]
    for number, name in enumerate(names):
        stores.add_job(job_id=job_id(str(number)), name=name, created_at=after(number))
    stores.add_job(tenant=OTHER_TENANT, name="nightly")

    assert found(stores, pattern, limit=limit) == [
        name for name in reversed(names) if is_named(name, pattern)
    ]


def test_a_renamed_job_is_found_by_its_new_name(stores: Stores) -> None:
    """And by its old name no longer."""
    job = stores.add_job(name="before")
    timing = replace(job.timing, version=2)
    stores.jobs.update(job, replace(job, name="after", timing=timing, updated_at=NOW))

    assert found(stores, "after", limit=5) == ["after"]
    assert found(stores, "before", limit=5) == []


def test_a_search_by_name_reads_no_other_job(
    dynamodb: "DynamoDBClient", new_dynamo_stores: NewStores
) -> None:
    """A look at the index for each so many jobs, and one read of those that are found."""
    stores = new_dynamo_stores(shards=1)
    for number in range(2 * PER_QUERY - 2):
        stores.add_job(job_id=job_id(str(number)), created_at=after(number))
    wanted = stores.add_job(job_id=job_id("wanted"), name="nightly report")
    with recorded(dynamodb) as calls:
        first = stores.jobs.list_jobs(TENANT, limit=50, cursor=None, name="nightly*")
        second = stores.jobs.list_jobs(TENANT, limit=50, cursor=first.cursor, name="nightly*")

    assert (first.rows + second.rows, second.cursor) == ((wanted,), None)
    assert calls == {"Query": 2, "BatchGetItem": 1}
