"""A stack of a stage: the stage's name, its tag, and the environment that it is deployed to."""

from aws_cdk import CliCredentialsStackSynthesizer, Environment, Stack, Tags
from constructs import Construct

from infra.stage.settings import StageSettings


class StageStack(Stack):
    """``Timegate-<stage>-<name>``, whatever app it is part of."""

    def __init__(
        self,
        scope: Construct,
        name: str,
        *,
        settings: StageSettings,
        meaning: str,
        env: Environment | None,
        keeps_data: bool = False,
    ) -> None:
        super().__init__(
            scope,
            name,
            stack_name=f"Timegate-{settings.name}-{name}",
            env=env,
            synthesizer=None if settings.bootstrapped else CliCredentialsStackSynthesizer(),
            description=f"Timegate {settings.name}: {meaning}",
            termination_protection=keeps_data and settings.retain_data,
        )
        Tags.of(self).add("timegate:stage", settings.name)
