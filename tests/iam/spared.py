"""Rights that no recorded call needs: what needs them, by part and reason.

``test_rights`` refuses a right that neither a call nor this table explains.
"""

from collections.abc import Iterator, Mapping

from infra.stage.settings import QUEUE_KEYS
from tests.iam.api_calls import BUCKET, MACHINE

_JOBS, _RUNS = "Jobs/Table.Arn", "Runs/Table.Arn"
_SLOTS = f"{_JOBS} if *#key#*"
_LARGE = "Payloads, results and checkpoints above their limits lie in the bucket; flows have few."
_HISTORY = "A forecast reads the recent runs of a pool's job; the flow of deadlines has no pool."
_MISSING = "S3 asks for it before it says that an object is missing."


def _of_bucket(*rights: str) -> tuple[str, ...]:
    return tuple(f"s3:{action} on {BUCKET}/{prefix}/*" for action, prefix in map(str.split, rights))


def _of_queues(action: str, kind: str = "Queue") -> tuple[str, ...]:
    return tuple(f"sqs:{action} on Queues/{key}/{kind}.Arn" for key in QUEUE_KEYS)


def _listing(*prefixes: str) -> tuple[str, ...]:
    named = ", ".join(f"{prefix}/*" for prefix in prefixes)
    return (f"s3:ListBucket on {BUCKET} if {named}",)


_ARCHIVED = BUCKET.replace("-blobs-", "-archive-")
_FOLDERS = ("attempts", "gaps", "audit", "dag_runs", "dag_tasks", "rounds", "seals")
_EXPIRED = "What has expired is read from the archive (tests/e2e/operations/test_archive.py)."
_ROUND = "No flow lasts a week; a round does this (tests/e2e/operations/test_archive.py)."


def _of_archive(action: str, *folders: str) -> tuple[str, ...]:
    return tuple(f"s3:{action} on {_ARCHIVED}/{folder}/*" for folder in folders)


def _listing_archive(*folders: str) -> str:
    named = ", ".join(f"{folder}/*" for folder in folders)
    return f"s3:ListBucket on {_ARCHIVED} if {named}"


_DAG_RUNS: Mapping[str, tuple[str, ...]] = {
    _LARGE: _of_bucket(
        *("GetObject payloads", "GetObject results"),
        *("PutObject payloads", "PutObject results"),
    ),
    _MISSING: _listing("payloads", "results"),
    "A definition that is not at hand is read by its version; flows define their DAGs anew.": (
        f"dynamodb:Query on {_JOBS}",
    ),
    "Whether the end of a failed DAG run or its token comes last decides who says it.": (
        f"states:SendTaskFailure on {MACHINE}",
    ),
}

SPARED: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    "api": {
        _LARGE: _of_bucket("GetObject results"),
        "The administration looks at the stage; flows have no CloudWatch.": (
            "cloudwatch:DescribeAlarms on *",
            "cloudwatch:GetMetricData on *",
        ),
        _EXPIRED: (
            *_of_archive("GetObject", *_FOLDERS),
            _listing_archive(*_FOLDERS),
        ),
    },
    "workers": {
        _HISTORY: (f"dynamodb:Query on {_RUNS}",),
        _LARGE: _of_bucket(
            *("GetObject payloads", "GetObject checkpoints"),
            *("PutObject results", "PutObject checkpoints"),
        ),
        _MISSING: _listing("payloads", "checkpoints"),
        "A job of a pool with an overlap policy takes slots (tests/e2e/pools/test_workers.py).": (
            f"dynamodb:GetItem on {_SLOTS}",
            f"dynamodb:Query on {_SLOTS}",
            f"dynamodb:UpdateItem on {_SLOTS}",
        ),
        "A failed run of a pool is tried again (tests/e2e/pools/test_workers.py).": (
            f"dynamodb:PutItem on {_RUNS}",
        ),
        "GET of a pool lists its workers where a pool has some.": (
            f"dynamodb:Query on {_JOBS} if *#pool#*",
        ),
    },
    "planner": {
        "Gaps of missed instants have partitions of their own (tests/e2e/auditing).": (
            f"dynamodb:PutItem on {_JOBS} if *#gaps",
        ),
    },
    "sweeper": {
        "A crashed holder's slot is looked for before it is freed, and then its line is read.": (
            f"dynamodb:GetItem on {_SLOTS}",
            f"dynamodb:Query on {_SLOTS}",
        ),
        "Ends of many lost runs are written in one batch.": (f"dynamodb:PartiQLUpdate on {_RUNS}",),
        "A lost publication is repeated by touching its run; faults alone lose one.": (
            f"dynamodb:UpdateItem on {_RUNS}",
        ),
        "Workers of a pool are listed once one of its runs is late.": (
            f"dynamodb:Query on {_JOBS} if *#pool#*",
        ),
        "The age of a queue is read where runs are overdue.": _of_queues("GetQueueAttributes"),
    },
    "auditor": {
        "A job's runs of a window are compared with its instants.": (f"dynamodb:Query on {_RUNS}",),
    },
    "outcomes": {
        **_DAG_RUNS,
        "Ends of several jobs' runs that one DAG run did are written in one batch.": (
            f"dynamodb:PartiQLUpdate on {_RUNS}",
        ),
    },
    "dag_runs": {
        **_DAG_RUNS,
        "An event starts a DAG run: quotas, tenants, execution (tests/e2e/dags/test_dags.py).": (
            f"dynamodb:GetItem on {_JOBS}",
            f"dynamodb:BatchGetItem on {_RUNS}",
            f"states:StartExecution on {MACHINE}",
        ),
        "Executions that the release before began have DAG runs opened by this function.": (
            f"dynamodb:BatchGetItem on {_JOBS}",
            f"dynamodb:PutItem on {_RUNS}",
            f"dynamodb:Query on {_RUNS}",
        ),
    },
    "operations": {
        "Dead letters are settled by filter (tests/e2e/operations/test_dead_letters.py).": (
            f"dynamodb:UpdateItem on {_RUNS}",
            *(
                f"dynamodb:Query on {_RUNS}/index/{index}"
                for index in ("dead_letters", "dead_by_job", "dead_by_reason", "dead_by_code")
            ),
        ),
        "A resumed job's run that is due at once is published.": _of_queues("SendMessage"),
    },
    "dead_letter": {
        "An unreadable message is parked.": ("sqs:SendMessage on Rejected/Queue.Arn",),
    },
    "archiver": {
        _ROUND: (
            *(
                f"dynamodb:{action} on {table}"
                for action in ("DescribeTable", "Scan")
                for table in (_JOBS, _RUNS)
            ),
            *_of_archive("GetObject", *_FOLDERS),
            *_of_archive("PutObject", *_FOLDERS),
            _listing_archive(*_FOLDERS),
            *(f"kms:{action} on Seals/Key.Arn" for action in ("GetPublicKey", "Sign")),
        ),
    },
    "executor-*": {
        _LARGE: _of_bucket(
            *("GetObject checkpoints", "PutObject checkpoints", "PutObject results"),
        ),
        "A DAG run that a job starts is read where it exists already.": (
            f"dynamodb:GetItem on {_RUNS}",
        ),
    },
}


def explained(part: str) -> set[str]:
    """Every right of a part that has a reason here."""
    return set(_rights(SPARED.get(part, {})))


def _rights(reasons: Mapping[str, tuple[str, ...]]) -> Iterator[str]:
    return (right for named in reasons.values() for right in named)
