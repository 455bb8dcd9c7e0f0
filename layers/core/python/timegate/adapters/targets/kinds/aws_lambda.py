"""Lambda functions: a run ends as they return, once Lambda has the event, or as they call back."""

import json
from typing import TYPE_CHECKING, Any

from timegate.adapters.targets.action_target import ActionTarget, TargetServices
from timegate.adapters.targets.aws.aws_failures import classified
from timegate.adapters.targets.aws.work_requests import doing
from timegate.adapters.targets.continuations import continuation_in
from timegate.adapters.targets.failures import permanent, retryable
from timegate.adapters.targets.run_context import envelope
from timegate.domain.actions.kinds.aws_lambda import Invocation, LambdaAction
from timegate.domain.actions.target_rules import TargetRules
from timegate.domain.execution.call import Answer, Call
from timegate.domain.runs.run_result import MAX_EXAMINED, excerpt, whole
from timegate.domain.values.tenant import TenantId

if TYPE_CHECKING:
    from mypy_boto3_lambda import LambdaClient
    from mypy_boto3_lambda.literals import InvocationTypeType

_PERMANENT = frozenset(
    {
        "InvalidRequestContentException",
        "InvalidRuntimeException",
        "InvalidSecurityGroupIDException",
        "InvalidSubnetIDException",
        "InvalidZipFileException",
        "ModeNotSupportedException",
        "NoPublishedVersionException",
        "RecursiveInvocationException",
        "RequestTooLargeException",
        "SerializedRequestEntityTooLargeException",
        "UnsupportedMediaTypeException",
    }
)
#: Characters of an error's type, as of one that a worker reports.
_MAX_TYPE = 128
_INVOCATION_TYPES: "dict[Invocation, InvocationTypeType]" = {
    Invocation.SYNC: "RequestResponse",
    Invocation.ASYNC: "Event",
    Invocation.CALLBACK: "Event",
}


class LambdaTarget(ActionTarget):
    """Invokes allow-listed functions."""

    def __init__(self, client: "LambdaClient", rules: TargetRules, *, api_url: str = "") -> None:
        self._client = client
        self._rules = rules
        self._api_url = api_url

    def invoke(self, call: Call, action: LambdaAction) -> Answer:
        """Invoke, and wait for the function if it is to be waited for; raises ``TargetFailed``."""
        if not self._rules.allows(action.type, call.tenant, action.function_arn):
            raise permanent("target_not_allowed", "NotAllowed", "The function is not allow-listed.")
        with doing(call), classified("lambda", permanent_codes=_PERMANENT):
            answer = self._client.invoke(
                FunctionName=action.function_arn,
                InvocationType=_INVOCATION_TYPES[action.invocation],
                Payload=envelope(call, api_url=self._api_url).encode(),
                **_isolation(call.tenant, action),
            )
            body = answer["Payload"].read().decode(errors="replace")
        if "FunctionError" in answer:
            raise _function_error(body)
        if action.invocation is not Invocation.SYNC:
            return Answer(text="event queued", accepted=call.callback is not None)
        return Answer(text=excerpt(body), whole=whole(body), continuation=continuation_in(body))


def _isolation(tenant: TenantId, action: LambdaAction) -> dict[str, Any]:
    """Name the tenant whose environments Lambda is to use, where the action says so.

    `Lambda's ids <https://docs.aws.amazon.com/lambda/latest/api/API_Invoke.html>`_ have no ``|``,
    and names of tenants no ``/``: each tenant keeps an id of its own.
    """
    return {"TenantId": tenant.replace("|", "/")} if action.tenant_isolation else {}


def _function_error(body: str) -> Exception:
    """The function raised; what it raised is the error's type."""
    try:
        # A longer text is no error that Lambda wrote, and takes long to read.
        raised = json.loads(body) if len(body) <= MAX_EXAMINED else {}
    except (ValueError, RecursionError):
        raised = {}
    kind = raised.get("errorType") if isinstance(raised, dict) else None
    return retryable("function_error", _printable(str(kind or "Unknown")), excerpt(body))


def _printable(kind: str) -> str:
    """Bound a type, which a function chooses: it is stored, where half a letter is refused."""
    return "".join(each if each.isprintable() else "?" for each in kind[:_MAX_TYPE])


def build(services: TargetServices) -> LambdaTarget:
    """Build the target; its calls last as long as the function works."""
    client = services.clients.client("lambda", waits=True)
    return LambdaTarget(client, services.rules, api_url=services.api_url)
