"""What the route table does not say of an operation: its answer, its headers, its refusals."""

from collections.abc import Mapping
from http import HTTPStatus
from types import MappingProxyType

from api.openapi.answers import (
    Job,
    JobPage,
    Run,
    RunPage,
)
from api.openapi.audit_answers import AUDIT_OPERATIONS
from api.openapi.dag_operations import DAG_OPERATIONS
from api.openapi.dag_run_operations import DAG_RUN_OPERATIONS
from api.openapi.dead_letter_operations import DEAD_LETTER_OPERATIONS
from api.openapi.described import Described
from api.openapi.edit_preview_answers import EditPreview
from api.openapi.forecast_answers import FORECAST_OPERATIONS
from api.openapi.ledger_answers import Explanation, LedgerPage
from api.openapi.long_work_operations import LONG_WORK_OPERATIONS
from api.openapi.notification_answers import NotificationList
from api.openapi.preview_answers import Preview
from api.openapi.restriction_operations import RESTRICTION_OPERATIONS
from api.openapi.run_operations import RUN_OPERATIONS
from api.openapi.simulation_answers import Simulation
from api.openapi.tenant_operations import TENANT_OPERATIONS
from api.openapi.validation_answers import JobValidation
from api.openapi.working_answers import WORKING_OPERATIONS

_REPLAYED = "The Idempotency-Key was used before with this body: the job as it is now."
_NOT_FOUND = HTTPStatus.NOT_FOUND
_CONFLICT = HTTPStatus.CONFLICT
_MISMATCH = HTTPStatus.PRECONDITION_FAILED


_CHANGE = Described(
    answer=Job,
    success={200: "The job as it is now."},
    refusals=(_NOT_FOUND, _CONFLICT, _MISMATCH),
    request_headers=("If-Match",),
    answer_headers=("ETag",),
)

OPERATIONS: Mapping[str, Described] = MappingProxyType(
    {
        "createJob": Described(
            answer=Job,
            success={201: "The new job.", 200: _REPLAYED},
            refusals=(_CONFLICT,),
            request_headers=("Idempotency-Key",),
            answer_headers=("ETag", "Location", "Idempotency-Replayed"),
        ),
        "validateNewJob": Described(
            answer=JobValidation, success={200: "What is wrong with it; nothing is stored."}
        ),
        "listJobs": Described(answer=JobPage, success={200: "A page of the tenant's jobs."}),
        "getJob": Described(
            answer=Job,
            success={200: "The job, with its payload whatever its size."},
            refusals=(_NOT_FOUND,),
            answer_headers=("ETag",),
        ),
        "updateJob": _CHANGE,
        "previewJob": Described(
            answer=EditPreview,
            success={200: "What the changes would do; nothing is stored."},
            refusals=(_NOT_FOUND, _CONFLICT, _MISMATCH),
            request_headers=("If-Match",),
            answer_headers=("ETag",),
        ),
        "cancelJob": _CHANGE,
        "pauseJob": _CHANGE,
        "resumeJob": _CHANGE,
        "triggerJob": Described(
            answer=Run,
            success={202: "The run that was begun."},
            refusals=(_NOT_FOUND, _CONFLICT),
            answer_headers=("Location",),
        ),
        "listRuns": Described(
            answer=RunPage, success={200: "A page of the job's runs."}, refusals=(_NOT_FOUND,)
        ),
        "readLedger": Described(
            answer=LedgerPage,
            success={200: "A page of the range, earliest instant first."},
            refusals=(_NOT_FOUND,),
        ),
        "explainInstant": Described(
            answer=Explanation,
            success={200: "What became of the instant, or is to become of it."},
            refusals=(_NOT_FOUND,),
        ),
        "getRun": Described(
            answer=Run, success={200: "The run with every attempt."}, refusals=(_NOT_FOUND,)
        ),
        "listNotifications": Described(
            answer=NotificationList,
            success={200: "What was told of the run, and whether it arrived."},
            refusals=(_NOT_FOUND,),
        ),
        "cancelRun": Described(
            answer=Run,
            success={200: "The run, cancelled or about to be."},
            refusals=(_NOT_FOUND, _CONFLICT),
        ),
        "previewSchedule": Described(answer=Preview, success={200: "The next fires."}),
        "simulate": Described(
            answer=Simulation, success={200: "What would become of every instant of the range."}
        ),
        **RESTRICTION_OPERATIONS,
        **LONG_WORK_OPERATIONS,
        **WORKING_OPERATIONS,
        **DEAD_LETTER_OPERATIONS,
        **RUN_OPERATIONS,
        **DAG_OPERATIONS,
        **DAG_RUN_OPERATIONS,
        **TENANT_OPERATIONS,
        **AUDIT_OPERATIONS,
        **FORECAST_OPERATIONS,
    }
)

REQUEST_HEADERS = MappingProxyType(
    {
        "Idempotency-Key": (
            "The same key with the same body gives the same job, DAG or operation while it exists.",
            r"^[\x21-\x7e]{1,255}$",
        ),
        "If-Match": (
            "The ETag of the version to change, or *; any other version is refused with 412.",
            r'^(\*|(W/)?"[0-9]{1,9}")$',
        ),
        "If-None-Match": ("*: create it; if it exists, it is refused with 412.", r"^\*$"),
    }
)
#: What 429 carries, unless the gateway says it.
RATE_HEADERS = ("Retry-After", "RateLimit-Policy", "RateLimit")
ANSWER_HEADERS = MappingProxyType(
    {
        "ETag": "The version of what is shown, quoted.",
        "Location": "Path of what was created.",
        "Idempotency-Replayed": "true on a replay; absent otherwise.",
        "X-Request-Id": "Finds the request in the logs.",
        "Retry-After": "Seconds to wait before the same request makes sense.",
        "RateLimit-Policy": "How many requests the tenant may make in how many seconds.",
        "RateLimit": "How many are left, and in how many seconds there are more.",
    }
)
