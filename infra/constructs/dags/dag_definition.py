"""The definition of the state machine of DAG runs, in the Amazon States Language.

AWS counts a transition for the start and for each state that is entered. A DAG run of n tasks that
succeeds enters ``Tasks``, n times ``Task``, and ``Close``: n + 3. So whatever needs a state besides
is done by the functions that begin and answer the execution.
"""

from typing import Any

from timegate.ports.dag_runs import DAG_RUN_FAILED

#: The longest a DAG run can take (30 days), and a margin in which its end is heard of.
_LONGEST_SECONDS = 31 * 86_400
#: For so many tasks an execution waits at once. Which of them ends first is nothing to it, and
#: each wait begins with an invocation: all at once, of a hundred DAG runs at midnight, were too
#: many for an account.
_WAITS = 2
#: Errors of a step: it may have died, or been refused by a table, and each can be repeated. Deaths
#: have many names (``Sandbox.Timedout``, ``Runtime.ExitError``, ...). Lambda may also refuse them
#: for long, where an account has no concurrency left, and a DAG run whose tasks are well would be
#: stopped for it. Nothing waits for a step but its execution; the history has room for no more.
_RETRIED = {
    "ErrorEquals": ["States.TaskFailed"],
    "IntervalSeconds": 1,
    "MaxAttempts": 9,
    "BackoffRate": 3,
    "MaxDelaySeconds": 900,
    "JitterStrategy": "FULL",
}
#: No step failed: the DAG run has ended so.
_ENDED = {"ErrorEquals": [DAG_RUN_FAILED], "MaxAttempts": 0}
#: Parts of the execution's input for the function; its tasks are told one by one.
_RUN = {f"{name}.$": f"$$.Execution.Input.{name}" for name in ("tenant", "dag_run_id", "round")}


def definition(function: str, partition: str) -> dict[str, Any]:
    """The machine in the Amazon States Language, over the function of its steps.

    ``partition``: of the account, which is known at deployment; GovCloud and China have their own.
    """
    invoke = f"arn:{partition}:states:::lambda:invoke"
    caught = {"ErrorEquals": ["States.ALL"], "ResultPath": "$.error", "Next": "Cleanup"}
    failed = {"ErrorEquals": [DAG_RUN_FAILED], "ResultPath": "$.error", "Next": "Failed"}
    return {
        "Comment": "A run of a DAG. Readiness is decided in DynamoDB; this waits, and cleans up.",
        "StartAt": "Tasks",
        "TimeoutSeconds": _LONGEST_SECONDS,
        "States": {
            "Tasks": {
                "Type": "Map",
                "ItemsPath": "$.tasks",
                "ItemSelector": {"key.$": "$$.Map.Item.Value"},
                "MaxConcurrency": _WAITS,
                "ItemProcessor": {
                    "ProcessorConfig": {"Mode": "INLINE"},
                    "StartAt": "Task",
                    "States": {
                        "Task": {**_wait(invoke, function, "task", key="$.key"), "End": True}
                    },
                },
                "ResultPath": None,
                "Catch": [caught],
                "Next": "Close",
            },
            "Close": {
                **_wait(invoke, function, "close"),
                "Retry": [_ENDED, _RETRIED],
                "Catch": [failed, caught],
                "End": True,
            },
            "Failed": {"Type": "Fail", "Error": DAG_RUN_FAILED, "Cause": "See the DAG run."},
            "Cleanup": {
                "Type": "Task",
                "Resource": invoke,
                "Parameters": {
                    "FunctionName": function,
                    "Payload": {"step": "cleanup", "run": _RUN},
                },
                "TimeoutSeconds": 120,
                "Retry": [_RETRIED],
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


def _wait(invoke: str, function: str, step: str, **more: str) -> dict[str, Any]:
    """A callback: the function leaves the token where the end is known, and that answers."""
    payload = {
        "step": step,
        "run": _RUN,
        "token.$": "$$.Task.Token",
        **{f"{name}.$": path for name, path in more.items()},
    }
    return {
        "Type": "Task",
        "Resource": f"{invoke}.waitForTaskToken",
        "Parameters": {"FunctionName": function, "Payload": payload},
        "TimeoutSeconds": _LONGEST_SECONDS,
        "Retry": [_RETRIED],
    }
