"""How much of its quotas a tenant uses, as the tallies say."""

from typing import TYPE_CHECKING

from timegate.adapters.dynamo.tally import Tally
from timegate.domain.quota_usage import Quota, Usage
from timegate.domain.tenant import TenantId

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient


class DynamoUsageStore:
    """Reads what the stores of jobs and DAGs count."""

    def __init__(self, client: "DynamoDBClient", *, table: str) -> None:
        self._jobs = Tally(client, table=table, quota=Quota.JOBS)
        self._dags = Tally(client, table=table, quota=Quota.DAGS)

    def usage(self, tenant: TenantId) -> Usage:
        """What the tenant uses now, strongly consistent; raises ``Throttled``."""
        return Usage(jobs=self._jobs.used(tenant), dags=self._dags.used(tenant))
