"""Routes that ask about a job, and store nothing."""

from api.http.exchange import Exchange, Reply
from api.http.headers import etag, job_ref
from api.http.route import Scope, route
from api.jobs import job_answers
from api.previews import preview_answers
from api.previews.preview_views import edit_preview_view
from api.previews.validation_views import validated_job_view
from timegate.contracts.jobs.job import JobPatch, NewJob
from timegate.contracts.previews.previews import EditPreviewQuery
from timegate.usecases.execution.target_refusals import tell_refused_fields
from timegate.usecases.jobs.validate_job import validate_job
from timegate.usecases.previews.preview_edit import AskedPreview, preview_edit


@route(
    "POST",
    "/v1/jobs/validate",
    operation="validateNewJob",
    asks=Scope.READ,
    body=NewJob,
    answer=job_answers.JobValidation,
    success={200: "What is wrong with it; nothing is stored."},
)
def validate(exchange: Exchange) -> Reply:
    """Say what is wrong with a job that is not stored, and what it would be.

    The problems are those of createJob, and every default is filled in; nothing is stored and no
    quota is used.
    """
    body = exchange.body(keeps_unknown=True)
    definition = body.parse(NewJob).to_domain(body.payload)
    found = validate_job(exchange.tenant, definition, exchange.services, now=exchange.now)
    tell_refused_fields(exchange.tenant, found.problems, exchange.services.telemetry)
    return Reply(body=validated_job_view(found, body.payload))


@route(
    "POST",
    "/v1/jobs/<job_id>/preview",
    operation="previewJob",
    asks=Scope.READ,
    weight=20,
    body=JobPatch,
    body_is_optional=True,
    query=EditPreviewQuery,
    answer=preview_answers.EditPreview,
    success={200: "What the changes would do; nothing is stored."},
    refusals=(404, 409, 412),
    request_headers=("If-Match",),
    answer_headers=("ETag",),
)
def preview(exchange: Exchange) -> Reply:
    """Preview changes to a job.

    The instants that the job would gain, lose and move if updateJob were asked for the same
    changes, which are refused likewise. Nothing is stored.
    """
    query = exchange.query(EditPreviewQuery)
    body = exchange.optional_body()
    asked = AskedPreview(
        changes=body.parse(JobPatch).to_domain(body.payload),
        length=query.length,
        as_resumed=query.resumed,
        filled=query.filled,
    )
    found = preview_edit(job_ref(exchange), asked, exchange.services, now=exchange.now)
    return Reply(
        body=edit_preview_view(found, limit=query.limit), headers={"ETag": etag(found.version)}
    )
