"""A task: its spec by the rules of jobs, its fan-out, its references."""

import json

import pytest

from tests.unit.domain.dags.definitions import WORK, dag, task, tasks
from timegate.domain.actions.kinds.aws_lambda import LambdaAction
from timegate.domain.actions.kinds.sns import SnsAction
from timegate.domain.actions.kinds.sqs import SqsAction
from timegate.domain.actions.kinds.webhook import WebhookAction
from timegate.domain.actions.target_rules import TargetRules
from timegate.domain.dags.definition import (
    FailurePolicy,
    FanOut,
    InlineTask,
    Join,
    JoinKind,
)
from timegate.domain.dags.validation import problems_of
from timegate.domain.jobs.retry import RetryPolicy
from timegate.domain.jobs.slices import LongRun
from timegate.domain.limits.overlap import Overlap, OverlapPolicy
from timegate.domain.values.payload import MAX_PAYLOAD_BYTES
from timegate.domain.values.secrets import SecretRef

RULES = TargetRules(allowed={"lambda": ("*",), "sns": ("*",)})
TOPIC = SnsAction(topic_arn="arn:aws:sns:eu-central-1:000000000000:told")
QUEUE = SqsAction(queue_url="https://sqs.eu-central-1.amazonaws.com/000000000000/work")
SECRET = SecretRef(ssm_parameter="/other/secret")
HOOK = "https://example.com/hook"


def problems(**fields: object) -> list[tuple[str, str]]:
    """Field and code of what is wrong with the second of two tasks, which waits for the first."""
    definition = dag((task("first"), task("second", **fields)), "first -> second")
    found = problems_of(definition, RULES)
    return [(problem.field.removeprefix("tasks.1."), problem.code) for problem in found]


def template(value: object) -> str:
    """An input, as it is stored."""
    return json.dumps(value)


@pytest.mark.parametrize(
    ("spec", "field", "code"),
    [
        pytest.param(
            InlineTask(action=QUEUE), "job.action.queue_url", "target_not_allowed", id="target"
        ),
        pytest.param(
            InlineTask(action=LambdaAction(function_arn="work")),
            "job.action.function_arn",
            "invalid_arn",
            id="arn",
        ),
        pytest.param(
            InlineTask(action=WebhookAction(url="http://169.254.169.254/")),
            "job.action.url",
            "address_not_allowed",
            id="address",
        ),
        pytest.param(
            InlineTask(action=WebhookAction(url=HOOK, headers={"Authorization": "x"})),
            "job.action.headers.Authorization",
            "plaintext_secret",
            id="plain-secret",
        ),
        pytest.param(
            InlineTask(action=WebhookAction(url=HOOK, signing_secret=SECRET)),
            "job.action.signing_secret",
            "secret_not_allowed",
            id="secret",
        ),
        pytest.param(
            InlineTask(action=WORK.action, timeout_seconds=61),
            "job.timeout_seconds",
            "too_large",
            id="timeout",
        ),
        pytest.param(
            InlineTask(action=WORK.action, retry=RetryPolicy(initial_delay_seconds=900)),
            "job.retry.initial_delay_seconds",
            "too_large",
            id="retry",
        ),
        pytest.param(
            InlineTask(action=WORK.action, retry=RetryPolicy(max_attempts=1, window_seconds=9)),
            "job.retry.window_seconds",
            "without_effect",
            id="policies",
        ),
        pytest.param(
            InlineTask(action=TOPIC, long_run=LongRun(max_duration_seconds=90)),
            "job.long_run",
            "not_for_this_action",
            id="long-run",
        ),
        pytest.param(
            InlineTask(action=TOPIC, payload="1" * (MAX_PAYLOAD_BYTES)),
            "job.payload",
            "payload_too_large",
            id="message",
        ),
        pytest.param(
            InlineTask(action=WORK.action, overlap=Overlap(policy=OverlapPolicy.QUEUE)),
            "job.overlap.concurrency_key",
            "required",
            id="slots-of-its-own",
        ),
        pytest.param(
            InlineTask(action=WebhookAction(url=HOOK, headers={"x": "y" * 17_000})),
            "job",
            "definition_too_large",
            id="too-large",
        ),
    ],
)
def test_a_spec_is_refused_as_a_job_would_be(spec: InlineTask, field: str, code: str) -> None:
    """By the same rules, under the name of the task."""
    assert problems(spec=spec) == [(field, code)]


def test_a_task_shares_slots_that_it_names() -> None:
    """A concurrency key is the tenant's."""
    shared = Overlap(policy=OverlapPolicy.QUEUE, concurrency_key="warehouse")

    assert problems(spec=InlineTask(action=WORK.action, overlap=shared)) == []


def test_a_task_takes_no_longer_than_its_dag() -> None:
    """A task as long as its DAG is accepted."""
    spec = InlineTask(action=WORK.action, timeout_seconds=60)
    long = problems_of(dag((task("a", spec=spec),), timeout_seconds=59), RULES)

    assert problems_of(dag((task("a", spec=spec),), timeout_seconds=60), RULES) == ()
    assert [(p.field, p.code) for p in long] == [("tasks.0.job.timeout_seconds", "too_large")]


