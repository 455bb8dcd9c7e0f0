"""Queries of logs: figures by tenant and job are fields of events, and no metric's dimension."""

from collections.abc import Mapping, Sequence

from infra.stage.deployed_functions import deployed_functions
from infra.stage.settings import StageSettings

#: Attempts that ended alike in one write share a line: a record for each of them.
_ENDS = (
    'filter message = "run_ended"\n| fields jsonParse(@message) as line'
    "\n| unnest line.ends into attempt"
)
#: Beginnings of what Lambda prints in plain text: what a handler raises, a library's errors, a time
#: out, and the end of a process. Our own lines are JSON and events: none has another level.
_ERRORS = (
    r"^(\[(ERROR|CRITICAL)\]|\d{4}-\S+Z \S+ Task timed out after |RequestId: \S+ Error: "
    r"|(INIT_)?REPORT .*Status: (error|timeout))"
)
#: An attempt's id begins with its job's, of 26 characters.
_JOB = "fields substr(attempt.attempt_id, 0, 26) as job"
#: Compute, storage and queues of an ordinary run: ``docs/design/cost.md``.
USD_PER_RUN = 0.00001

#: For operators, by what they ask.
OPERATORS: Mapping[str, str] = {
    "errors": f"fields @timestamp, @log, @message\n| filter @message like /{_ERRORS}/"
    "\n| sort @timestamp desc\n| limit 100",
    # An attempt's id begins with its run's.
    "one-run": "fields @timestamp, @log, message, state, reason, fence, @message"
    '\n| filter @message like "PASTE-A-RUN-ID"\n| sort @timestamp asc\n| limit 200',
    "one-trace": "fields @timestamp, @log, message, dag_run_id, state, reason, @message"
    '\n| filter @message like "PASTE-A-TRACE-ID"\n| sort @timestamp asc\n| limit 500',
    "one-tenant": "fields @timestamp, @log, message, state, reason, @message"
    """\n| filter @message like '"tenant_id":"PASTE-A-TENANT"'"""
    "\n| sort @timestamp desc\n| limit 200",
    "busiest-tenants": f"{_ENDS}\n| stats count(*) as attempts by attempt.tenant_id"
    "\n| sort attempts desc\n| limit 20",
    "audit-verdicts": 'filter message = "audit_finding" or message = "quota_drifted"'
    "\n| stats count(*) as findings by message, code, tenant_id\n| sort findings desc\n| limit 50",
    "retry-funnel": f"{_ENDS}"
    "\n| stats count(*) as attempts by number, state\n| sort number asc\n| limit 100",
    "late-and-never-started": 'filter message = "run_refused" or reason = "late"'
    "\n| stats count(*) as runs by tenant_id, reason\n| sort runs desc\n| limit 50",
    "rescued-runs": 'filter message = "run_swept"'
    "\n| stats count(*) as runs by verdict, tenant_id\n| sort runs desc\n| limit 50",
    "unpublished-runs": 'filter message = "run_publish_refused"'
    "\n| stats count(*) as runs by queue, bin(5m)\n| limit 100",
}
#: By tenant and job.
BUSINESS: Mapping[str, str] = {
    "outcomes-by-tenant": f"{_ENDS}"
    '\n| stats count(*) as attempts, sum(state = "succeeded") as succeeded,'
    ' sum(state = "failed") as failed, sum(state = "timed_out") as timed_out,'
    ' sum(state = "dead_lettered") as given_up by attempt.tenant_id'
    "\n| sort attempts desc\n| limit 50",
    "outcomes-over-time": f"{_ENDS}\n| stats count(*) as attempts by state, bin(15m)",
    "top-jobs": f"{_ENDS}\n| {_JOB}\n| stats count(*) as attempts by attempt.tenant_id, job"
    "\n| sort attempts desc\n| limit 25",
    "failing-jobs": f'{_ENDS}\n| filter state != "succeeded"\n| {_JOB}'
    "\n| stats count(*) as failures by attempt.tenant_id, job, error_code"
    "\n| sort failures desc\n| limit 25",
    "retries-by-tenant": f"{_ENDS}\n| filter ispresent(error_code)"
    "\n| stats count(*) as attempts by attempt.tenant_id, error_code"
    "\n| sort attempts desc\n| limit 25",
    "quota-refusals-by-tenant": 'filter message = "quota_exceeded"'
    "\n| stats count(*) as refusals by tenant_id, quota\n| sort refusals desc\n| limit 25",
    "cost-by-tenant": f"{_ENDS}"
    f"\n| stats count(*) as attempts, count(*) * {USD_PER_RUN:.6f} as usd by attempt.tenant_id"
    "\n| sort usd desc\n| limit 25",
}


def log_groups(settings: StageSettings) -> Sequence[str]:
    """Name the log group of every function."""
    return [f"/aws/lambda/{settings.physical_name(name)}" for name in deployed_functions(settings)]
