"""The design's one way through the house, as IAM facts about each function."""

import re

import pytest

from infra.stage.settings import FUNCTION_NAMES
from tests.infra.permissions.allowed import (
    ALLOWED,
    EMULATED,
    EXECUTORS,
    FOLDERS,
    HOOK_SECRETS_ROLE,
    JOBS,
    KEYS,
    LOG_DELIVERY,
    LOOKS,
    LOST_TICKS,
    REJECTED,
    RUN_QUEUES,
    RUNS,
    STREAM,
    TARGETS_ROLE,
    UNBOUND_LOCALLY,
    UNTRACED,
)
from tests.infra.stage_template import Grant, StageTemplate, listed


def holders(template: StageTemplate, action: str, resources: list[str]) -> set[str]:
    """The functions that may perform an action on any of the resources."""
    wanted = {Grant(action, resource) for resource in resources}
    return {name for name in FUNCTION_NAMES if template.grants(name) & wanted}


@pytest.mark.parametrize("name", FUNCTION_NAMES)
def test_a_function_may_do_exactly_what_its_part_needs(prod: StageTemplate, name: str) -> None:
    """Each role allows its facts, its own logs and traces, and nothing else."""
    path = prod.function(name).path.removesuffix("/Function")
    facts = {
        Grant(f"{service}:{action}", resource)
        for service, actions, resources in ALLOWED[name]
        for action in actions
        for resource in resources
    }
    own = {
        Grant("logs:CreateLogStream", f"{path}/Logs.Arn"),
        Grant("logs:PutLogEvents", f"{path}/Logs.Arn"),
    }
    if name not in UNTRACED:
        own |= {Grant("xray:PutTelemetryRecords", "*"), Grant("xray:PutTraceSegments", "*")}

    assert facts | own == prod.grants(name)


def test_only_those_who_plan_create_runs_and_move_jobs(stage: StageTemplate) -> None:
    """Outcomes fills places of ``max_runs``; other functions that change runs write no job."""
    creating = holders(stage, "dynamodb:PutItem", [RUNS])
    moving = holders(stage, "dynamodb:PutItem", [JOBS])

    assert {"planner", "api", "operations", "outcomes"} == creating & moving


def test_only_those_who_create_runs_and_the_relay_send_to_run_queues(
    stage: StageTemplate,
) -> None:
    """A resumed job may have a run that is due; the sweeper touches records."""
    assert {"api", "planner", "relay", "operations", "outcomes"} == holders(
        stage, "sqs:SendMessage", RUN_QUEUES
    )


def test_the_relay_has_no_way_into_a_table(stage: StageTemplate) -> None:
    """It reads the stream and nothing else of DynamoDB."""
    touched = {
        grant.resource for grant in stage.grants("relay") if grant.action.startswith("dynamodb:")
    }

    assert {STREAM} == touched


def test_no_function_reaches_users_targets_by_itself(stage: StageTemplate) -> None:
    """None may reach a target, or send to a queue that is not Timegate's."""
    ours = {*RUN_QUEUES, REJECTED, LOST_TICKS, LOOKS}
    (machine,) = stage.of_type("AWS::StepFunctions::StateMachine")
    name_of_ours = f":stateMachine:{machine.properties['StateMachineName']}"
    target_services = ("lambda:", "sns:", "events:", "states:", "secretsmanager:", "ssm:")
    reaching = {
        name
        for name in FUNCTION_NAMES
        for grant in stage.grants(name)
        if (
            grant.action.startswith(target_services)
            and not grant.resource.endswith(name_of_ours)
            and grant.action not in UNBOUND_LOCALLY
        )
        or (grant.action == "sqs:SendMessage" and grant.resource not in ours)
    }

    assert reaching == set()


def test_only_executors_and_the_api_act_for_tenants(stage: StageTemplate) -> None:
    """Executors by the one role that has rights on targets; the API by one that reads secrets."""
    acting = {
        (name, grant.resource)
        for name in FUNCTION_NAMES
        for grant in stage.grants(name)
        if grant.action.startswith("sts:")
    }

    assert acting == {*((name, TARGETS_ROLE) for name in EXECUTORS), ("api", HOOK_SECRETS_ROLE)}


