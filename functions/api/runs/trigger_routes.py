"""The route that triggers a job."""

from http import HTTPStatus

from api.http.exchange import Exchange, Reply
from api.http.headers import caller_trace, idempotency_key, refuse_if_match
from api.http.route import Scope, route
from api.runs import run_answers
from api.runs.run_views import run_view
from timegate.contracts.jobs.triggers import TriggerRequest
from timegate.domain.execution.triggers import TriggerKey
from timegate.usecases.jobs.trigger_job import Triggering, trigger_job, triggered_job


@route(
    "POST",
    "/v1/jobs/<job_id>/trigger",
    operation="triggerJob",
    asks=Scope.OPERATE,
    body=TriggerRequest,
    body_is_optional=True,
    answer=run_answers.Run,
    success={
        202: "The run that was begun.",
        200: "The Idempotency-Key was used before with this body: the run as it is now.",
    },
    refusals=(404, 409),
    request_headers=("Idempotency-Key", "traceparent"),
    answer_headers=("Location", "Idempotency-Replayed"),
)
def trigger(exchange: Exchange) -> Reply:
    """Run a job, now or later, with data of its own.

    A run beside the schedule, under the job as it is. With an Idempotency-Key the same request is
    one run for seven days; without one each request is a run of its own. Where triggers collapse,
    the answer's collapse says which run stands for it. With a traceparent the run belongs to the
    caller's trace.
    """
    refuse_if_match(exchange)
    request = _trigger_request(exchange)
    triggered = trigger_job(request, exchange.services, now=exchange.now)
    view = run_view(triggered.attempts)
    headers = {"Location": f"/v1/runs/{triggered.attempts[-1].id.run}"}
    reply = Reply(body=view, status=HTTPStatus.ACCEPTED, headers=headers)
    return reply.unless(replayed=triggered.replayed)


def _trigger_request(exchange: Exchange) -> Triggering:
    body = exchange.optional_body()
    trigger = body.parse(TriggerRequest).to_domain(body.payload)
    key = idempotency_key(exchange)
    tenant, trace = exchange.tenant, caller_trace(exchange)
    if key is None:
        return Triggering(tenant=tenant, job_id=exchange.job_id, trigger=trigger, trace=trace)
    job_id, known = triggered_job(
        tenant,
        exchange.path["job_id"],
        lambda job_id: TriggerKey.of(tenant, job_id, key, request_hash=body.fingerprint),
        exchange.services,
        now=exchange.now,
    )
    return Triggering(tenant=tenant, job_id=job_id, trigger=trigger, key=known, trace=trace)
