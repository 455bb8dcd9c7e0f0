"""Names of stages in one app: resources are called after their stage, which is there once."""

import json

from aws_cdk import Environment, Stage, Token
from constructs import Construct

from infra.stage.given.props import PropError
from infra.stage.settings import StageSettings

_KEPT = "timegate:stage"


class StageTaken(ValueError):
    """The app has a stage of this name in the same account and Region."""

    code = "stage_taken"

    def __init__(self, name: str, path: str) -> None:
        super().__init__(
            f"{self.code}: {path} has a stage {name!r} already, and everything that it deploys is"
            " called after it. Give this one another stage, with like= the one whose settings it"
            " has, or env= of another account or Region."
        )


def environment_of(settings: StageSettings, env: Environment | None) -> Environment | None:
    """Return where a stage is deployed; ``None``: wherever the deployment is.

    One of a pair is in the Region of its own choice. Raises ``PropError`` where ``env`` says
    another one.
    """
    if settings.regions is None:
        return env
    here, account = settings.regions.here, env.account if env else None
    said = env.region if env else None
    if said is not None and not Token.is_unresolved(said) and said != here:
        raise PropError(
            f"region: {here!r} is deployed here, and env= says {said!r}. Give both the same one, or"
            " leave the Region out of env=."
        )
    return Environment(account=account, region=here)


def claim_name(owner: Construct, name: str, env: Environment | None) -> None:
    """Note at the app that ``owner`` has the stage's name where it is deployed.

    Raises ``StageTaken``. Without an environment it may be deployed anywhere.
    """
    root, place = owner.node.root.node, _place(owner, env)
    for entry in root.metadata:
        if entry.type == _KEPT:
            kept = json.loads(str(entry.data))
            if kept["stage"] == name and _may_be(kept["place"], place):
                raise StageTaken(name, kept["path"])
    claim = {"stage": name, "path": owner.node.path, "place": place}
    root.add_metadata(_KEPT, json.dumps(claim))


def _place(owner: Construct, env: Environment | None) -> list[str | None]:
    """Account and Region, as stacks below ``owner`` find them; ``None``: known at deployment."""
    around = Stage.of(owner)
    given = (env.account, env.region) if env else (None, None)
    outer = (around.account, around.region) if around else (None, None)
    return [own or other for own, other in zip(given, outer, strict=True)]


def _may_be(one: list[str | None], other: list[str | None]) -> bool:
    """Tell if both may be the same account and Region."""
    return all(a is None or b is None or a == b for a, b in zip(one, other, strict=True))
