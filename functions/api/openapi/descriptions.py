"""What each operation does beyond its summary, and what it leaves alone."""

from collections.abc import Mapping
from types import MappingProxyType

#: Of operations whose paths begin with it, in the order in which they are shown.
TAGS: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        "jobs": ("Jobs", "What runs, when, and how."),
        "runs": ("Runs", "Occurrences of jobs, every attempt at them, and what they left behind."),
        "schedules": ("Schedules", "What a schedule means, before anything uses it."),
        "simulate": ("Schedules", "What a schedule means, before anything uses it."),
        "forecast": ("Schedules", "What a schedule means, before anything uses it."),
        "calendars": ("Calendars", "Days and periods that jobs keep to, or keep away from."),
        "freezes": ("Freezes", "Stopping a tenant, a tag or a job for a while."),
        "operations": ("Operations", "Long work on many jobs or runs, and how far it is."),
        "pools": ("Workers", "Programs that claim runs, and say how they end."),
        "callbacks": ("Callbacks", "Targets that work on by themselves, known by their lease."),
        "dead-letters": ("Dead letters", "Runs that were given up and wait for a decision."),
        "dags": ("DAGs", "Tasks that wait for one another: definitions, and their versions."),
        "dag-runs": ("DAG runs", "Runs of DAGs, and what operators do with their tasks."),
        "tenants": ("Tenants", "Settings of tenants, and what they may use."),
        "tenant": ("Tenants", "Settings of tenants, and what they may use."),
        "audit": ("Audit", "Who changed what."),
    }
)

_OF_LEASE = "The lease token says whose the run is; a lease that was lost is a 409."
_OF_CALLBACK = "As for workers; the lease token that the target was sent is all it takes."

