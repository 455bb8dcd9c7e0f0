"""The route that triggers a job many times."""

import json
from http import HTTPStatus

from api.http.body import read_body
from api.http.exchange import Exchange, Reply
from api.http.headers import caller_trace, idempotency_key, refuse_if_match
from api.http.problems import problem_of
from api.http.refusals import RequestRefused
from api.http.route import Scope, route
from api.operations import operation_answers
from api.operations.bulk_views import item_error, placed
from api.values.views import View
from timegate.contracts.jobs.triggers import TriggerList, TriggerMany, TriggerRequest
from timegate.domain.execution.triggers import Trigger, TriggerKey
from timegate.domain.values.errors import TimegateError
from timegate.domain.values.identity import JobId
from timegate.domain.values.plaintext import refuse_plaintext
from timegate.usecases.execution.target_refusals import tell_refused_fields
from timegate.usecases.jobs.trigger_job import triggered_job
from timegate.usecases.jobs.trigger_many import InBatch, TriggerBatch, trigger_many

#: So many triggers count as one request more.
TRIGGERS_FOR_ONE = 4


@route(
    "POST",
    "/v1/jobs/<job_id>/trigger/batch",
    operation="triggerMany",
    asks=Scope.OPERATE,
    weight=5,
    body=TriggerMany,
    answer=operation_answers.TriggeredMany,
    success={207: "What became of each trigger."},
    refusals=(404, 409),
    request_headers=("Idempotency-Key", "traceparent"),
)
def trigger_batch(exchange: Exchange) -> Reply:
    """Run a job many times, each with data of its own.

    Up to 1,000 triggers, each decided by itself: one that is refused stops no other. With an
    Idempotency-Key the same request is the same runs for seven days; those that are missing are
    created. Each four triggers count as one request more. With a traceparent all runs belong to the
    caller's trace.
    """
    refuse_if_match(exchange)
    key = idempotency_key(exchange)
    body = exchange.body(checked=False)
    read = [_read(item) for item in body.parse(TriggerList).triggers]
    services, tenant = exchange.services, exchange.tenant
    quotas = services.tenants_at_hand.quotas(tenant, now=exchange.now)
    count = len(read) // TRIGGERS_FOR_ONE
    services.request_rates.admit(tenant, quotas, now=exchange.now, count=count)
    job_id, known = _of_key(exchange, key, body.fingerprint)
    batch = TriggerBatch(
        tenant=tenant,
        job_id=job_id,
        triggers=[(n, each) for n, each in enumerate(read) if isinstance(each, Trigger)],
        key=known,
        trace=caller_trace(exchange),
    )
    made = iter(trigger_many(batch, services, now=exchange.now))
    results = [next(made) if isinstance(each, Trigger) else each for each in read]
    return _reply([_view(index, each, exchange) for index, each in enumerate(results)])


def _of_key(
    exchange: Exchange, key: str | None, fingerprint: str
) -> tuple[JobId, TriggerKey | None]:
    """Return the job of a batch, and the key by which it is known when it comes again."""
    if key is None:
        return exchange.job_id, None
    # No header holds a line break: no single trigger has this key.
    batch_key = f"batch\n{key}"
    return triggered_job(
        exchange.tenant,
        exchange.path["job_id"],
        lambda job_id: TriggerKey.of(exchange.tenant, job_id, batch_key, request_hash=fingerprint),
        exchange.services,
        now=exchange.now,
    )


def _reply(views: list[View]) -> Reply:
    counts = {
        "triggered": sum(view["status"] == HTTPStatus.ACCEPTED for view in views),
        "replayed": sum(view["status"] == HTTPStatus.OK for view in views),
        "failed": sum(view["error"] is not None for view in views),
    }
    return Reply(body={"items": views, **counts}, status=HTTPStatus.MULTI_STATUS)


def _read(item: object) -> Trigger | RequestRefused | TimegateError:
    """Read one trigger, or return its refusal: as for a request for this one alone."""
    try:
        refuse_plaintext(item)
        alone = read_body(json.dumps(item))
        return alone.parse(TriggerRequest).to_domain(alone.payload)
    except (RequestRefused, TimegateError) as error:
        return error


def _view(index: int, result: InBatch | RequestRefused | TimegateError, exchange: Exchange) -> View:
    if isinstance(result, InBatch):
        status = HTTPStatus.OK if result.replayed else HTTPStatus.ACCEPTED
        into = None if result.into is None else str(result.into)
        place = {"index": index, "status": int(status), "run_id": str(result.run)}
        return {**place, "collapsed_into": into, "error": None}
    problem = placed(f"triggers.{index}", problem_of(result))
    tell_refused_fields(exchange.tenant, problem.errors, exchange.services.telemetry)
    error = item_error(problem)
    place = {"index": index, "status": int(problem.status), "run_id": None}
    return {**place, "collapsed_into": None, "error": error}
