"""Facts about each function's rights; ``test_permissions`` holds the stages to them."""

from infra.stage.settings import QUEUE_KEYS

KEYS = [str(key) for key in QUEUE_KEYS]
EXECUTORS = [f"executor-{key}" for key in KEYS]
#: Functions whose invocations X-Ray does not record: those of ticks.
UNTRACED = ("planner", "sweeper", "auditor", "archiver")
JOBS = "Jobs/Table.Arn"
RUNS = "Runs/Table.Arn"
STREAM = "Runs/Table.StreamArn"
JOBS_STREAM = "Jobs/Table.StreamArn"
REJECTED = "Rejected/Queue.Arn"
#: Where Lambda parks ticks that came to nothing, by the right of the function that failed.
LOST_TICKS = "LostTicks/Queue.Arn"
LOOKS = "Looks/Queue.Arn"
RUN_QUEUES = [f"Queues/{key}/Queue.Arn" for key in KEYS]
DEAD_LETTERS = [f"Queues/{key}/DeadLetters.Arn" for key in KEYS]
ARCHIVE = "arn:<AWS::Partition>:s3:::timegate-prod-archive-<AWS::AccountId>-<AWS::Region>"
FOLDERS = ("attempts", "gaps", "audit", "dag_runs", "dag_tasks", "rounds", "seals")
ARCHIVE_FILES = [f"{ARCHIVE}/{each}/*" for each in FOLDERS]
BLOBS = "arn:<AWS::Partition>:s3:::timegate-prod-blobs-<AWS::AccountId>-<AWS::Region>"
_PLACE = "<AWS::Region>:<AWS::AccountId>"
#: Tag of the caller's session.
_TAG = "${aws:PrincipalTag/tenant}"
TARGETS_ROLE = "Executors/Targets/Role.Arn"
HOOK_SECRETS_ROLE = "HookSecrets/Role.Arn"
TARGET_FUNCTIONS = f"arn:<AWS::Partition>:lambda:{_PLACE}:function:timegate-target-{_TAG}-*"
TARGET_QUEUES = f"arn:<AWS::Partition>:sqs:{_PLACE}:timegate-target-{_TAG}-*"
TARGET_TOPICS = f"arn:<AWS::Partition>:sns:{_PLACE}:timegate-target-{_TAG}-*"
TARGET_BUSES = f"arn:<AWS::Partition>:events:{_PLACE}:event-bus/timegate-target-{_TAG}-*"
TARGET_MACHINES = f"arn:<AWS::Partition>:states:{_PLACE}:stateMachine:timegate-target-{_TAG}-*"
DAG_MACHINE = f"arn:<AWS::Partition>:states:{_PLACE}:stateMachine:timegate-prod-dag-runs"
TARGET_TASK_DEFINITIONS = (
    f"arn:<AWS::Partition>:ecs:{_PLACE}:task-definition/timegate-target-{_TAG}-*:*"
)
TARGET_TASKS = f"arn:<AWS::Partition>:ecs:{_PLACE}:task/timegate-target-{_TAG}-*/*"
TARGET_CLUSTERS = f"arn:<AWS::Partition>:ecs:{_PLACE}:cluster/timegate-target-{_TAG}-*"
TASK_ROLES = f"arn:<AWS::Partition>:iam::<AWS::AccountId>:role/timegate-target-{_TAG}-*"
SECRETS = f"arn:<AWS::Partition>:secretsmanager:{_PLACE}:secret:timegate-target/{_TAG}/*"
PARAMETERS = f"arn:<AWS::Partition>:ssm:{_PLACE}:parameter/timegate-target/{_TAG}/*"
TARGET_EXECUTIONS = f"arn:<AWS::Partition>:states:{_PLACE}:execution:timegate-target-{_TAG}-*:*"
_DEAD = ("dead_letters", "dead_by_job", "dead_by_reason", "dead_by_code")
DEAD_LETTER_INDEXES = [f"{RUNS}/index/{index}" for index in _DEAD]
CONSUME = ["ReceiveMessage", "DeleteMessage", "GetQueueAttributes"]
READ_STREAM = ["DescribeStream", "GetRecords", "GetShardIterator", "ListStreams"]

#: Rights that only the local cloud asks for (docs/operations/local-cloud.md).
EMULATED = {
    "dynamodb:BatchExecuteStatement",
    "sqs:SendMessageBatch",
    "sqs:DeleteMessageBatch",
    "sqs:ChangeMessageVisibilityBatch",
}

#: Rights that Step Functions asks its machines' roles for, to write logs; none takes a resource.
LOG_DELIVERY = {
    "logs:CreateLogDelivery",
    "logs:DeleteLogDelivery",
    "logs:DescribeLogGroups",
    "logs:DescribeResourcePolicies",
    "logs:GetLogDelivery",
    "logs:ListLogDeliveries",
    "logs:PutResourcePolicy",
    "logs:UpdateLogDelivery",
}

#: The local cloud cannot tell the resource of these, and AWS can; ``ALLOWED`` binds it there.
UNBOUND_LOCALLY = {"states:SendTaskSuccess", "states:SendTaskFailure"}

