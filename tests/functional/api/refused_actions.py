"""Actions that no job may have: each with its field and code."""

FUNCTION = f"arn:aws:lambda:eu-west-1:{'1' * 12}:function"
HOOK = "https://hooks.example.com/report"


def webhook(**fields: object) -> dict[str, object]:
    """A change of the action."""
    return {"action": {"type": "webhook", "url": HOOK, **fields}}


TARGETS: dict[str, dict[str, str]] = {
    "lambda": {"function_arn": f"{FUNCTION}:timegate-target-x"},
    "sqs": {"queue_url": f"https://sqs.eu-west-1.amazonaws.com/{1:012}/timegate-target-x"},
    "sns": {"topic_arn": f"arn:aws:sns:eu-west-1:{1:012}:timegate-target-x"},
    "eventbridge": {
        "bus_arn": f"arn:aws:events:eu-west-1:{1:012}:event-bus/timegate-target-x",
        "source": "billing",
        "detail_type": "invoice due",
    },
    "stepfunctions": {
        "state_machine_arn": f"arn:aws:states:eu-west-1:{1:012}:stateMachine:timegate-target-x"
    },
}


def message(kind: str, **fields: object) -> dict[str, object]:
    """A change of the action to one of AWS's."""
    return {"action": {"type": kind, **TARGETS[kind], **fields}}


ACTIONS = [
    (webhook(url="not a url"), "action.url", "invalid_url"),
    (webhook(url="ftp://example.com"), "action.url", "invalid_url"),
    (webhook(url="https://"), "action.url", "invalid_url"),
    (webhook(url="https://exa mple.com"), "action.url", "invalid_url"),
    (webhook(url="https://example.com\n.evil.org"), "action.url", "invalid_url"),
    (webhook(url="https://example.com:99999/"), "action.url", "invalid_url"),
    (webhook(url="https://[::1"), "action.url", "invalid_url"),
    (webhook(url=f"https://example.com/{'x' * 2048}"), "action.url", "too_long"),
    (webhook(url="https://me@example.com/"), "action.url", "plaintext_secret"),
    (webhook(url="http://localhost:8080/"), "action.url", "address_not_allowed"),
    (webhook(url="http://169.254.169.254/latest"), "action.url", "address_not_allowed"),
    (webhook(url="http://0x7f.1/"), "action.url", "address_not_allowed"),
    (webhook(url="https://example.com./"), "action.url", "invalid_url"),
    (webhook(signing_secret={}), "action.signing_secret", "required"),
    (webhook(signing_secret=["/a/b"]), "action.signing_secret", "wrong_type"),
    (webhook(signing_secret={"value": "x"}), "action.signing_secret.value", "unknown_field"),
    (
        webhook(signing_secret={"ssm_parameter": "arn:aws:ssm:us-east-1:1:parameter/keys"}),
        "action.signing_secret.ssm_parameter",
        "invalid_format",
    ),
    (
        webhook(signing_secret={"ssm_parameter": "keys"}),
        "action.signing_secret.ssm_parameter",
        "invalid_format",
    ),
    (
        webhook(signing_secret={"ssm_parameter": "/timegate-target/globex/keys"}),
        "action.signing_secret",
        "secret_not_allowed",
    ),
    (
        webhook(secret_headers={"Authorization": {"secret_arn": "x"}}),
        "action.secret_headers.Authorization.secret_arn",
        "invalid_arn",
    ),
    (
        webhook(secret_headers={"Authorization": "/timegate-target/acme/crm"}),
        "action.secret_headers.Authorization",
        "wrong_type",
    ),
    (webhook(success_statuses=[99]), "action.success_statuses.0", "too_small"),
    (webhook(success_statuses=[600]), "action.success_statuses.0", "too_large"),
    (webhook(success_statuses=[200, 200]), "action.success_statuses", "repeated"),
    (webhook(success_statuses=list(range(200, 221))), "action.success_statuses", "too_long"),
    (webhook(method="TRACE"), "action.method", "invalid_choice"),
    (webhook(body="x"), "action.body", "unknown_field"),
    (webhook(headers={"X": 5}), "action.headers.X", "wrong_type"),
    (webhook(headers={"Host": "a"}), "action.headers.Host", "reserved_header"),
    (webhook(headers={"Timegate-Fence": "9"}), "action.headers.Timegate-Fence", "reserved_header"),
    (webhook(headers={"Webhook-Id": "9"}), "action.headers.Webhook-Id", "reserved_header"),
    (
        webhook(headers={"Authorization": "${TOKEN}"}),
        "action.headers.Authorization",
        "plaintext_secret",
    ),
    (webhook(headers={"X-A": "1", "x-a": "2"}), "action.headers.x-a", "duplicate_header"),
    (webhook(headers={"X-A": "1\r\nHost: b"}), "action.headers.X-A", "invalid_header"),
    (webhook(headers={"bad name": "1"}), "action.headers", "invalid_header"),
    ({"action": {"type": "smoke_signal"}}, "action.type", "invalid_choice"),
    ({"action": {"type": "lambda"}}, "action.function_arn", "missing"),
    ({"action": {"type": "lambda", "function_arn": "x"}}, "action.function_arn", "invalid_arn"),
    (
        {"action": {"type": "lambda", "function_arn": f"{FUNCTION}:payroll"}},
        "action.function_arn",
        "target_not_allowed",
    ),
    (
        {
            "action": {
                "type": "sqs",
                "queue_url": f"https://sqs.eu-west-1.amazonaws.com/{1:012}/pay",
            }
        },
        "action.queue_url",
        "target_not_allowed",
    ),
    ({"action": {"type": "sqs", "queue_url": "x"}}, "action.queue_url", "target_not_allowed"),
    (message("sqs", message_group_id="a b"), "action.message_group_id", "invalid_format"),
    (message("sqs", message_group_id=""), "action.message_group_id", "too_short"),
    (message("sqs", subject="x"), "action.subject", "unknown_field"),
    (message("sns", message_group_id="x" * 129), "action.message_group_id", "too_long"),
    (message("sns", subject="x" * 100), "action.subject", "too_long"),
    (message("sns", subject="a\x85b"), "action.subject", "invalid_format"),
    (message("sns", subject="a\nb"), "action.subject", "invalid_format"),
    (message("sns", topic_arn="x"), "action.topic_arn", "invalid_arn"),
    (
        message("sns", topic_arn=f"arn:aws:sns:eu-west-1:{1:012}:pay"),
        "action.topic_arn",
        "target_not_allowed",
    ),
    (message("lambda", invocation="later"), "action.invocation", "invalid_choice"),
    (message("eventbridge", source="aws.ec2"), "action.source", "reserved_source"),
    (message("eventbridge", source=""), "action.source", "too_short"),
    (message("eventbridge", detail_type="x" * 129), "action.detail_type", "too_long"),
    (message("eventbridge", bus_arn="default"), "action.bus_arn", "invalid_arn"),
    (message("stepfunctions", mode="hope"), "action.mode", "invalid_choice"),
    (message("stepfunctions", state_machine_arn="x"), "action.state_machine_arn", "invalid_arn"),
    (
        message("sns") | {"payload": "x" * (254 * 1024)},
        "payload",
        "payload_too_large",
    ),
]
