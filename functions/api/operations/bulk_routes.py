"""The route that creates many jobs."""

import json
from http import HTTPStatus
from typing import Any

from api.http.body import read_body
from api.http.exchange import Exchange, Reply
from api.http.headers import idempotency_key
from api.http.key_references import with_ids
from api.http.problems import problem_of
from api.http.refusals import RequestRefused
from api.http.route import route
from api.jobs.job_views import job_view
from api.operations import operation_answers
from api.operations.bulk_views import item_error, placed
from api.values.views import View
from timegate.contracts.operations.operation import JobList, KeyedJob, NewJobs
from timegate.domain.values.errors import TimegateError
from timegate.domain.values.identity import JobId
from timegate.domain.values.plaintext import refuse_plaintext
from timegate.usecases.execution.target_refusals import tell_refused_fields
from timegate.usecases.jobs.create_job import Created, CreateJobRequest
from timegate.usecases.jobs.create_jobs import Asked, create_jobs

Result = Created | RequestRefused | TimegateError


@route(
    "POST",
    "/v1/jobs/bulk",
    operation="createJobs",
    weight=5,
    body=NewJobs,
    answer=operation_answers.BulkCreation,
    success={207: "What became of each job."},
    request_headers=("Idempotency-Key",),
)
def create(exchange: Exchange) -> Reply:
    """Create many jobs.

    Up to a hundred, each by itself: one that is refused stops no other.
    """
    key = idempotency_key(exchange)
    # Each job is looked at by itself: one that is refused keeps no other from being created.
    items = exchange.body(checked=False, references=False).parse(JobList).jobs
    keys: dict[str, JobId | None] = {}
    read = [_read(item, index, key, keys, exchange) for index, item in enumerate(items)]
    asked = [each for each in read if isinstance(each, Asked)]
    made = iter(create_jobs(asked, exchange.services, now=exchange.now))
    views = [
        _view(index, next(made) if isinstance(each, Asked) else each, exchange)
        for index, each in enumerate(read)
    ]
    counts = {
        "created": sum(view["status"] == HTTPStatus.CREATED for view in views),
        "replayed": sum(view["status"] == HTTPStatus.OK for view in views),
        "failed": sum(view["error"] is not None for view in views),
    }
    return Reply(body={"items": views, **counts}, status=HTTPStatus.MULTI_STATUS)


def _read(
    item: Any,  # noqa: ANN401 - any JSON
    index: int,
    key: str | None,
    keys: dict[str, JobId | None],
    exchange: Exchange,
) -> Asked | RequestRefused | TimegateError:
    """Read one job, or return its refusal: as for a request for this job alone."""
    try:
        refuse_plaintext(item)
        sent = read_body(json.dumps(item))
        named = with_ids(sent.value, exchange.job_named, keys, keeps_unknown=True)
        asked = sent.with_value(named).parse(KeyedJob)
        alone = read_body(json.dumps(_without_key(item)))
        definition = asked.to_domain(alone.payload)
    except (RequestRefused, TimegateError) as error:
        return error
    # No header holds a line break: no caller's key is that of an item.
    derived = f"{key}\n{index}" if key is not None else None
    request = CreateJobRequest(
        tenant=exchange.tenant,
        hash=alone.fingerprint,
        idempotency_key=asked.idempotency_key or derived,
    )
    return Asked(request=request, definition=definition)


def _without_key(item: dict[str, Any]) -> dict[str, Any]:
    """The job as a request for it alone would say it, so that both are the same request."""
    return {name: value for name, value in item.items() if name != "idempotency_key"}


def _view(index: int, result: Result, exchange: Exchange) -> View:
    if isinstance(result, Created):
        status = HTTPStatus.OK if result.replayed else HTTPStatus.CREATED
        return _item(index, status, job=job_view(result.job, now=exchange.now))
    problem = placed(f"jobs.{index}", problem_of(result))
    tell_refused_fields(exchange.tenant, problem.errors, exchange.services.telemetry)
    return _item(index, problem.status, error=item_error(problem))


def _item(
    index: int, status: HTTPStatus, *, job: View | None = None, error: View | None = None
) -> View:
    return {"index": index, "status": int(status), "job": job, "error": error}
