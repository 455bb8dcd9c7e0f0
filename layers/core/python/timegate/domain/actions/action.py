"""The registry of actions: each kind is a file of ``kinds``, and is listed here.

Items, contracts, targets, words and the stage's lists of targets follow from the list.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import get_args

from timegate.domain.actions.kind import ActionKind
from timegate.domain.actions.kinds.aws_lambda import LambdaAction
from timegate.domain.actions.kinds.dag import DagAction
from timegate.domain.actions.kinds.ecs import EcsAction
from timegate.domain.actions.kinds.eventbridge import EventBridgeAction
from timegate.domain.actions.kinds.sns import SnsAction
from timegate.domain.actions.kinds.sqs import SqsAction
from timegate.domain.actions.kinds.stepfunctions import StepFunctionsAction
from timegate.domain.actions.kinds.webhook import WebhookAction
from timegate.domain.actions.kinds.worker import WorkerAction

Action = (
    WebhookAction
    | LambdaAction
    | SqsAction
    | SnsAction
    | EventBridgeAction
    | StepFunctionsAction
    | EcsAction
    | WorkerAction
    | DagAction
)

#: Kinds by their names.
KINDS: Mapping[str, type[ActionKind]] = MappingProxyType(
    {kind.type: kind for kind in get_args(Action)}
)
