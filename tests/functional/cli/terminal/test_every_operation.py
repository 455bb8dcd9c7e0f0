"""Every operation of the API can be had on the command line."""

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.functional.cli.conftest import Outcome
from tests.functional.cli.fake_api import API_URL, FakeApi, page
from tests.functional.cli.samples import RUN_ID

Timegate = Callable[..., Outcome]

DOCUMENT = json.loads(
    Path(__file__).resolve().parents[4].joinpath("docs/reference/openapi.json").read_text()
)
RANGE = "--from 2026-11-20T00:00:00Z --to 2026-11-21T00:00:00Z"
HOOK = "--webhook https://example.com/hook"
#: The first request of each command is the operation; ``-`` is a file that is an empty object.
COMMANDS = {
    "createJob": f"jobs create --name a --now {HOOK}",
    "validateNewJob": "jobs validate -f -",
    "listJobs": "jobs list",
    "getJob": "jobs get ID",
    "getJobStatistics": "jobs stats ID",
    "updateJob": "jobs update ID --file -",
    "previewJob": "jobs update ID --file - --preview",
    "cancelJob": "jobs cancel ID",
    "pauseJob": "jobs pause ID",
    "resumeJob": "jobs resume ID",
    "triggerJob": "jobs trigger ID",
    "sendEvents": "events send order.paid",
    "triggerMany": "jobs trigger-many ID -f LIST",
    "listRuns": "runs list ID",
    "readLedger": f"jobs ledger ID {RANGE}",
    "explainInstant": "jobs explain ID --at 2026-11-20T00:00:00Z",
    "getRun": f"runs get {RUN_ID}",
    "listNotifications": f"runs notifications {RUN_ID}",
    "cancelRun": "runs cancel ID",
    "cancelRuns": "runs cancel --pending --all",
    "rescheduleRun": "runs reschedule ID --delay 1h",
    "rescheduleRuns": "runs reschedule --pending --all --delay 1h",
    "previewSchedule": "schedule preview --every 1d --exclude office",
    "simulate": "simulate --job ID",
    "forecastLoad": "forecast",
    "forecastTenantLoad": "forecast --tenant acme",
    "getCost": "cost report",
    "getTenantCost": "cost report --tenant acme",
    "getStageCost": "cost report --stage",
    "listCalendars": "calendars list",
    "putCalendar": "calendars put office --weekday sun",
    "validateCalendar": "calendars validate office -f -",
    "getCalendar": "calendars get office",
    "deleteCalendar": "calendars delete office",
    "importCalendar": "calendars import office -",
    "checkCalendar": "calendars check office",
    "listRules": "rules list",
    "putRule": "rules put late --failures 3 --tell https://example.com/hook",
    "validateRule": "rules validate late -f -",
    "getRule": "rules get late",
    "listRuleMessages": "rules messages late",
    "testRule": "rules test late",
    "deleteRule": "rules delete late",
    "listEventTriggers": "event-triggers list",
    "putEventTrigger": "event-triggers put paid --job nightly",
    "validateEventTrigger": "event-triggers validate paid -f -",
    "getEventTrigger": "event-triggers get paid",
    "deleteEventTrigger": "event-triggers delete paid",
    "pauseEventTrigger": "event-triggers pause paid",
    "resumeEventTrigger": "event-triggers resume paid",
    "tryEventTrigger": "event-triggers try paid -",
    "createFreeze": "freezes create --everything --for 1h",
    "listFreezes": "freezes list",
    "getFreeze": "freezes get ID",
    "liftFreeze": "freezes lift ID",
    "createStageFreeze": "stage-freezes create --for 1h",
    "listStageFreezes": "stage-freezes list",
    "getStageFreeze": "stage-freezes get ID",
    "liftStageFreeze": "stage-freezes lift ID",
    "createJobs": "jobs bulk-create -f LIST",
    "backfillJob": f"jobs backfill ID {RANGE}",
    "startOperation": "bulk pause --all",
    "listOperations": "operations list",
    "getOperation": "operations get ID",
    "cancelOperation": "operations cancel ID",
    "listPools": "pools list",
    "getPool": "pools get reports",
    "pausePool": "pools pause reports",
    "resumePool": "pools resume reports",
    "readLog": f"runs logs {RUN_ID}",
    "listDeadLetters": "dead-letters list",
    "listAllRuns": "runs failed",
    "listArchivedRuns": "runs list --archived",
    "getArchivedRun": "runs get ID --archived",
    "listSealedMonths": "ledger months",
    "exportSealedMonth": "ledger export --month 2026-10 --to .",
    "redriveDeadLetters": "dead-letters redrive --all",
    "discardDeadLetters": "dead-letters discard --all",
    "getDeadLetter": "dead-letters get ID",
    "redriveDeadLetter": "dead-letters redrive ID",
    "redriveRun": "runs redrive ID",
    "redriveRuns": "runs redrive --failed",
    "discardDeadLetter": "dead-letters discard ID",
    "listAttempts": f"runs attempts {RUN_ID}",
    "getResult": f"runs result {RUN_ID}",
    "createDag": "dags create -f -",
    "listDags": "dags list",
    "validateNewDag": "dags validate -f -",
    "getDag": "dags show ID",
    "updateDag": "dags update ID -f -",
    "deleteDag": "dags delete ID",
    "listDagVersions": "dags versions ID",
    "getDagVersion": "dags show ID --version 2",
    "validateDag": "dags validate ID",
    "drawDag": "dags graph ID",
    "drawDagRun": "dags graph --run ID",
    "drawDagRunGantt": "dags gantt ID",
    "drawDagPicture": "dags graph ID --svg",
    "drawDagRunPicture": "dags graph --run ID --svg",
    "drawDagRunGanttPicture": "dags gantt ID --svg",
    "startDagRun": "dags run ID",
    "listDagRuns": "dags runs ID",
    "getDagRun": "dags status ID",
    "cancelDagRun": "dags cancel ID",
    "retryDagRun": "dags retry ID",
    "completeDagTask": "dags complete ID TASK",
    "skipDagTask": "dags skip ID TASK",
    "rerunDagTask": "dags rerun ID TASK",
    "decideDagTask": "dags approve ID TASK",
    "signalDagTask": "dags signal ID TASK",
    "listApprovals": "dags approvals",
    "createDagTaskLink": "dags approval-link ID TASK",
    "readAudit": "audit",
    "readTenantAudit": "audit --tenant acme",
    "readStageAudit": "audit --stage",
    "getOwnTenant": "whoami",
    "getOverview": "overview",
    "getStageOverview": "overview --stage",
    "getHealth": "health",
    "listDecisions": "decisions",
    "listTenants": "tenants list",
    "createTenant": "tenants create acme",
    "listTenantKeys": "keys list --tenant acme",
    "createTenantKey": "keys create --tenant acme",
    "revokeTenantKey": "keys revoke 000f007385b6 --tenant acme",
    "listKeys": "keys list",
    "createKey": "keys create",
    "revokeKey": "keys revoke 000f007385b6",
    "getTenant": "tenants show acme",
    "updateTenant": "tenants set acme --name Acme",
    "suspendTenant": "tenants suspend acme --reason abuse",
    "resumeTenant": "tenants resume acme",
}
#: Operations without a command of their own, with the reason.
WITHOUT = {
    # ``timegate worker run`` does these for the handlers of a program.
    **dict.fromkeys(
        ("claimRuns", "heartbeatRun", "completeRun", "failRun", "releaseRun", "continueRun"),
        "workers",
    ),
    "postLog": "workers",
    # ``timegate audit --resource job/ID`` reads the same.
    "readJobAudit": "the audit of everything",
    # ``timegate tenants set`` makes and changes one, field by field.
    "putTenant": "programs",
    # Targets say these with the lease token of one run, which no person types.
    **dict.fromkeys(("heartbeatCallback", "completeCallback", "failCallback"), "targets"),
    **dict.fromkeys(("releaseCallback", "continueCallback", "postCallbackLog"), "targets"),
    # Senders sign what they send with a key of theirs.
    "receiveHook": "senders",
    # A person opens the link in a browser.
    **dict.fromkeys(("readApproval", "decideApproval"), "people"),
}


def described() -> dict[str, tuple[str, str]]:
    """Method and path of every operation."""
    return {
        operation["operationId"]: (method.upper(), path)
        for path, methods in DOCUMENT["paths"].items()
        for method, operation in methods.items()
    }


def test_every_operation_has_a_command_or_a_reason() -> None:
    """A new route fails here until it has one."""
    assert described().keys() == COMMANDS.keys() | WITHOUT.keys()
    assert not COMMANDS.keys() & WITHOUT.keys()


@pytest.mark.parametrize("operation", COMMANDS)
def test_its_command_asks_for_it(
    timegate: Timegate, api: FakeApi, tmp_path: Path, operation: str
) -> None:
    """By the method and the path of the description."""
    (tmp_path / "list.json").write_text("[{}]")
    words = COMMANDS[operation].replace("LIST", str(tmp_path / "list.json")).split()
    api.will(page([]))
    outcome = timegate(*words, stdin="{}")
    method, path = described()[operation]
    pattern = re.sub(r"{\w+}", "[^/]+", path)

    assert api.calls, outcome.err
    assert api.calls[0].method == method
    assert re.fullmatch(re.escape(API_URL) + pattern, str(api.calls[0].url).partition("?")[0])
