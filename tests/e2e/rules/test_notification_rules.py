"""Notification rules on the deployed stack: streaks of jobs, told once by each kind of channel."""

import json
from collections.abc import Iterator
from functools import partial
from typing import Any

import pytest

from infra.local.webhook_target import Recorder
from tests.e2e.targets.test_targets import next_message, queue_named
from tests.support.deployed.stack import Stack, wait_until

pytestmark = pytest.mark.wide

RULES = "/v1/notification-rules"
TAGS = {"suite": "e2e-rules"}
#: A window that closes when it opens takes a whole day.
ALWAYS = {"windows": [{"opens": "00:00", "closes": "00:00"}]}


def put_rule(stack: Stack, name: str, **fields: object) -> None:
    """Store a rule about the jobs of this file."""
    answer = stack.api.put(f"{RULES}/{name}", json={"jobs": {"tags": TAGS}, **fields})
    assert answer.is_success, answer.text


def look(stack: Stack, recorder: Recorder) -> None:
    """Have the rules looked at now: a change of any makes it due, and a tick finds that."""
    channels = [{"url": recorder.url("rules-unused")}]
    put_rule(stack, "e2e-unused", enabled=False, when={"dead_letter": True}, channels=channels)
    tick = {"shards": [0]}
    # Another tick may hold the shard just now.
    wait_until(lambda: stack.invoke("SweeperFunctionName", tick)["shards"] or None, seconds=90)


@pytest.fixture
def heard(stack: Stack, no_rule_outlives_its_test: None) -> dict[str, str]:
    """Open a topic and a bus of the tenant; their ARNs, and the URLs of queues behind them."""
    sns, events = stack.aws("sns"), stack.aws("events")
    topic = sns.create_topic(Name=stack.target("oncall"))["TopicArn"]
    behind_topic, queue = queue_named(stack, "e2e-rules-topic")
    raw = {"RawMessageDelivery": "true"}
    sns.subscribe(TopicArn=topic, Protocol="sqs", Endpoint=queue, Attributes=raw)
    name = stack.target("rules")
    bus = events.create_event_bus(Name=name)["EventBusArn"]
    behind_bus, queue = queue_named(stack, "e2e-rules-bus")
    pattern = {"source": ["timegate"], "detail-type": ["rule.told"]}
    events.put_rule(Name="e2e-rules", EventBusName=name, EventPattern=json.dumps(pattern))
    events.put_targets(Rule="e2e-rules", EventBusName=name, Targets=[{"Id": "q", "Arn": queue}])
    return {"topic": topic, "bus": bus, "behind_topic": behind_topic, "behind_bus": behind_bus}


@pytest.fixture
def no_rule_outlives_its_test(stack: Stack) -> Iterator[None]:
    """A tenant with rules is looked at each minute."""
    yield
    for rule in stack.api.get(RULES).json()["items"]:
        stack.api.delete(f"{RULES}/{rule['name']}")


def holds(stack: Stack, count: int) -> bool | None:
    """Tell if so many events are on record as held back."""
    found = stack.aws("dynamodb").scan(
        TableName=stack.outputs["JobsTableName"],
        FilterExpression="begins_with(sk, :held)",
        ExpressionAttributeValues={":held": {"S": "held#"}},
    )
    return sum(len(item["events"]["L"]) for item in found["Items"]) == count or None


def chat(stack: Stack, recorder: Recorder, name: str) -> dict[str, Any]:
    """Keep the address of a chat as a secret of the tenant; the channel that names it."""
    parameter = f"/timegate-target/{stack.tenant('first')}/{name}"
    url = recorder.url(f"rules-{name}")
    stack.aws("ssm").put_parameter(Name=parameter, Value=url, Type="SecureString")
    return {"type": name, "url_secret": {"ssm_parameter": parameter}}


def recurring(stack: Stack, recorder: Recorder, name: str) -> str:
    """A job that recurs, and runs only when it is asked to."""
    job = stack.create_job(
        name=name,
        schedule={"kind": "cron", "cron": "0 7 1 1 *"},
        action={"type": "webhook", "url": recorder.url(name)},
        retry={"max_attempts": 1},
        tags=TAGS,
    )
    return str(job["job_id"])


def run(stack: Stack, job_id: str, state: str, count: int = 1) -> None:
    """Trigger runs of a job, and wait until so many have ended so."""
    for _ in range(count):
        stack.api.post(f"/v1/jobs/{job_id}/trigger").raise_for_status()
    stack.wait_for_runs(job_id, count, state=state)