@pytest.mark.parametrize("name", EXECUTORS)
def test_an_executor_changes_slots_and_no_job(stage: StageTemplate, name: str) -> None:
    """Both lie in one table: its writes there are bound to the partitions of concurrency keys."""
    writing = {"dynamodb:PutItem", "dynamodb:UpdateItem", "dynamodb:PartiQLUpdate"}
    bounds = [
        statement.get("Condition")
        for statement in stage.statements(name)
        if JOBS in listed(statement["Resource"]) and writing & set(listed(statement["Action"]))
    ]

    assert bounds == [{"ForAllValues:StringLike": {"dynamodb:LeadingKeys": ["*#key#*"]}}]


def test_the_workers_function_changes_slots_and_workers_and_no_job(stage: StageTemplate) -> None:
    """It can claim and end runs; it can create none, and sends to no queue and to no target."""
    touching = {"dynamodb:PutItem", "dynamodb:UpdateItem", "dynamodb:Query", "dynamodb:GetItem"}
    bounds = [
        statement.get("Condition")
        for statement in stage.statements("workers")
        if JOBS in listed(statement["Resource"]) and touching & set(listed(statement["Action"]))
    ]

    assert bounds == [
        {"ForAllValues:StringLike": {"dynamodb:LeadingKeys": ["*#key#*"]}},
        {"ForAllValues:StringLike": {"dynamodb:LeadingKeys": ["*#pool#*"]}},
    ]


@pytest.mark.parametrize(
    ("name", "also"), [("planner", []), ("auditor", ["#audit#*"])], ids=["planner", "auditor"]
)
def test_planner_and_auditor_read_shards_and_restrictions_and_no_job(
    stage: StageTemplate, name: str, also: list[str]
) -> None:
    """These lie beside the jobs: batched reads there are bound to their partitions."""
    bounds = [
        statement.get("Condition")
        for statement in stage.statements(name)
        if JOBS in listed(statement["Resource"])
        and "dynamodb:BatchGetItem" in listed(statement["Action"])
    ]

    assert bounds == [
        {"ForAllValues:StringLike": {"dynamodb:LeadingKeys": [partitions]}}
        for partitions in ["shards", "*#restrictions", *also]
    ]


def test_operations_query_rules_alone(stage: StageTemplate) -> None:
    """It looks at a tenant's notification rules; no job is found by a query of the table."""
    bounds = [
        statement.get("Condition")
        for statement in stage.statements("operations")
        if JOBS in listed(statement["Resource"]) and "dynamodb:Query" in listed(statement["Action"])
    ]

    assert bounds == [{"ForAllValues:StringLike": {"dynamodb:LeadingKeys": ["*#rules*"]}}]


def test_the_auditor_writes_its_cursors_alone(stage: StageTemplate) -> None:
    """It can change no job and no record, so it cannot hide what it finds."""
    writing = {"dynamodb:BatchWriteItem", "dynamodb:PutItem", "dynamodb:UpdateItem"}
    bounds = [
        statement.get("Condition")
        for statement in stage.statements("auditor")
        if writing & set(listed(statement["Action"]))
    ]

    assert bounds == [{"ForAllValues:StringLike": {"dynamodb:LeadingKeys": ["#audit#*"]}}]


def test_an_executor_consumes_its_own_queue_only(stage: StageTemplate) -> None:
    """Traffic of one priority cannot be taken by the executor of another."""
    consumed = {
        name: {g.resource for g in stage.grants(name) if g.action == "sqs:ReceiveMessage"}
        for name in EXECUTORS
    }

    assert {f"executor-{key}": {f"Queues/{key}/Queue.Arn"} for key in KEYS} == consumed


def test_no_function_deletes_records(stage: StageTemplate) -> None:
    """Cancelling is a state and forgetting is TTL: no role deletes an item, a table, an object."""
    deleting = {
        grant
        for role in stage.roles
        for grant in stage.grants_of_role(role)
        if re.search(r"dynamodb:.*Delete|s3:Delete", grant.action)
    }

    assert set() == deleting