def test_a_task_is_sent_one_thing() -> None:
    """Its payload as it is, or what its input makes; a member of a fan-out its element."""
    spec = InlineTask(action=WORK.action, payload="{}")

    fan_out = FanOut(over="tasks.first.result")

    assert problems(spec=spec, input="{}") == [("job.payload", "contradictory")]
    assert problems(spec=spec, fan_out=fan_out) == [("job.payload", "contradictory")]
    assert problems(spec=spec) == []


@pytest.mark.parametrize(
    ("fan_out", "field", "code"),
    [
        pytest.param(FanOut(over="x", max_width=0), "max_width", "out_of_range", id="narrow"),
        pytest.param(FanOut(over="x", max_width=1_001), "max_width", "out_of_range", id="wide"),
        pytest.param(
            FanOut(over="x", join=Join(kind=JoinKind.AT_LEAST)),
            "join.count",
            "required",
            id="count",
        ),
        pytest.param(
            FanOut(over="x", join=Join(count=2)), "join.count", "not_for_this_join", id="all-count"
        ),
        pytest.param(
            FanOut(over="x", join=Join(kind=JoinKind.AT_LEAST, count=6), max_width=5),
            "join.count",
            "out_of_range",
            id="more-than-the-width",
        ),
        pytest.param(
            FanOut(over="x", join=Join(kind=JoinKind.SHARE)), "join.share", "required", id="share"
        ),
        pytest.param(
            FanOut(over="x", join=Join(kind=JoinKind.SHARE, share=1.01)),
            "join.share",
            "out_of_range",
            id="more-than-all",
        ),
        pytest.param(
            FanOut(over="x", join=Join(kind=JoinKind.SHARE, share=0.0)),
            "join.share",
            "out_of_range",
            id="share-of-nothing",
        ),
    ],
)
def test_a_fan_out_is_joined_by_what_it_can_give(fan_out: FanOut, field: str, code: str) -> None:
    """Beside the list, which is not there either."""
    assert problems(fan_out=fan_out) == [
        (f"fan_out.{field}", code),
        ("fan_out.over", "unknown_reference"),
    ]


@pytest.mark.parametrize(
    "join",
    [
        pytest.param(Join(), id="all"),
        pytest.param(Join(kind=JoinKind.AT_LEAST, count=1_000), id="as-many-as-there-may-be"),
        pytest.param(Join(kind=JoinKind.SHARE, share=1.0), id="share"),
    ],
)
def test_a_fan_out_over_a_result_is_accepted(join: Join) -> None:
    """Its members know their element and its place."""
    fan_out = FanOut(over="tasks.first.result.rows", join=join)
    member = template({"row": {"$ref": "item"}, "n": {"$ref": "index"}})

    assert problems(fan_out=fan_out, input=member) == []


def test_a_fan_out_is_over_what_is_there_before_it() -> None:
    """Not over a task that ends at any time, nor over its own element."""
    assert problems(fan_out=FanOut(over="tasks.second.result")) == [
        ("fan_out.over", "not_an_ancestor")
    ]
    assert problems(fan_out=FanOut(over="item.rows")) == [("fan_out.over", "unknown_reference")]


def test_an_input_refers_to_ancestors() -> None:
    """Every reference that does not is named by its place."""
    value = {
        "good": {"$ref": "tasks.first.result"},
        "self": {"$ref": "tasks.second.result"},
        "list": [{"$ref": "tasks.frist.state"}, {"$ref": "item"}],
        "bad": {"$ref": "tasks.first.result", "or": 1},
        "when": {"$ref": "run.started_at"},
    }

    assert problems(input=template(value)) == [
        ("input.self", "not_an_ancestor"),
        ("input.list.0", "unknown_task"),
        ("input.list.1", "unknown_reference"),
        ("input.bad", "invalid_reference"),
    ]


def test_an_input_has_the_size_of_a_payload() -> None:
    """The limit itself is accepted."""
    largest = template("x" * (MAX_PAYLOAD_BYTES - 2))

    assert problems(input=largest) == []
    assert problems(input=f"{largest} ") == [("input", "payload_too_large")]


def test_tasks_in_a_cycle_are_not_told_about_ancestors_besides() -> None:
    """No order says which comes first."""
    value = template({"$ref": "tasks.b.result"})
    definition = dag((task("a", input=value), task("b")), "a -> b", "b -> a")

    assert [problem.code for problem in problems_of(definition, RULES)] == ["cycle"]


@pytest.mark.parametrize(
    ("policy", "retries", "code"),
    [
        pytest.param(FailurePolicy.RETRY, 1, None, id="retry"),
        pytest.param(FailurePolicy.RETRY, 10, None, id="retry-as-often-as-it-may"),
        pytest.param(FailurePolicy.RETRY, 11, "out_of_range", id="retry-too-often"),
        pytest.param(FailurePolicy.RETRY, 0, "out_of_range", id="retry-never"),
        pytest.param(FailurePolicy.CONTINUE, 1, "not_for_this_policy", id="continue"),
        pytest.param(FailurePolicy.FAIL_FAST, 0, None, id="fail-fast"),
    ],
)
def test_only_the_policy_retry_tries_again(
    policy: FailurePolicy, retries: int, code: str | None
) -> None:
    """And it does so at least once."""
    found = problems_of(dag(tasks("a"), failure_policy=policy, max_retries=retries), RULES)

    assert [problem.code for problem in found] == ([code] if code else [])
