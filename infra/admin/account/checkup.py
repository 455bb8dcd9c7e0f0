"""``timegate doctor --aws``: has the account what a stage needs?"""

from collections.abc import Mapping

from infra.admin.account.comparison import Comparison, compare
from infra.admin.account.operator_session import operator_session
from infra.admin.account.quotas import AccountReader, recorded_choices
from infra.admin.stage_access import access_needed
from infra.stage.stage_context import stage_settings
from timegate.domain.moving.errors import MoveRefused

RIGHTS = (
    "lambda:GetAccountSettings and GetFunctionConcurrency, dynamodb:DescribeLimits and"
    " DescribeTable, apigateway:GET on /account, and cloudformation:DescribeStacks"
)


class WrongContext(MoveRefused):
    """The context names no stage that could be deployed."""

    code = "wrong_context"


def comparisons(stage: str, context: Mapping[str, str]) -> list[Comparison]:
    """Compare the account with a stage of these values of the CDK's context.

    Values that are not given are those of the last deployment, where there was one. Raises
    ``NoAccess``, and ``WrongContext`` for settings that no stage can have.
    """
    with access_needed(RIGHTS):
        # One of a pair is deployed in the Region of its choice, whatever the credentials name.
        reader = AccountReader(operator_session(context.get("region")))
        outputs = reader.outputs(stage)
        chosen = {**recorded_choices(outputs), **context, "stage": stage}
        try:
            settings = stage_settings(chosen.get)
        except ValueError as error:
            raise WrongContext(str(error)) from error
        return list(compare(settings, reader.quotas(stage, outputs)))