def test_auditor_and_archiver_alone_scan(stage: StageTemplate) -> None:
    """Due work is found by key. A job that no index shows is found by walking over the table, and
    costs are counted so. The archiver walks over both each week: no index has all that ended.
    """
    scanning = {
        (role, grant.resource)
        for role in stage.roles
        for grant in stage.grants_of_role(role)
        if grant.action in {"dynamodb:Scan", "dynamodb:PartiQLSelect"}
    }

    walking = {
        (f"{part}/Role", table) for part in ("Auditor", "Archiver") for table in (JOBS, RUNS)
    }
    assert walking == scanning


def test_no_role_uses_a_wildcard_action_or_a_managed_policy(stage: StageTemplate) -> None:
    """Every action is spelled out in the template."""
    actions = {grant.action for role in stage.roles for grant in stage.grants_of_role(role)}
    managed = [
        role.path
        for role in stage.of_type("AWS::IAM::Role")
        if role.properties.get("ManagedPolicyArns")
    ]

    assert [action for action in actions if "*" in action] == []
    assert managed == []


def test_wildcard_resources_are_the_explained_ones(stage: StageTemplate) -> None:
    """Traces, logs, lists of tasks, metrics and alarms take none; else prefixes, allow-lists."""
    grants = {grant for role in stage.roles for grant in stage.grants_of_role(role)}
    wild = {grant for grant in grants if "*" in grant.resource}
    everything = {grant.action for grant in wild if grant.resource == "*"}
    explained = re.compile(
        r"^\*$|[:/]timegate-target(-\$\{aws:PrincipalTag/tenant\}-\*([:/]\*)?"
        r"|/\$\{aws:PrincipalTag/tenant\}/\*)$|/(payloads|results|checkpoints)/\*$"
        rf"|/({'|'.join(FOLDERS)})/\*$"
    )

    traces = {"xray:PutTraceSegments", "xray:PutTelemetryRecords"}
    tasks = {"ecs:ListTasks"}
    stage_metrics = {"cloudwatch:GetMetricData", "cloudwatch:DescribeAlarms"}
    found = everything - EMULATED - UNBOUND_LOCALLY
    assert found == traces | LOG_DELIVERY | tasks | stage_metrics
    assert [grant for grant in wild if not explained.search(grant.resource)] == []


def test_the_emulators_own_permissions_are_granted_to_it_alone(
    local: StageTemplate, dev: StageTemplate, prod: StageTemplate
) -> None:
    """It asks for a batch by its name, where AWS asks for what its members do."""
    emulated = [
        EMULATED & {grant.action for role in each.roles for grant in each.grants_of_role(role)}
        for each in (local, dev, prod)
    ]

    assert [EMULATED, set(), set()] == emulated


def test_every_function_has_a_role_of_its_own(stage: StageTemplate) -> None:
    """A function inherits no right of another one."""
    roles = [each.properties["Role"] for each in stage.of_type("AWS::Lambda::Function")]

    assert len(set(roles)) == len(roles) == len(FUNCTION_NAMES)


@pytest.mark.parametrize("name", FUNCTION_NAMES)
def test_who_reads_objects_is_told_which_are_missing(stage: StageTemplate, name: str) -> None:
    """Without ``s3:ListBucket`` S3 answers 403 for a missing object, which looks like a bug."""
    statements = stage.statements(name)
    read = {
        resource.split("/")[1]
        for statement in statements
        if "s3:GetObject" in listed(statement["Action"])
        for resource in listed(statement["Resource"])
    }
    listing = [each for each in statements if "s3:ListBucket" in listed(each["Action"])]
    prefixes = {
        prefix
        for each in listing
        for prefix in listed(each["Condition"]["StringLikeIfExists"]["s3:prefix"])
    }

    assert {f"{each}/*" for each in read} == prefixes
    assert all(not each["Resource"].endswith("*") for each in listing)
