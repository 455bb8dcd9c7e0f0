"""The steps of the executions that stand for DAG runs."""

from infra.constructs.runtime import places
from infra.constructs.runtime.description import TABLES, Description, TellMissing, allow, always

#: Variables of functions that move DAG runs on.
DAG_VARIABLES = ("BLOB_BUCKET", "DAG_MACHINE_ARN")
#: Rights to move DAG runs on: their records, their tasks' runs, what these are given, executions.
DAG_RIGHTS = (
    allow(
        ["dynamodb:BatchGetItem", "dynamodb:GetItem", "dynamodb:Query", "dynamodb:UpdateItem"],
        places.runs,
    ),
    # Definitions of DAGs by version, and of the jobs that tasks name.
    allow(["dynamodb:BatchGetItem", "dynamodb:Query"], places.jobs),
    allow(["s3:GetObject", "s3:PutObject"], places.payloads),
    allow(["s3:GetObject", "s3:PutObject"], places.results),
    TellMissing(prefixes=("payloads", "results")),
    allow(
        ["states:StartExecution", "states:SendTaskSuccess", "states:SendTaskFailure"],
        places.machine,
    ),
)

#: It leaves the tokens of callbacks where the ends are known, and stops DAG runs whose execution
#: failed.
DAG_RUNS = Description(
    name="dag_runs",
    timeout_seconds=always(60),
    # Runs that events start count in the quota of a day.
    variables=(*TABLES, "STAGE_QUOTAS", *DAG_VARIABLES),
    rights=(
        allow(["dynamodb:GetItem"], places.jobs),
        allow(["dynamodb:PutItem"], places.runs),
        *DAG_RIGHTS,
    ),
)
