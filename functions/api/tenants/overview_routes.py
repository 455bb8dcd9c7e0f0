"""Routes of a tenant at a glance, and of what waits for a decision."""

from api.http.exchange import Exchange, Reply
from api.http.route import route
from api.tenants import overview_answers
from api.tenants.overview_views import decisions_view, overview_view
from timegate.contracts.operations.decisions import DecisionsQuery
from timegate.usecases.operations.read_decisions import read_decisions
from timegate.usecases.tenants.read_overview import read_overview


@route(
    "GET",
    "/v1/overview",
    operation="getOverview",
    weight=5,
    answer=overview_answers.Overview,
    success={200: "The tenant as it is now."},
)
def get(exchange: Exchange) -> Reply:
    """Read a tenant at a glance.

    Failed runs of the last day, dead letters, jobs that failures paused, freezes, jobs by status,
    and the use of quotas. It costs at most 14 reads, whatever the tenant has.
    """
    services = exchange.services
    found = read_overview(exchange.tenant, services, now=exchange.now)
    return Reply(body=overview_view(found, services.tenants_at_hand.stage))


@route(
    "GET",
    "/v1/decisions",
    operation="listDecisions",
    weight=10,
    query=DecisionsQuery,
    answer=overview_answers.DecisionList,
    success={200: "What waits for a person, by kind and cause."},
)
def decisions(exchange: Exchange) -> Reply:
    """List what waits for a decision.

    Dead letters, runs that failed permanently, tasks of DAG runs that failed for good, and jobs
    that failures paused, grouped by cause. The latest 500 failed runs are read; a run that was
    settled, skipped or cancelled is left out. Approvals that wait are grouped by DAG and task.
    """
    since = exchange.query(DecisionsQuery).since(exchange.now)
    found = read_decisions(exchange.tenant, exchange.services, since=since, now=exchange.now)
    return Reply(body=decisions_view(found, since=since))
