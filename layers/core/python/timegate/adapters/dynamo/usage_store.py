"""How much of its quotas a tenant uses: as the tallies say, and as a recount does."""

from collections.abc import Iterator
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING

from timegate.adapters.dynamo.dag_items import listing_key
from timegate.adapters.dynamo.single_writes import side_by_side
from timegate.adapters.dynamo.tally import Tally
from timegate.adapters.dynamo.throttles import throttles_translated
from timegate.adapters.dynamo.values import Item
from timegate.domain.dag.definition import DagStatus
from timegate.domain.job import JobStatus
from timegate.domain.quota_usage import Quota, Tallied, Usage, job_counts
from timegate.domain.tenant import TenantId

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

#: As DynamoDB has them, without their versions: whatever else a record says is no matter here.
_COUNTED = frozenset(status.value for status in JobStatus if job_counts(status))
_PAGE = 100


class DynamoUsageStore:
    """Reads what the stores of jobs and DAGs count, and what they count."""

    def __init__(self, client: "DynamoDBClient", *, table: str) -> None:
        self._client = client
        self._table = table
        self._tallies = {
            quota: Tally(client, table=table, quota=quota) for quota in (Quota.JOBS, Quota.DAGS)
        }

    def usage(self, tenant: TenantId) -> Usage:
        """What the tenant uses now, strongly consistent; raises ``Throttled``."""
        return Usage(
            jobs=self.tallied(tenant, Quota.JOBS).used, dags=self.tallied(tenant, Quota.DAGS).used
        )

    def tallied(self, tenant: TenantId, quota: Quota) -> Tallied:
        """What was counted of one quota, strongly consistent; raises ``Throttled``."""
        return self._tallies[quota].read(tenant)

    def correct(self, tenant: TenantId, quota: Quota, seen: Tallied, *, by: int) -> bool:
        """Count so many more, or fewer; ``False``: others were made since. Raises ``Throttled``."""
        return self._tallies[quota].correct(tenant, seen, by=by)

    def present(self, tenant: TenantId, quota: Quota, *, most: int) -> int | None:
        """How many are there; ``None`` for more than ``most`` records. Raises ``Throttled``."""
        is_job = quota is Quota.JOBS
        listing = str(tenant) if is_job else listing_key(tenant, DagStatus.ACTIVE)
        found = list(islice(self._listed(listing), most + 1))
        if len(found) > most:
            return None
        if not is_job:
            return len(found)
        return sum(side_by_side(partial(self._is_counted), found))

    def _listed(self, listing: str) -> Iterator[Item]:
        """The keys of everything in a list; of as few pages as are looked at."""
        pages = self._client.get_paginator("query").paginate(
            TableName=self._table,
            IndexName="by_tenant",
            KeyConditionExpression="tenant_key = :listing",
            ExpressionAttributeValues={":listing": {"S": listing}},
            ProjectionExpression="pk, sk",
            PaginationConfig={"PageSize": _PAGE},
        )
        with throttles_translated():
            for page in pages:
                yield from page["Items"]

    def _is_counted(self, key: Item) -> bool:
        """Its record as it is; what it is of a job says its status alone."""
        with throttles_translated():
            answer = self._client.get_item(
                TableName=self._table,
                Key=key,
                ProjectionExpression="#status",
                ExpressionAttributeNames={"#status": "status"},
                ConsistentRead=True,
            )
        return answer.get("Item", {}).get("status", {}).get("S") in _COUNTED
