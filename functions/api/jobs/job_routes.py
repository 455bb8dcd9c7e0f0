"""Routes under ``/v1/jobs``."""

from collections.abc import Sequence
from functools import partial
from http import HTTPStatus

from api.http.exchange import Exchange, Reply
from api.http.headers import etag, idempotency_key, job_ref
from api.http.route import Scope, route
from api.jobs import job_answers
from api.jobs.job_views import job_page_view, job_view
from api.values.proven import keep_rate
from timegate.contracts.jobs.catch_up import PauseRequest, ResumeRequest
from timegate.contracts.jobs.job import JobPatch, NewJob
from timegate.contracts.values.queries import JobsQuery
from timegate.domain.jobs.job import Job
from timegate.domain.previews.advice import JobAdvice, advise
from timegate.usecases.jobs.advise_job import advise_job
from timegate.usecases.jobs.cancel_job import cancel_job
from timegate.usecases.jobs.create_job import CreateJobRequest, create_job
from timegate.usecases.jobs.pause_job import pause_job
from timegate.usecases.jobs.read_jobs import list_jobs, read_job
from timegate.usecases.jobs.resume_job import resume_job
from timegate.usecases.jobs.update_job import update_job
from timegate.usecases.runs.failing_jobs import list_failing_jobs

#: Requests that a listing by the last outcome counts as.
FAILING_WEIGHT = 10

_change = partial(
    route,
    answer=job_answers.Job,
    success={200: "The job as it is now."},
    refusals=(404, 409, 412),
    request_headers=("If-Match",),
    answer_headers=("ETag",),
)


@route(
    "POST",
    "/v1/jobs",
    operation="createJob",
    body=NewJob,
    answer=job_answers.Job,
    success={
        201: "The new job.",
        200: "The Idempotency-Key was used before with this body: the job as it is now.",
    },
    refusals=(409,),
    request_headers=("Idempotency-Key",),
    answer_headers=("ETag", "Location", "Idempotency-Replayed"),
)
def create(exchange: Exchange) -> Reply:
    """Create a job.

    Its first instant is planned at once. With an Idempotency-Key the same request gives the same
    job for as long as it exists.
    """
    body = exchange.body(keeps_unknown=True)
    definition = body.parse(NewJob).to_domain(body.payload)
    request = CreateJobRequest(
        tenant=exchange.tenant,
        hash=body.fingerprint,
        idempotency_key=idempotency_key(exchange),
    )
    created = create_job(request, definition, exchange.services, now=exchange.now)
    # Nothing has run yet: no history is read.
    reply = _changed(created.job, exchange)
    headers = {**reply.headers, "Location": f"/v1/jobs/{created.job.job_id}"}
    made = Reply(body=reply.body, headers=headers, status=HTTPStatus.CREATED)
    return made.unless(replayed=created.replayed)


@route(
    "GET",
    "/v1/jobs",
    operation="listJobs",
    query=JobsQuery,
    answer=job_answers.JobPage,
    success={200: "A page of the tenant's jobs."},
)
def list_page(exchange: Exchange) -> Reply:
    """List jobs.

    Newest first. A filter may make a page short, or empty, and not the last. Jobs whose last run
    failed are found by the index of failures, the latest failure first.
    """
    query = exchange.query(JobsQuery)
    wanted, services, paging = query.to_filter(), exchange.services, query.paging
    if query.last_outcome is None:
        page = list_jobs(exchange.tenant, wanted, services, **paging)
    else:
        # One request is counted by then; each job that it finds is a query.
        keep_rate(exchange, exchange.tenant, weight=FAILING_WEIGHT - 1)
        page = list_failing_jobs(exchange.tenant, wanted, services, now=exchange.now, **paging)
    return Reply(body=job_page_view(query.leading_on(page), now=exchange.now))


@route(
    "GET",
    "/v1/jobs/<job_id>",
    operation="getJob",
    answer=job_answers.Job,
    success={200: "The job, with its payload whatever its size."},
    refusals=(404,),
    answer_headers=("ETag",),
)
def get(exchange: Exchange) -> Reply:
    """Read a job with its payload.

    Strongly consistent; the only answer with a payload beyond 1 KB. One that is lost is null, and
    advice says so.
    """
    found = read_job(exchange.tenant, exchange.job_id, exchange.services)
    job, services = found.job, exchange.services
    advice = advise_job(job, services, now=exchange.now, payload_lost=found.is_lost)
    return _reply(job, exchange, found.payload, advice)


@_change("PATCH", "/v1/jobs/<job_id>", operation="updateJob", body=JobPatch)
def update(exchange: Exchange) -> Reply:
    """Change fields of a job.

    Each field that is given is replaced as a whole, and makes a new version. Runs stored for the
    old version never execute under it.
    """
    body = exchange.body()
    changes = body.parse(JobPatch).to_domain(body.payload)
    job = update_job(job_ref(exchange), changes, exchange.services, now=exchange.now)
    advice = advise_job(job, exchange.services, now=exchange.now)
    return _reply(job, exchange, advice=advice)


@_change("DELETE", "/v1/jobs/<job_id>", operation="cancelJob")
def cancel(exchange: Exchange) -> Reply:
    """Cancel a job.

    It stays readable and never runs again; runs that have begun go on.
    """
    return _changed(cancel_job(job_ref(exchange), exchange.services, now=exchange.now), exchange)


@_change(
    "POST",
    "/v1/jobs/<job_id>/pause",
    operation="pauseJob",
    asks=Scope.OPERATE,
    body=PauseRequest,
    body_is_optional=True,
)
def pause(exchange: Exchange) -> Reply:
    """Pause a job.

    Nothing of it starts until it is resumed; runs that have begun go on. A reason is shown until
    then.
    """
    asked = exchange.optional_body().parse(PauseRequest)
    ref, now = job_ref(exchange), exchange.now
    return _changed(pause_job(ref, exchange.services, now=now, reason=asked.reason), exchange)


@_change(
    "POST",
    "/v1/jobs/<job_id>/resume",
    operation="resumeJob",
    asks=Scope.OPERATE,
    body=ResumeRequest,
    body_is_optional=True,
)
def resume(exchange: Exchange) -> Reply:
    """Resume a job.

    It goes on from now; with catch_up, what passed is settled as its policy says.
    """
    asked = exchange.optional_body().parse(ResumeRequest)
    catch_up, now = asked.catch_up, exchange.now
    job = resume_job(job_ref(exchange), exchange.services, now=now, catch_up=catch_up)
    return _changed(job, exchange)


def _changed(job: Job, exchange: Exchange) -> Reply:
    """A job whose definition is what it was: it alone is looked at."""
    return _reply(job, exchange, advice=advise(job, now=exchange.now))


def _reply(
    job: Job, exchange: Exchange, payload: str | None = None, advice: Sequence[JobAdvice] = ()
) -> Reply:
    body = job_view(job, payload, advice, now=exchange.now)
    return Reply(body=body, headers={"ETag": etag(job.timing.version)})