#: By operation; ``test_openapi_lint.py`` holds them complete.
DESCRIPTIONS: Mapping[str, str] = MappingProxyType(
    {
        "createJob": "Its first instant is planned at once. With an Idempotency-Key the same "
        "request gives the same job for as long as it exists.",
        "createJobs": "Up to a hundred, each by itself: one that is refused stops no other.",
        "listJobs": "Newest first. A filter may make a page short, or empty, and not the last.",
        "validateNewJob": "As createJob would, and with every default filled in; nothing is "
        "stored and no quota is used.",
        "getJob": "Strongly consistent; the only answer with a payload beyond 1 KB.",
        "updateJob": "Each field that is given is replaced as a whole, and makes a new version. "
        "Runs stored for the old version never execute under it.",
        "previewJob": "The instants that the job would gain, lose and move if updateJob were asked "
        "for the same changes, which are refused likewise. Nothing is stored.",
        "cancelJob": "It stays readable and never runs again; runs that have begun go on.",
        "pauseJob": "Nothing of it starts until it is resumed; runs that have begun go on.",
        "resumeJob": "It goes on from now; with catch_up, what passed is settled as its policy "
        "says.",
        "triggerJob": "A run beside the schedule, due now, under the job as it is. Each request "
        "is a run of its own.",
        "backfillJob": "A run for each instant of the schedule in a range of the past, at most so "
        "many at once. A dry run says how many those are.",
        "listRuns": "Latest instant first, each with its last attempt.",
        "readLedger": "Every instant of a range with the run or the gap that it became.",
        "explainInstant": "What decided about an instant of the past, or would decide about one "
        "to come.",
        "readJobAudit": "Every change of the job that was accepted, by whom, before and after.",
        "getRun": "With every attempt at it, and the runs that its ends triggered.",
        "listNotifications": "What notifications of its job made of the run, and whether each "
        "arrived.",
        "cancelRun": "What has not begun never begins; what works is asked to stop at its next "
        "heartbeat.",
        "listAttempts": "All of them: a run has no more than its retry policy allows.",
        "getResult": "What its target answered. Beyond an excerpt there is a link, good for "
        "minutes.",
        "readLog": "What was decided about the run and what its worker said, earliest first. "
        "next_cursor leads on while the run works.",
        "previewSchedule": "Nothing is stored; with calendars, what they make of each instant.",
        "simulate": "A scenario of jobs, outages, pauses and edits, and the ledger it would have. "
        "Nothing is stored.",
        "forecastLoad": "From schedules and calendars alone: no freeze, overlap or retry is in it. "
        "Up to 500 jobs a page, newest first.",
        "forecastTenantLoad": "As forecastLoad answers the tenant itself; for those who administer "
        "the stage.",
        "listCalendars": "By name, without their entries.",
        "putCalendar": "As a whole. Jobs that name it follow it from the next plan on.",
        "getCalendar": "With every entry of it.",
        "deleteCalendar": "Not while a job names it: those would run unrestricted.",
        "importCalendar": "Its entries become those of the file, as far ahead as asked for.",
        "checkCalendar": "Whether it covers an instant, and until when that stays so.",
        "createFreeze": "Nothing in its scope starts meanwhile; when it ends, what passed is "
        "settled as asked. The same freeze twice is one.",
        "listFreezes": "The last to start first, those that ended among them.",
        "getFreeze": "One that ended stays on record.",
        "liftFreeze": "What it held back is let go; lifting it again changes nothing.",
        "startOperation": "Pause, resume or cancel every job that matches. It works on by itself; "
        "the answer says where to look.",
        "listOperations": "Newest first.",
        "getOperation": "How far it is, and what it could not do.",
        "cancelOperation": "It begins nothing more; what it did stays done.",
        "getPool": "How much waits in it, by priority, and which workers asked lately.",
        "claimRuns": "Those that are most urgent first. Waits for so many seconds if there is "
        "nothing; a claimed run is the worker's until its lease expires.",
        "heartbeatRun": f"Renews the lease, and may carry progress and a checkpoint. {_OF_LEASE}",
        "completeRun": f"With its result, if there is one. {_OF_LEASE}",
        "failRun": f"Whether it is tried again, its job's retry policy says. {_OF_LEASE}",
        "releaseRun": f"Somebody else may claim it at once; no attempt is used up. {_OF_LEASE}",
        "continueRun": f"This slice ends, and the next begins from the checkpoint. {_OF_LEASE}",
        "postLog": f"Numbered, so that lines sent twice are kept once. {_OF_LEASE}",
        "heartbeatCallback": _OF_CALLBACK,
        "completeCallback": _OF_CALLBACK,
        "failCallback": _OF_CALLBACK,
        "releaseCallback": _OF_CALLBACK,
        "continueCallback": _OF_CALLBACK,
        "postCallbackLog": _OF_CALLBACK,
        "listDeadLetters": "Newest first. A filter may make a page short, or empty, and not the "
        "last.",
        "getDeadLetter": "With its job in the version that ran, its payload and every attempt.",
        "redriveDeadLetter": "It goes on under the job as it is now, with a corrected payload if "
        "there is one.",
        "discardDeadLetter": "It stays as it ended, and is listed no more.",
        "redriveDeadLetters": "Every one that matches, as an operation.",
        "discardDeadLetters": "Every one that matches, as an operation.",
        "createDag": "Its graph is checked as a whole. With an Idempotency-Key the same request "
        "gives the same DAG for as long as it exists.",
        "listDags": "Newest first, without their tasks; those deleted are a list of their own.",
        "validateNewDag": "As createDag would; nothing is stored and no quota is used.",
        "getDag": "Its latest version.",
        "updateDag": "Its next version; runs that have begun keep to theirs.",
        "deleteDag": "No run of it starts any more; runs that have begun go on.",
        "listDagVersions": "Latest first.",
        "getDagVersion": "As runs under way may still have it.",
        "validateDag": "As it is, or as it would be after changes; nothing is stored.",
        "drawDag": "As places and lines, or as text for Mermaid or Graphviz.",
        "startDagRun": "Under the DAG as it is now. With an Idempotency-Key the same request "
        "gives the same run.",
        "listDagRuns": "Newest first, without their tasks.",
        "getDagRun": "With each task, and why it stands as it does.",
        "cancelDagRun": "No task of it starts any more, and those that work are asked to stop.",
        "retryDagRun": "What failed, and what was skipped for it, runs in another round.",
        "completeDagTask": "As if it had succeeded with this result; what waits for it may start.",
        "skipDagTask": "What waits for it is decided as for a task that was skipped.",
        "rerunDagTask": "In another round, with all that follows from it or by itself.",
        "drawDagRun": "As drawDag does, each task with its state.",
        "drawDagRunGantt": "When each task waited, ran and ended, as numbers, text or SVG.",
        "getOwnTenant": "Its status and quotas, how much of them is used, and what the token "
        "may do.",
        "listTenants": "Those that something was set for, by name.",
        "getTenant": "Any name has settings: the stage's defaults, if nothing was set.",
        "putTenant": "All of them: what is left out is as the stage has it.",
        "updateTenant": "Those that are given; null takes one back to the stage's.",
        "suspendTenant": "Nothing of it starts and it may change nothing; it can read.",
        "resumeTenant": "What was held back is settled as the suspension asked.",
        "readAudit": "Every change that was accepted, latest first.",
        "readTenantAudit": "As readAudit answers the tenant itself; for those who administer the "
        "stage, also while it is suspended.",
    }
)
