"""``timegate admin preflight``: may this assembly be deployed over its stage?"""

from collections.abc import Sequence
from pathlib import Path

from infra.admin.account.operator_session import operator_session
from infra.admin.stage_access import access_needed
from infra.preflight.deployed import Deployed, read_deployed
from infra.preflight.objections import objections
from infra.preflight.planned import Planned, read_planned
from timegate.domain.moving.errors import MoveRefused

RIGHTS = (
    "cloudformation:DescribeStacks and ListImports, lambda:GetAccountSettings and"
    " GetFunctionConcurrency"
)


class NotSynthesised(MoveRefused):
    """The folder has no assembly."""

    code = "nothing_synthesised"

    def __init__(self, app: str) -> None:
        super().__init__(f"{app} has no assembly: make synth writes one.")


def objections_to(app: Path, dropped: Sequence[str]) -> list[str]:
    """List every objection; reads the account, and changes nothing.

    Raises ``NoAccess`` and ``NotSynthesised``.
    """
    try:
        planned = read_planned(app)
    except FileNotFoundError as error:
        raise NotSynthesised(str(app)) from error
    with access_needed(RIGHTS):
        return list(objections(planned, _deployed(planned), dropped))


def _deployed(planned: Planned) -> Deployed:
    session = operator_session(planned.region)
    formation, lambdas = session.client("cloudformation"), session.client("lambda")
    try:
        return read_deployed(planned.stacks, tuple(planned.reserved), formation, lambdas)
    finally:
        formation.close()
        lambdas.close()