Facts = list[tuple[str, list[str], list[str]]]


def executor(key: str) -> Facts:
    """Return the rights of one queue's executor."""
    return [
        ("dynamodb", ["BatchGetItem"], [JOBS]),
        # Slots only: see below.
        ("dynamodb", ["GetItem", "Query", "UpdateItem"], [JOBS]),
        # A DAG run that it starts, among others; how long a job's runs took, for deadlines.
        (
            "dynamodb",
            ["BatchGetItem", "GetItem", "PartiQLUpdate", "PutItem", "Query", "UpdateItem"],
            [RUNS],
        ),
        ("sqs", [*CONSUME, "ChangeMessageVisibility"], [f"Queues/{key}/Queue.Arn"]),
        ("s3", ["GetObject"], [f"{BLOBS}/payloads/*"]),
        ("s3", ["PutObject"], [f"{BLOBS}/results/*"]),
        ("s3", ["GetObject", "PutObject"], [f"{BLOBS}/checkpoints/*"]),
        ("s3", ["ListBucket"], [BLOBS]),
        ("sts", ["AssumeRole", "TagSession"], [TARGETS_ROLE]),
    ]


#: Rights of a session of the targets' role for its tenant.
TARGETS: Facts = [
    ("lambda", ["InvokeFunction"], [TARGET_FUNCTIONS]),
    ("sqs", ["SendMessage"], [TARGET_QUEUES]),
    ("sns", ["Publish"], [TARGET_TOPICS]),
    ("events", ["PutEvents"], [TARGET_BUSES]),
    ("states", ["StartExecution"], [TARGET_MACHINES]),
    ("states", ["DescribeExecution"], [TARGET_EXECUTIONS]),
    ("states", ["StopExecution"], [TARGET_EXECUTIONS]),
    ("ecs", ["RunTask"], [TARGET_TASK_DEFINITIONS]),
    ("ecs", ["DescribeTasks"], [TARGET_TASKS]),
    ("ecs", ["StopTask"], [TARGET_TASKS]),
    # It takes no resource: its condition names the clusters.
    ("ecs", ["ListTasks"], ["*"]),
    ("iam", ["PassRole"], [TASK_ROLES]),
    ("secretsmanager", ["GetSecretValue"], [SECRETS]),
    ("ssm", ["GetParameter"], [PARAMETERS]),
]


#: Rights to move DAG runs on: their records, their tasks' inputs, and their executions.
DAG_RUNS: Facts = [
    ("dynamodb", ["BatchGetItem", "Query"], [JOBS]),
    ("dynamodb", ["BatchGetItem", "GetItem", "Query", "UpdateItem"], [RUNS]),
    ("s3", ["GetObject", "PutObject"], [f"{BLOBS}/payloads/*", f"{BLOBS}/results/*"]),
    ("s3", ["ListBucket"], [BLOBS]),
    ("states", ["StartExecution", "SendTaskSuccess", "SendTaskFailure"], [DAG_MACHINE]),
]


