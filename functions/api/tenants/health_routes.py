"""Route of the stage's health."""

from api.http.exchange import Exchange, Reply
from api.http.route import Scope, route
from api.tenants import health_answers
from api.tenants.health_views import health_view
from timegate.usecases.auditing.read_health import read_health


@route(
    "GET",
    "/v1/health",
    operation="getHealth",
    asks=Scope.ADMIN,
    weight=10,
    answer=health_answers.Health,
    success={200: "The stage's health now; `status` says how it is."},
)
def get(exchange: Exchange) -> Reply:
    """Read the health of the stage.

    Progress of planner and sweeper in every open shard, the auditor's last verdict, depth and age
    of the queues, alarms that are on; and each problem in words, with what to do about it. It costs
    three small reads for each open shard, a hundred in a request, and at most two calls of
    CloudWatch a minute.
    """
    services = exchange.services
    health = read_health(services.stage_ticks(), services.stage_metrics, now=exchange.now)
    return Reply(body=health_view(health))
