"""Lambda functions, invoked synchronously: the run ends when the function returns."""

import json
from typing import TYPE_CHECKING, Any

from botocore.exceptions import BotoCoreError, ClientError, ReadTimeoutError

from timegate.adapters.targets.excerpt import excerpt
from timegate.adapters.targets.failures import permanent, retryable, timed_out
from timegate.domain.action import LambdaAction
from timegate.domain.call import Answer, Call
from timegate.domain.instants import rfc3339
from timegate.domain.target_rules import TargetRules

if TYPE_CHECKING:
    from mypy_boto3_lambda import LambdaClient

#: Refusals that the same request would meet again; throttles and outages may pass.
_PERMANENT = frozenset(
    {
        "AccessDeniedException",
        "InvalidRequestContentException",
        "InvalidParameterValueException",
        "RequestTooLargeException",
        "ResourceNotFoundException",
        "ValidationException",
    }
)


class LambdaTarget:
    """Invokes allow-listed functions."""

    def __init__(self, client: "LambdaClient", rules: TargetRules) -> None:
        self._client = client
        self._rules = rules

    def invoke(self, call: Call, action: LambdaAction) -> Answer:
        """Invoke and wait; raises ``TargetFailed``."""
        if not self._rules.allows_function(action.function_arn):
            raise permanent("target_not_allowed", "NotAllowed", "The function is not allow-listed.")
        try:
            answer = self._client.invoke(
                FunctionName=action.function_arn, Payload=json.dumps(_event(call)).encode()
            )
            body = answer["Payload"].read().decode(errors="replace")
        except ReadTimeoutError as error:
            raise timed_out("The function did not return in time.") from error
        except ClientError as error:
            raise _refused(error) from error
        except BotoCoreError as error:
            raise retryable("connection_failed", type(error).__name__, str(error)) from error
        if "FunctionError" in answer:
            raise _function_error(body)
        return Answer(text=excerpt(body))


def _event(call: Call) -> dict[str, Any]:
    return {
        "payload": json.loads(call.payload) if call.payload is not None else None,
        "timegate": {
            "run_id": str(call.attempt.run),
            "idempotency_key": call.idempotency_key,
            "fence": call.fence,
            "attempt": call.attempt.number,
            "scheduled_at": rfc3339(call.scheduled_at),
        },
    }


def _refused(error: ClientError) -> Exception:
    code = error.response["Error"]["Code"]
    if code in _PERMANENT:
        return permanent("lambda_refused", code, str(error))
    return retryable("lambda_unavailable", code, str(error))


def _function_error(body: str) -> Exception:
    """The function raised; what it raised is the error's type."""
    try:
        raised = json.loads(body)
    except ValueError:
        raised = {}
    kind = str(raised.get("errorType", "Unknown")) if isinstance(raised, dict) else "Unknown"
    return retryable("function_error", kind, excerpt(body))
