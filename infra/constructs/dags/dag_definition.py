"""The definition of the state machine of DAG runs, in the Amazon States Language."""

from typing import Any

#: The longest a DAG run can take (30 days), and a margin in which its end is heard of.
_LONGEST_SECONDS = 31 * 86_400
#: For so many tasks an execution waits at once. Which of them ends first is nothing to it, and
#: each wait begins with an invocation: all at once, of a hundred DAG runs at midnight, were too
#: many for an account.
_WAITS = 2
#: Whatever a step fails with: it may have died, or been refused by a table, and each can be
#: repeated. Deaths have many names (``Sandbox.Timedout``, ``Runtime.ExitError``, ...).
_RETRIED = [
    {
        "ErrorEquals": ["States.TaskFailed"],
        "IntervalSeconds": 1,
        "MaxAttempts": 8,
        "BackoffRate": 2,
        "MaxDelaySeconds": 60,
        "JitterStrategy": "FULL",
    }
]


def definition(function: str) -> dict[str, Any]:
    """The machine in the Amazon States Language, over the function of its steps."""
    caught = [{"ErrorEquals": ["States.ALL"], "ResultPath": "$.error", "Next": "Cleanup"}]
    return {
        "Comment": "A run of a DAG. Readiness is decided in DynamoDB; this waits, and cleans up.",
        "StartAt": "Open",
        "TimeoutSeconds": _LONGEST_SECONDS,
        "States": {
            "Open": {
                **_invoke(function, {"step": "open", "run.$": "$$.Execution.Input"}, 120),
                "ResultSelector": {"tasks.$": "$.Payload.tasks"},
                "ResultPath": "$.opened",
                "Catch": caught,
                "Next": "Tasks",
            },
            "Tasks": {
                "Type": "Map",
                "ItemsPath": "$.opened.tasks",
                "ItemSelector": {"key.$": "$$.Map.Item.Value"},
                "MaxConcurrency": _WAITS,
                "ItemProcessor": {
                    "ProcessorConfig": {"Mode": "INLINE"},
                    "StartAt": "Task",
                    "States": {"Task": {**_wait(function, "task", key="$.key"), "End": True}},
                },
                "ResultPath": None,
                "Catch": caught,
                "Next": "Close",
            },
            "Close": {
                **_wait(function, "close"),
                "ResultPath": "$.closed",
                "Catch": caught,
                "Next": "HowItEnded",
            },
            "HowItEnded": {
                "Type": "Choice",
                "Choices": [
                    {
                        "Variable": "$.closed.status",
                        "StringEquals": "succeeded",
                        "Next": "Succeeded",
                    }
                ],
                "Default": "Failed",
            },
            "Succeeded": {"Type": "Succeed"},
            "Failed": {"Type": "Fail", "Error": "DagRunFailed", "Cause": "See the DAG run."},
            "Cleanup": {
                **_invoke(function, {"step": "cleanup", "run.$": "$$.Execution.Input"}, 120),
                "ResultPath": None,
                "Next": "CleanedUp",
            },
            "CleanedUp": {
                "Type": "Fail",
                "Error": "ExecutionFailed",
                "Cause": "The execution failed; its DAG run was stopped.",
            },
        },
    }


def _invoke(function: str, payload: dict[str, str], seconds: int) -> dict[str, Any]:
    return {
        "Type": "Task",
        "Resource": "arn:aws:states:::lambda:invoke",
        "Parameters": {"FunctionName": function, "Payload": payload},
        "TimeoutSeconds": seconds,
        "Retry": _RETRIED,
    }


def _wait(function: str, step: str, **more: str) -> dict[str, Any]:
    """A callback: the function leaves the token where the end is known, and that answers."""
    payload = {
        "step": step,
        "run.$": "$$.Execution.Input",
        "token.$": "$$.Task.Token",
        **{f"{name}.$": path for name, path in more.items()},
    }
    return {
        "Type": "Task",
        "Resource": "arn:aws:states:::lambda:invoke.waitForTaskToken",
        "Parameters": {"FunctionName": function, "Payload": payload},
        "TimeoutSeconds": _LONGEST_SECONDS,
        "Retry": _RETRIED,
    }
