"""Routes under ``/v1/stage/freezes``: every tenant is held back at once."""

from dataclasses import replace
from http import HTTPStatus

from api.http.exchange import Exchange, Reply
from api.http.headers import idempotency_key
from api.http.route import Scope, route
from api.restrictions import restriction_answers
from api.restrictions.restriction_views import stage_freeze_view
from api.values.views import page_view
from timegate.contracts.restrictions import FreezesQuery, NewStageFreeze
from timegate.domain.restrictions.freeze import Freeze, parse_freeze_id
from timegate.domain.values.identity import asked_as
from timegate.domain.values.tenant import ADMINISTRATION
from timegate.usecases.restrictions.create_freeze import create_freeze
from timegate.usecases.restrictions.lift_freeze import lift_freeze
from timegate.usecases.restrictions.read_freezes import list_freezes, read_freeze


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
    asked = replace(
        sent.parse(NewStageFreeze).to_domain(now=exchange.now),
        asked_as=asked_as(ADMINISTRATION, idempotency_key(exchange)),
        request_hash=sent.fingerprint,
    )
    freeze = create_freeze(asked, exchange.services, now=exchange.now)
    headers = {"Location": f"/v1/stage/freezes/{freeze.freeze_id}"}
    body = stage_freeze_view(freeze, now=exchange.now)
    made = Reply(body=body, headers=headers, status=HTTPStatus.CREATED)
    return made.unless(replayed=freeze.created_at != exchange.now)


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
    query = exchange.query(FreezesQuery)
    page = list_freezes(
        ADMINISTRATION,
        exchange.services,
        unended_at=exchange.now if query.unended else None,
        limit=query.limit,
        cursor=query.position,
    )
    return Reply(body=page_view(query.leading_on(page), lambda each: _view(each, exchange)))


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
    return Reply(body=_view(read_freeze(ADMINISTRATION, freeze_id, exchange.services), exchange))


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
    return Reply(body=_view(freeze, exchange))


def _view(freeze: Freeze, exchange: Exchange) -> dict[str, object]:
    return stage_freeze_view(freeze, now=exchange.now)
