"""Routes of the stage as a whole."""

from api.http.exchange import Exchange, Reply
from api.http.route import Scope, route
from api.tenants import stage_answers
from api.tenants.stage_views import stage_view


@route(
    "GET",
    "/v1/stage/overview",
    operation="getStageOverview",
    asks=Scope.ADMIN,
    answer=stage_answers.StageOverview,
    success={200: "The stage as it is now."},
)
def get(exchange: Exchange) -> Reply:
    """Read the stage at a glance.

    The last hour of each lane: lateness, ends, and the depth and age of its queue; and the alarms
    that are on. It costs at most two calls of CloudWatch a minute.
    """
    return Reply(body=stage_view(exchange.services.stage_metrics.read(now=exchange.now)))
