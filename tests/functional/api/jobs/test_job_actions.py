"""Every type of action is read as it was given."""

import pytest

from tests.support.api import Api


@pytest.mark.parametrize(
    "action",
    [
        {"type": "webhook", "url": "http://[2606:4700:4700::1111]/x?y=1", "method": "PUT"},
        {
            "type": "lambda",
            "function_arn": f"arn:aws:lambda:eu-west-1:{'1' * 12}:function:{{}}",
            "invocation": "async",
        },
        {
            "type": "sqs",
            "queue_url": f"https://sqs.eu-west-1.amazonaws.com/{'1' * 12}/{{}}.fifo",
            "message_group_id": "acme",
        },
        {
            "type": "sns",
            "topic_arn": f"arn:aws:sns:eu-west-1:{'1' * 12}:{{}}",
            "subject": "Grüße",
            "message_group_id": "acme",
        },
        {
            "type": "eventbridge",
            "bus_arn": f"arn:aws:events:eu-west-1:{'1' * 12}:event-bus/{{}}",
            "source": "billing",
            "detail_type": "invoice due",
        },
        {
            "type": "stepfunctions",
            "state_machine_arn": "arn:aws:states:eu-west-1:111122223333:stateMachine:{}:live",
            "mode": "wait",
        },
        {"type": "worker", "pool": "reports", "handler": "sales.Report_1"},
    ],
    ids=lambda action: action["type"],
)
def test_every_type_of_action_can_be_created(api: Api, action: dict[str, str]) -> None:
    """AWS resources by the stage's allow-lists; what is given is what is read."""
    named = {name: text.replace("{}", "timegate-target-x") for name, text in action.items()}
    created = api.create(action=named)
    read = api.send("GET", f"/v1/jobs/{created['job_id']}").body

    assert named.items() <= created["action"].items()
    assert read["action"] == created["action"]


DAG = {
    "name": "nightly",
    "tasks": [
        {"key": "load", "job": {"action": {"type": "worker", "pool": "etl", "handler": "load"}}}
    ],
}


def test_a_job_starts_a_dag_of_its_tenant(api: Api) -> None:
    """The DAG must exist at the job's creation and at each change of the action."""
    dag_id = api.send("POST", "/v1/dags", DAG).body["dag_id"]
    job = api.create(action={"type": "dag", "dag_id": dag_id}, payload={"day": 1})
    gone = api.send("POST", "/v1/dags", DAG).body["dag_id"]
    api.send("DELETE", f"/v1/dags/{gone}")
    refused = [
        api.send("PATCH", f"/v1/jobs/{job['job_id']}", changes).fields
        for changes in (
            {"action": {"type": "dag", "dag_id": gone}},
            {"action": {"type": "dag", "dag_id": "b" * 26}},
            {"action": {"type": "dag", "dag_id": "nightly"}},
            {"payload": [1]},
        )
    ]
    others = api.send(
        "POST",
        "/v1/jobs",
        {"name": "x", "schedule": {"kind": "immediate"}, "action": job["action"]},
        tenant="globex",
    )

    assert job["action"] == {"type": "dag", "dag_id": dag_id}
    assert refused == [
        [("action.dag_id", "dag_deleted")],
        [("action.dag_id", "unknown_dag")],
        [("action.dag_id", "unknown_dag")],
        [("payload", "not_an_object")],
    ]
    assert others.fields == [("action.dag_id", "unknown_dag")]


def test_a_job_that_comes_to_start_a_dag_has_parameters(api: Api) -> None:
    """The payload that stays must be an object as well."""
    dag_id = api.send("POST", "/v1/dags", DAG).body["dag_id"]
    job_id = api.create(payload=[1])["job_id"]
    changes = {"action": {"type": "dag", "dag_id": dag_id}}
    refused = api.send("PATCH", f"/v1/jobs/{job_id}", changes)
    changed = api.send("PATCH", f"/v1/jobs/{job_id}", {**changes, "payload": None})

    assert refused.fields == [("payload", "not_an_object")]
    assert changed.status == 200


def test_no_task_starts_a_dag(api: Api) -> None:
    """Nor by a job that does: two could start each other for ever."""
    dag_id = api.send("POST", "/v1/dags", DAG).body["dag_id"]
    task = {"key": "again", "job": {"action": {"type": "dag", "dag_id": dag_id}}}
    refused = api.send("POST", "/v1/dags", {"name": "loop", "tasks": [task]})

    assert refused.fields == [("tasks.0.job.action.type", "not_for_a_task")]


def test_a_web_hook_names_its_secrets_and_shows_none(api: Api) -> None:
    """Callers who may read the job read the secrets' places."""
    place = f"eu-west-1:{'1' * 12}"
    secret = f"arn:aws:secretsmanager:{place}:secret:timegate-target/acme/crm-a1B2c3"
    action = {
        "type": "webhook",
        "url": "https://hooks.example.com/report",
        "secret_headers": {"Authorization": {"secret_arn": secret, "json_key": "token"}},
        "signing_secret": {"ssm_parameter": "/timegate-target/acme/keys"},
        "success_statuses": [200, 409],
    }
    created = api.create(action=action)["action"]

    assert created["secret_headers"] == {
        "Authorization": {"secret_arn": secret, "ssm_parameter": None, "json_key": "token"}
    }
    assert created["signing_secret"] == {
        "secret_arn": None,
        "ssm_parameter": "/timegate-target/acme/keys",
        "json_key": None,
    }
    assert created["success_statuses"] == [200, 409]
