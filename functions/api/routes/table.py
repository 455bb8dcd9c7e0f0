"""Every route of version 1: what is served, described and documented comes from here."""

from api.contracts.catch_up import ResumeRequest
from api.contracts.jobs import JobPatch, NewJob
from api.contracts.ledger import InstantQuery, LedgerQuery
from api.contracts.listings import RunsQuery
from api.contracts.previews import EditPreviewQuery, PreviewRequest
from api.contracts.queries import JobsQuery
from api.contracts.simulations import ScenarioContract
from api.routes import jobs, ledger, runs, schedules, simulations
from api.routes.audit import AUDIT
from api.routes.callbacks import CALLBACKS
from api.routes.dag_routes import DAGS
from api.routes.dag_run_routes import DAG_RUNS
from api.routes.dead_letter_routes import DEAD_LETTERS
from api.routes.forecast_routes import FORECASTS
from api.routes.long_work import LONG_WORK
from api.routes.restrictions import RESTRICTIONS
from api.routes.route import Route
from api.routes.run_routes import RUN_RECORDS
from api.routes.scope import Scope
from api.routes.tenant_routes import TENANTS
from api.routes.working import WORKING

ROUTES = (
    Route(method="POST", path="/v1/jobs", serve=jobs.create, operation="createJob", body=NewJob),
    Route(
        method="GET",
        path="/v1/jobs",
        serve=jobs.list_page,
        operation="listJobs",
        query=JobsQuery,
    ),
    # Before what has an id in its place.
    Route(
        method="POST",
        path="/v1/jobs/validate",
        serve=jobs.validate,
        operation="validateNewJob",
        body=NewJob,
        asks=Scope.READ,
    ),
    Route(method="GET", path="/v1/jobs/<job_id>", serve=jobs.get, operation="getJob"),
    Route(
        method="PATCH",
        path="/v1/jobs/<job_id>",
        serve=jobs.update,
        operation="updateJob",
        body=JobPatch,
    ),
    Route(
        method="POST",
        path="/v1/jobs/<job_id>/preview",
        serve=jobs.preview,
        operation="previewJob",
        weight=20,
        body=JobPatch,
        body_is_optional=True,
        query=EditPreviewQuery,
        asks=Scope.READ,
    ),
    Route(method="DELETE", path="/v1/jobs/<job_id>", serve=jobs.cancel, operation="cancelJob"),
    Route(
        method="POST",
        path="/v1/jobs/<job_id>/pause",
        serve=jobs.pause,
        operation="pauseJob",
        asks=Scope.OPERATE,
    ),
    Route(
        method="POST",
        path="/v1/jobs/<job_id>/resume",
        serve=jobs.resume,
        operation="resumeJob",
        body=ResumeRequest,
        body_is_optional=True,
        asks=Scope.OPERATE,
    ),
    Route(
        method="POST",
        path="/v1/jobs/<job_id>/trigger",
        serve=jobs.trigger,
        operation="triggerJob",
        asks=Scope.OPERATE,
    ),
    Route(
        method="GET",
        path="/v1/jobs/<job_id>/runs",
        serve=runs.list_page,
        operation="listRuns",
        query=RunsQuery,
    ),
    Route(
        method="GET",
        path="/v1/jobs/<job_id>/ledger",
        serve=ledger.list_page,
        operation="readLedger",
        weight=2,
        query=LedgerQuery,
    ),
    Route(
        method="GET",
        path="/v1/jobs/<job_id>/explain",
        serve=ledger.explain,
        operation="explainInstant",
        query=InstantQuery,
    ),
    Route(method="GET", path="/v1/runs/<run_id>", serve=runs.get, operation="getRun"),
    Route(
        method="GET",
        path="/v1/runs/<run_id>/notifications",
        serve=runs.notifications,
        operation="listNotifications",
    ),
    Route(
        method="POST",
        path="/v1/runs/<run_id>/cancel",
        serve=runs.cancel,
        operation="cancelRun",
        asks=Scope.OPERATE,
    ),
    Route(
        method="POST",
        path="/v1/schedules/preview",
        serve=schedules.preview,
        operation="previewSchedule",
        weight=4,
        body=PreviewRequest,
        asks=Scope.READ,
    ),
    Route(
        method="POST",
        path="/v1/simulate",
        serve=simulations.run,
        operation="simulate",
        weight=40,
        body=ScenarioContract,
        asks=Scope.READ,
    ),
    *RESTRICTIONS,
    *LONG_WORK,
    *WORKING,
    *CALLBACKS,
    *DEAD_LETTERS,
    *RUN_RECORDS,
    *DAGS,
    *DAG_RUNS,
    *TENANTS,
    *AUDIT,
    *FORECASTS,
)
