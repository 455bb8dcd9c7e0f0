"""Routes under ``/v1/jobs``."""

from collections.abc import Sequence
from http import HTTPStatus

from api.contracts.catch_up import ResumeRequest
from api.contracts.jobs import JobPatch, NewJob
from api.contracts.previews import EditPreviewQuery
from api.contracts.queries import JobsQuery
from api.edit_preview_views import edit_preview_view
from api.exchange import Exchange, Reply
from api.headers import etag, idempotency_key, job_ref, refuse_conditions
from api.validation_views import validated_job_view
from api.views import job_page_view, job_view, run_view
from timegate.domain.jobs.job import Job
from timegate.domain.previews.advice import JobAdvice, advise
from timegate.usecases.execution.target_refusals import tell_refused_fields
from timegate.usecases.jobs.advise_job import advise_job
from timegate.usecases.jobs.cancel_job import cancel_job
from timegate.usecases.jobs.create_job import Request, create_job
from timegate.usecases.jobs.pause_job import pause_job
from timegate.usecases.jobs.read_jobs import list_jobs, read_job
from timegate.usecases.jobs.resume_job import resume_job
from timegate.usecases.jobs.trigger_job import trigger_job
from timegate.usecases.jobs.update_job import update_job
from timegate.usecases.jobs.validate_job import validate_job
from timegate.usecases.previews.preview_edit import AskedPreview, preview_edit


def create(exchange: Exchange) -> Reply:
    """Create a job."""
    body = exchange.body()
    definition = body.parse(NewJob).to_domain(body.payload)
    request = Request(
        tenant=exchange.tenant,
        hash=body.fingerprint,
        idempotency_key=idempotency_key(exchange),
    )
    created = create_job(request, definition, exchange.services, now=exchange.now)
    # Nothing has run yet: no history is read.
    reply = _reply(created.job, advice=advise(created.job, now=exchange.now))
    headers = {**reply.headers, "Location": f"/v1/jobs/{created.job.job_id}"}
    if created.replayed:
        headers["Idempotency-Replayed"] = "true"
        return Reply(body=reply.body, headers=headers)
    return Reply(body=reply.body, headers=headers, status=HTTPStatus.CREATED)


def validate(exchange: Exchange) -> Reply:
    """Say what is wrong with a job that is not stored, and what it would be."""
    body = exchange.body()
    definition = body.parse(NewJob).to_domain(body.payload)
    found = validate_job(exchange.tenant, definition, exchange.services, now=exchange.now)
    tell_refused_fields(exchange.tenant, found.problems, exchange.services.telemetry)
    return Reply(body=validated_job_view(found, body.payload))


def list_page(exchange: Exchange) -> Reply:
    """List jobs."""
    query = exchange.query(JobsQuery, repeatable=frozenset({"tag"}))
    page = list_jobs(
        exchange.tenant,
        query.to_filter(),
        exchange.services,
        limit=query.limit,
        cursor=query.position,
    )
    return Reply(body=job_page_view(query.leading_on(page)))


def get(exchange: Exchange) -> Reply:
    """Read a job with its payload."""
    found = read_job(exchange.tenant, exchange.job_id, exchange.services)
    advice = advise_job(found.job, exchange.services, now=exchange.now)
    return _reply(found.job, found.payload, advice)


def update(exchange: Exchange) -> Reply:
    """Change fields of a job."""
    body = exchange.body()
    changes = body.parse(JobPatch).to_domain(body.payload)
    job = update_job(job_ref(exchange), changes, exchange.services, now=exchange.now)
    return _reply(job, advice=advise_job(job, exchange.services, now=exchange.now))


def preview(exchange: Exchange) -> Reply:
    """Preview changes to a job."""
    query = exchange.query(EditPreviewQuery)
    body = exchange.body() if exchange.has_body else None
    patch = body.parse(JobPatch) if body is not None else JobPatch()
    asked = AskedPreview(
        changes=patch.to_domain(body.payload if body is not None else None),
        length=query.length,
        as_resumed=query.resumed,
    )
    found = preview_edit(job_ref(exchange), asked, exchange.services, now=exchange.now)
    return Reply(
        body=edit_preview_view(found, limit=query.limit), headers={"ETag": etag(found.version)}
    )


def cancel(exchange: Exchange) -> Reply:
    """Cancel a job."""
    return _changed(cancel_job(job_ref(exchange), exchange.services, now=exchange.now), exchange)


def pause(exchange: Exchange) -> Reply:
    """Pause a job."""
    return _changed(pause_job(job_ref(exchange), exchange.services, now=exchange.now), exchange)


def resume(exchange: Exchange) -> Reply:
    """Resume a job."""
    asked = exchange.body().parse(ResumeRequest) if exchange.has_body else ResumeRequest()
    catch_up, now = asked.catch_up, exchange.now
    job = resume_job(job_ref(exchange), exchange.services, now=now, catch_up=catch_up)
    return _changed(job, exchange)


def trigger(exchange: Exchange) -> Reply:
    """Run a job now."""
    refuse_conditions(exchange)
    attempt = trigger_job(exchange.tenant, exchange.job_id, exchange.services, now=exchange.now)
    location = {"Location": f"/v1/runs/{attempt.id.run}"}
    return Reply(body=run_view([attempt]), status=HTTPStatus.ACCEPTED, headers=location)


def _changed(job: Job, exchange: Exchange) -> Reply:
    """A job whose definition is what it was: it alone is looked at."""
    return _reply(job, advice=advise(job, now=exchange.now))


def _reply(job: Job, payload: str | None = None, advice: Sequence[JobAdvice] = ()) -> Reply:
    body = job_view(job, payload, advice)
    return Reply(body=body, headers={"ETag": etag(job.timing.version)})
