"""Jobs of a stage that a stack of an app declares."""

import json
from collections.abc import Mapping, Sequence
from math import isfinite
from pathlib import Path

from aws_cdk import CustomResource, Duration, RemovalPolicy, Stack, Token
from aws_cdk import aws_iam as iam
from aws_cdk import aws_lambda as lambda_
from aws_cdk import aws_logs as logs
from aws_cdk import aws_secretsmanager as secrets
from constructs import Construct

from infra.constructs.api.program_access import PROFILE_SECRET
from infra.stacks.timegate import Timegate
from timegate.declaring.declarations import declaration_of, declared
from timegate.domain.values.errors import InvalidInput

_DECLARER = Path(__file__).with_name("declarer.py")
#: Documents of one resource: validated and made well within the time of an invocation.
MAX_DOCUMENTS = 500
#: The longest that Lambda allows; CloudFormation waits for a minute more.
_TIMEOUT = Duration.minutes(15)
_WAITED_FOR = Duration.minutes(16)


class NotDeclarable(ValueError):
    """The documents cannot be declared; the message begins with a code."""

    def __init__(self, code: str, why: str) -> None:
        super().__init__(f"{code}: {why}")
        self.code = code


class Declarations(Construct):
    """Jobs, DAGs, calendars, notification rules and event triggers of one tenant of a stage.

    ``documents`` are those of ``timegate apply``, and are made, changed and ended with the stack.
    Texts in a ``spec`` may be known at deployment alone, such as the ARN of a function. ``sdk`` is
    a layer with the package ``timegate``. ``stage`` is a stage of the app, with the ``tenant`` that
    is meant, or the secret with a profile of any other. Raises ``NotDeclarable`` and
    ``NotGranted``.
    """

    def __init__(
        self,
        scope: Construct,
        construct_id: str,
        *,
        documents: Sequence[Mapping[str, object]],
        sdk: lambda_.ILayerVersion,
        stage: Timegate | secrets.ISecret,
        tenant: str | None = None,
    ) -> None:
        text = _text_of(Stack.of(scope), documents)
        super().__init__(scope, construct_id)
        function = self._function(sdk)
        if isinstance(stage, Timegate):
            granted = stage.grant_schedule(function, tenant)
        else:
            granted = stage.grant_read(function)
            function.add_environment(PROFILE_SECRET, stage.secret_arn)
        resource = CustomResource(
            self,
            "Documents",
            resource_type="Custom::TimegateDeclarations",
            service_token=function.function_arn,
            service_timeout=_WAITED_FOR,
            # The function reads the profile; another one has CloudFormation call it.
            properties={"Documents": text, "Profile": _secret_of(granted)},
        )
        if isinstance(stage, Timegate):
            # The stage serves before jobs are made, and until they have ended.
            resource.node.add_dependency(*stage.stacks)
        # A policy that came later, or went earlier, would leave a request without the profile.
        resource.node.add_dependency(function)

    def _function(self, sdk: lambda_.ILayerVersion) -> lambda_.Function:
        log = logs.LogGroup(
            self,
            "Log",
            retention=logs.RetentionDays.ONE_MONTH,
            removal_policy=RemovalPolicy.DESTROY,
        )
        return lambda_.Function(
            self,
            "Function",
            description="Declares jobs of Timegate for CloudFormation",
            runtime=lambda_.Runtime.PYTHON_3_13,
            # The layer has the rest: the version of the SDK is the app's choice.
            code=lambda_.Code.from_inline(_DECLARER.read_text()),
            handler="index.handle",
            layers=[sdk],
            timeout=_TIMEOUT,
            memory_size=512,
            log_group=log,
        )


def _secret_of(granted: iam.Grant) -> str:
    """Return the ARN of the secret that a grant is on."""
    (statement,) = granted.principal_statements
    return statement.resources[0]


def _text_of(stack: Stack, documents: Sequence[Mapping[str, object]]) -> str:
    """Return the documents as JSON; raises ``NotDeclarable``."""
    if len(documents) > MAX_DOCUMENTS:
        why = f"{len(documents)} documents are more than {MAX_DOCUMENTS}: make two of it."
        raise NotDeclarable("too_many_documents", why)
    for number, document in enumerate(documents):
        if not isinstance(document, Mapping):
            why = f"documents.{number} is {document!r}; documents are a list of mappings."
            raise NotDeclarable("invalid_document", why)
        if Token.is_unresolved(document.get("name")):
            why = f"documents.{number}.name identifies it, and is known at deployment alone."
            raise NotDeclarable("unknown_at_synthesis", why)
    text = _json(stack, list(documents), "documents")
    try:
        declared(declaration_of(each, f"documents.{n}") for n, each in enumerate(documents))
    except InvalidInput as refused:
        raise NotDeclarable(refused.code, str(refused)) from refused
    return text


def _json(stack: Stack, value: object, place: str) -> str:
    """Write JSON with the stack's references in it.

    The CDK's own writer would take ``None`` out of a payload.
    """
    match value:
        case Mapping():
            members = (
                f"{_name(name, place)}:{_json(stack, inner, f'{place}.{name}')}"
                for name, inner in value.items()
            )
            return f"{{{','.join(members)}}}"
        case [str(only)] if Token.is_unresolved([only]) and not Token.is_unresolved(only):
            # A list of which the CDK knows neither members nor length.
            raise _unknown(place)
        case list() | tuple():
            items = (_json(stack, each, f"{place}.{n}") for n, each in enumerate(value))
            return f"[{','.join(items)}]"
        case str() if Token.is_unresolved(value):
            return stack.to_json_string(value)
        case float() if isfinite(value) and Token.is_unresolved(value):
            raise _unknown(place)
        case _:
            return _plain(value, place)


def _name(name: object, place: str) -> str:
    """Write a member's name; raises ``NotDeclarable`` for the truth values of YAML 1.1."""
    if name is None or isinstance(name, bool):
        why = f"{place} has the name {name}, which is no text: YAML 1.1 reads on, no and ~ so."
        raise NotDeclarable("no_json", f"{why} Write it in quotes.")
    return json.dumps(str(name))


def _unknown(place: str) -> NotDeclarable:
    why = f"{place} is known at deployment alone, and is no text."
    return NotDeclarable("unknown_at_synthesis", why)


def _plain(value: object, place: str) -> str:
    try:
        return json.dumps(value, allow_nan=False)
    except (TypeError, ValueError) as error:
        raise NotDeclarable("no_json", f"{place}: {error}.") from error
