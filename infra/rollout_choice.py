"""Rollouts: how invocations of a stage's functions move from one version to the next."""

from collections.abc import Callable, Mapping

#: The alias of each function: Timegate is invoked by it.
LIVE = "live"
AT_ONCE = "at-once"
#: By the name that the context gives; CodeDeploy has each of these configurations in every account
#: (CodeDeploy user guide, Deployment configurations on an AWS Lambda compute platform).
ROLLOUTS: Mapping[str, str | None] = {
    AT_ONCE: None,
    "canary": "CodeDeployDefault.LambdaCanary10Percent5Minutes",
    "slow-canary": "CodeDeployDefault.LambdaCanary10Percent15Minutes",
    "linear": "CodeDeployDefault.LambdaLinear10PercentEvery1Minute",
}


class RolloutError(ValueError):
    """The ``rollout`` context names no way to move invocations."""


def rollout_choice(context: Callable[[str], str | None], default: str) -> str:
    """Read ``rollout``; raises ``RolloutError``."""
    chosen = context("rollout") or default
    if chosen not in ROLLOUTS:
        raise RolloutError(f"rollout: {chosen!r} is none of {', '.join(ROLLOUTS)}")
    return chosen