ALLOWED: dict[str, Facts] = {
    "api": [
        (
            "dynamodb",
            ["BatchGetItem", "GetItem", "PutItem", "Query", "UpdateItem"],
            [JOBS],
        ),
        ("dynamodb", ["Query"], [f"{JOBS}/index/by_tenant"]),
        ("dynamodb", ["BatchGetItem", "GetItem", "PutItem", "Query", "UpdateItem"], [RUNS]),
        ("dynamodb", ["Query"], [*DEAD_LETTER_INDEXES, f"{RUNS}/index/failures"]),
        ("dynamodb", ["Query"], [f"{RUNS}/index/listed", f"{RUNS}/index/pool"]),
        ("s3", ["GetObject", "PutObject"], [f"{BLOBS}/payloads/*"]),
        ("s3", ["GetObject"], [f"{BLOBS}/results/*"]),
        ("s3", ["ListBucket"], [BLOBS, ARCHIVE]),
        # Expired runs, the archive's progress, and files that seals name.
        ("s3", ["GetObject"], ARCHIVE_FILES),
        ("sqs", ["SendMessage"], RUN_QUEUES),
        # They take no resource.
        ("cloudwatch", ["DescribeAlarms", "GetMetricData"], ["*"]),
        ("sts", ["AssumeRole", "TagSession"], [HOOK_SECRETS_ROLE]),
    ],
    "workers": [
        ("dynamodb", ["BatchGetItem"], [JOBS]),
        # Slots, and the workers that pools have seen, and no job: see below.
        ("dynamodb", ["GetItem", "Query", "UpdateItem"], [JOBS]),
        # How long a job's runs took is queried for deadlines.
        ("dynamodb", ["BatchGetItem", "PartiQLUpdate", "PutItem", "Query", "UpdateItem"], [RUNS]),
        ("dynamodb", ["Query"], [f"{RUNS}/index/pool"]),
        ("s3", ["GetObject"], [f"{BLOBS}/payloads/*"]),
        ("s3", ["PutObject"], [f"{BLOBS}/results/*"]),
        ("s3", ["GetObject", "PutObject"], [f"{BLOBS}/checkpoints/*"]),
        ("s3", ["ListBucket"], [BLOBS]),
    ],
    "planner": [
        ("dynamodb", ["Query"], [f"{JOBS}/index/due"]),
        # Which shards are open, calendars and freezes, and no job: see below.
        ("dynamodb", ["BatchGetItem"], [JOBS]),
        ("dynamodb", ["PartiQLUpdate", "PutItem", "UpdateItem"], [JOBS]),
        ("dynamodb", ["PartiQLInsert", "PutItem", "Query"], [RUNS]),
        ("sqs", ["SendMessage"], [*RUN_QUEUES, LOST_TICKS]),
    ],
    "relay": [
        ("dynamodb", READ_STREAM, [STREAM]),
        ("sqs", ["SendMessage"], [*RUN_QUEUES, REJECTED]),
    ],
    "sweeper": [
        ("dynamodb", ["Query"], [f"{RUNS}/index/watch"]),
        # Operations that stand still.
        ("dynamodb", ["Query"], [f"{JOBS}/index/due"]),
        # How long a job's runs took is queried for deadlines.
        ("dynamodb", ["BatchGetItem", "PartiQLUpdate", "PutItem", "Query", "UpdateItem"], [RUNS]),
        # Workers of pools are queried where a run of a pool is late.
        ("dynamodb", ["BatchGetItem", "GetItem", "Query", "UpdateItem"], [JOBS]),
        ("sqs", ["GetQueueAttributes"], RUN_QUEUES),
        # Looks between its ticks, which it asks itself for.
        ("sqs", ["SendMessage"], [LOOKS, LOST_TICKS]),
        ("sqs", CONSUME, [LOOKS]),
    ],
    "auditor": [
        ("dynamodb", ["Query"], [f"{JOBS}/index/due"]),
        ("dynamodb", ["BatchGetItem", "GetItem", "Query", "Scan"], [JOBS]),
        # Its cursors alone: see ``test_the_auditor_writes_its_cursors_alone``.
        ("dynamodb", ["BatchWriteItem", "PutItem", "UpdateItem"], [JOBS]),
        ("dynamodb", ["Query"], [f"{JOBS}/index/by_tenant"]),
        ("dynamodb", ["Query", "Scan"], [RUNS]),
        ("dynamodb", ["Query"], [f"{RUNS}/index/watch"]),
        ("sqs", ["SendMessage"], [LOST_TICKS]),
    ],
    "outcomes": [
        ("dynamodb", READ_STREAM, [STREAM]),
        # Which shards are open, in a batch: a notice is watched in one of them.
        ("dynamodb", ["BatchGetItem", "GetItem", "UpdateItem"], [JOBS]),
        # Completions of one-shots that no tally counts.
        ("dynamodb", ["PartiQLUpdate"], [JOBS]),
        # Gaps of jobs that it plans, once a place of ``max_runs`` is given back.
        ("dynamodb", ["PutItem"], [JOBS]),
        # Runs that tell of ends, or follow them; and ends of runs that were left to DAG runs.
        ("dynamodb", ["PartiQLUpdate", "PutItem"], [RUNS]),
        *DAG_RUNS,
        # Planned runs that are due already.
        ("sqs", ["SendMessage"], [*RUN_QUEUES, REJECTED]),
    ],
    "dag_runs": [
        ("dynamodb", ["GetItem"], [JOBS]),
        ("dynamodb", ["PutItem"], [RUNS]),
        *DAG_RUNS,
    ],
    "operations": [
        ("dynamodb", READ_STREAM, [JOBS_STREAM]),
        # Partitions of rules alone are queried: see ``test_operations_query_rules_alone``.
        ("dynamodb", ["Query"], [JOBS]),
        ("dynamodb", ["BatchGetItem", "GetItem", "PutItem", "UpdateItem"], [JOBS]),
        ("dynamodb", ["Query"], [f"{JOBS}/index/by_tenant"]),
        ("dynamodb", ["BatchGetItem", "PutItem", "Query", "UpdateItem"], [RUNS]),
        ("dynamodb", ["Query"], [*DEAD_LETTER_INDEXES, f"{RUNS}/index/failures"]),
        ("sqs", ["SendMessage"], [*RUN_QUEUES, REJECTED]),
    ],
    "dead_letter": [
        ("sqs", CONSUME, DEAD_LETTERS),
        ("dynamodb", ["BatchGetItem", "PutItem"], [RUNS]),
        ("dynamodb", ["BatchGetItem"], [JOBS]),
        ("sqs", ["SendMessage"], [REJECTED]),
    ],
    "archiver": [
        # Sizes of tables, and all their items: it writes to neither.
        ("dynamodb", ["DescribeTable", "Scan"], [JOBS, RUNS]),
        ("s3", ["GetObject", "PutObject"], ARCHIVE_FILES),
        ("s3", ["ListBucket"], [ARCHIVE]),
        ("kms", ["GetPublicKey", "Sign"], ["Seals/Key.Arn"]),
        ("sqs", ["SendMessage"], [LOST_TICKS]),
    ],
    **{f"executor-{key}": executor(key) for key in KEYS},
}
