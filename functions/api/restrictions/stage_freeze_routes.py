"""Routes under ``/v1/stage/freezes``: every tenant is held back at once."""

from functools import partial

from api.http.exchange import Exchange, Reply
from api.http.route import Scope, route
from api.restrictions import restriction_answers
from api.restrictions.freeze_routes import created, listed
from api.restrictions.restriction_views import stage_freeze_view
from timegate.contracts.restrictions import FreezesQuery, NewStageFreeze
from timegate.domain.restrictions.freeze import parse_freeze_id
from timegate.domain.values.tenant import ADMINISTRATION
from timegate.usecases.restrictions.lift_freeze import lift_freeze


@route(
    "POST",
    "/v1/stage/freezes",
    operation="createStageFreeze",
    asks=Scope.ADMIN,
    body=NewStageFreeze,
    answer=restriction_answers.StageFreeze,
    success={
        201: "The new freeze.",
        200: "The same freeze was there already, or the Idempotency-Key was used with this body.",
    },
    refusals=(409,),
    request_headers=("Idempotency-Key",),
    answer_headers=("Location", "Idempotency-Replayed"),
)
def create(exchange: Exchange) -> Reply:
    """Freeze all tenants.

    Nothing of any tenant starts meanwhile, but jobs with the spared tag and those of spared
    tenants. Pauses, freezes and suspensions of tenants stay as they are. When it ends, what passed
    is settled as asked.
    """
    sent = exchange.body()
    asked = sent.parse(NewStageFreeze).to_domain(now=exchange.now)
    return created(
        exchange, sent, asked, "/v1/stage/freezes", partial(stage_freeze_view, now=exchange.now)
    )


@route(
    "GET",
    "/v1/stage/freezes",
    operation="listStageFreezes",
    asks=Scope.ADMIN,
    query=FreezesQuery,
    answer=restriction_answers.StageFreezePage,
    success={200: "A page of freezes of the whole stage."},
)
def list_page(exchange: Exchange) -> Reply:
    """List freezes of all tenants.

    The last to start first, those that ended among them. A tenant's own are not.
    """
    return listed(exchange, ADMINISTRATION, partial(stage_freeze_view, now=exchange.now))


@route(
    "GET",
    "/v1/stage/freezes/<freeze_id>",
    operation="getStageFreeze",
    asks=Scope.ADMIN,
    answer=restriction_answers.StageFreeze,
    success={200: "The freeze."},
    refusals=(404,),
)
def get(exchange: Exchange) -> Reply:
    """Read a freeze of all tenants.

    One that ended stays on record.
    """
    freeze_id = parse_freeze_id(exchange.path["freeze_id"])
    freeze = exchange.services.restrictions.get_freeze(ADMINISTRATION, freeze_id)
    return Reply(body=stage_freeze_view(freeze, now=exchange.now))


@route(
    "DELETE",
    "/v1/stage/freezes/<freeze_id>",
    operation="liftStageFreeze",
    asks=Scope.ADMIN,
    answer=restriction_answers.StageFreeze,
    success={200: "The freeze, ended; one that had ended is as it was."},
    refusals=(404,),
)
def lift(exchange: Exchange) -> Reply:
    """End a freeze of all tenants now.

    Runs that it held back may start; lifting it again changes nothing.
    """
    freeze_id = parse_freeze_id(exchange.path["freeze_id"])
    freeze = lift_freeze(ADMINISTRATION, freeze_id, exchange.services, now=exchange.now)
    return Reply(body=stage_freeze_view(freeze, now=exchange.now))
