"""Routes of costs: a tenant's own, and for the administration each tenant's."""

from functools import partial

from api.http.exchange import Exchange, Reply
from api.http.route import Scope, route
from api.metering import cost_answers
from api.metering.cost_views import report_view, stage_view
from timegate.contracts.tenants.costs import CostQuery, StageCostQuery
from timegate.domain.metering.tally import month_of
from timegate.usecases.metering.read_costs import read_stage_costs, read_tenant_cost

_cost = partial(
    route,
    query=CostQuery,
    weight=10,
    answer=cost_answers.CostReport,
    success={200: "The costs of the month, and its dearest jobs."},
    refusals=(404,),
)


@_cost("GET", "/v1/cost", operation="getCost")
@_cost(
    "GET",
    "/v1/tenants/<tenant>/cost",
    operation="getTenantCost",
    asks=Scope.ADMIN,
    description="As getCost answers the tenant itself; for those who administer the stage.",
)
def read(exchange: Exchange) -> Reply:
    """Read the costs of a tenant's runs in a month.

    Counted from the records of attempts that ended, times list prices. Counts are an hour to three
    days late. Requests that start no run, and ticks of the stage, are not among them.
    """
    query, services = exchange.query(CostQuery), exchange.services
    tenant = exchange.tenant
    job_id = None if query.job_id is None else services.job_named(tenant, query.job_id)
    report = read_tenant_cost(
        tenant,
        query.month or month_of(exchange.now),
        services.meter(),
        limit=query.limit,
        job_id=job_id,
    )
    return Reply(body=report_view(report))


@route(
    "GET",
    "/v1/stage/cost",
    operation="getStageCost",
    asks=Scope.ADMIN,
    query=StageCostQuery,
    answer=cost_answers.StageCost,
    success={200: "A page of tenants with their costs, by name."},
)
def read_stage(exchange: Exchange) -> Reply:
    """Read the costs of each tenant's runs in a month.

    Tenants without a run that ended are not among them. Their sum is what runs cost the stage;
    ticks, alarms and other standing costs are beside it.
    """
    query = exchange.query(StageCostQuery)
    month = query.month or month_of(exchange.now)
    found = read_stage_costs(month, exchange.services.meter(), **query.paging)
    return Reply(body=stage_view(query.leading_on(found.tenants), month, found.metered_until))