def channels_of(
    stack: Stack, recorder: Recorder, secure_recorder: Recorder, heard: dict[str, str]
) -> list[dict[str, Any]]:
    """One channel of each kind."""
    return [
        {"url": recorder.url("rules-hook")},
        {"type": "sns", "topic_arn": heard["topic"]},
        {"type": "eventbridge", "bus_arn": heard["bus"]},
        *(chat(stack, secure_recorder, kind) for kind in ("slack", "teams")),
    ]


def assert_told_alike(
    stack: Stack, hooked: dict[str, Any], secure_recorder: Recorder, heard: dict[str, str]
) -> None:
    """Topic and bus have the events of the web hook, and chats their words."""
    (posted,) = secure_recorder.wait_for("rules-slack", 1)
    (carded,) = secure_recorder.wait_for("rules-teams", 1)
    published = json.loads(next_message(stack, heard["behind_topic"])["Body"])
    put = json.loads(next_message(stack, heard["behind_bus"])["Body"])["detail"]["payload"]
    words = str(hooked["events"][0]["text"]).removesuffix(".")

    assert [each["events"] for each in (published, put)] == [hooked["events"]] * 2
    assert words in json.dumps(posted.body["blocks"])
    assert words in json.dumps(carded.body["attachments"][0]["content"]["body"])


def events_of(document: dict[str, Any]) -> list[tuple[str, str]]:
    """Type and job of each event of a message, in the order of their jobs."""
    assert document["type"] == "rule.told"
    return sorted((each["type"], each["job"]["name"]) for each in document["events"])


def test_a_streak_is_told_by_each_channel_and_so_is_its_end(
    stack: Stack, recorder: Recorder, secure_recorder: Recorder, heard: dict[str, str]
) -> None:
    """Once each, by the tenant's own session; a job that failed once is told of by none."""
    recorder.answer("rules-import", 410, 410)
    recorder.answer("rules-single", 410)
    channels = channels_of(stack, recorder, secure_recorder, heard)
    when = {"failures_in_a_row": 2, "recovered": True}
    put_rule(stack, "e2e-streaks", when=when, channels=channels)
    broken, single = (recurring(stack, recorder, f"rules-{each}") for each in ("import", "single"))
    run(stack, broken, "failed", 2)
    run(stack, single, "failed")
    look(stack, recorder)
    (hooked,) = recorder.wait_for("rules-hook", 1)
    assert_told_alike(stack, hooked.body, secure_recorder, heard)
    run(stack, broken, "succeeded")
    look(stack, recorder)
    recovered = recorder.wait_for("rules-hook", 2)[1]

    assert events_of(hooked.body) == [("failures", "rules-import")]
    text = "rules-import: 2 runs in a row failed (http_410)."
    assert hooked.body["events"][0]["text"] == text
    assert events_of(recovered.body) == [("recovered", "rules-import")]
    assert recovered.body["events"][0]["condition"] == "failures"
    assert len(recorder.requests("rules-hook")) == 2
    assert stack.other_api.get(RULES).json()["items"] == []


@pytest.mark.usefixtures("no_rule_outlives_its_test")
def test_what_happens_in_quiet_hours_is_told_after_them(stack: Stack, recorder: Recorder) -> None:
    """A dead letter and its recovery, in one message."""
    recorder.answer("rules-export", 503)
    rule = {
        "when": {"dead_letter": True, "recovered": True},
        "channels": [{"url": recorder.url("rules-night")}],
    }
    put_rule(stack, "e2e-night", **rule, quiet_hours=ALWAYS)
    lost = recurring(stack, recorder, "rules-export")
    for count, state in enumerate(("dead_lettered", "succeeded"), start=1):
        run(stack, lost, state)
        look(stack, recorder)
        wait_until(partial(holds, stack, count), seconds=30)
    before = recorder.requests("rules-night")
    put_rule(stack, "e2e-night", **rule)
    look(stack, recorder)
    (morning,) = recorder.wait_for("rules-night", 1)
    delivery = stack.api.get(f"/v1/runs/{morning.body['notification_id']}").json()

    assert before == []
    assert events_of(morning.body) == [
        ("dead_letter", "rules-export"),
        ("recovered", "rules-export"),
    ]
    assert delivery["run_id"] == morning.body["notification_id"]
