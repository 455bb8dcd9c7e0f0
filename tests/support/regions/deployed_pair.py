"""A stage deployed in two regions, each of them a local cloud: a replication, a link and a cut."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any

from infra.local.cloud import LocalCloud
from infra.local.deployment import ROOT, deploy_assembly, synthesise_into
from tests.support.deployed.stack import Stack
from tests.support.regions.region_link import RegionLink, region_link
from tests.support.regions.replicator import Replicator, make_replica, replicating

HOME, OTHER = "us-east-1", "us-west-2"
STAGE = "local"
#: The shortest time for which a region acts without a word of the other one.
LENGTH = timedelta(seconds=180)
#: Items arrive so late, and up to as much more.
LAG = timedelta(seconds=1)
_TABLES = ("JobsTableName", "RunsTableName")
_PEER = re.compile(r'("PEER_REGION": ?"[a-z0-9-]+")')


@dataclass(frozen=True, kw_only=True)
class DeployedPair:
    """Both regions, and all that is between them."""

    stacks: dict[str, Stack]
    replicator: Replicator
    #: The way of planners into the other region, and that of an operator beside the second one.
    between: RegionLink
    operator: RegionLink

    def cut(self) -> None:
        """Part the regions: no item, no promise and no command of an operator goes over."""
        self.between.cut = {HOME, OTHER}
        self.operator.cut = {HOME}
        self.replicator.cut(is_cut=True)

    def heal(self) -> None:
        """Join them again."""
        self.between.cut, self.operator.cut = set(), set()
        self.replicator.cut(is_cut=False)

    def region(self, *words: str, code: int = 0) -> Any:  # noqa: ANN401 - JSON
        """Give a command of ``timegate admin region``; what it answers."""
        return json.loads(given(self.stacks[OTHER], self.operator, *words, "--json", code=code))


def given(stack: Stack, operator: RegionLink, *words: str, code: int = 0) -> str:
    """Give a command that ends with this code; it prints ``null`` where it fails."""
    done = subprocess.run(
        [sys.executable, "-m", "timegate.cli", "admin", "region", *words, "--stage", STAGE],
        cwd=ROOT,
        env={**os.environ, **stack.cloud.environment, "AWS_ENDPOINT_URL": operator.url},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == code, f"{words}: {done.stdout}{done.stderr}"
    return done.stdout or "null"


def _addressed(assembly: Path, url: str) -> Path:
    """Give the planner the address of the other region: that is no choice of a deployment."""
    changed = 0
    for template in assembly.glob("*.template.json"):
        written = template.read_text()
        replaced = _PEER.sub(rf'\g<1>, "PEER_ENDPOINT_URL": "{url}"', written)
        changed += replaced != written
        template.write_text(replaced)
    assert changed, "No template names the other region."
    return assembly


@contextmanager
def deployed_pair(folder: Path, *, auth: bool) -> Iterator[DeployedPair]:
    """Start two clouds and deploy the stage into each, as the page on two regions says."""
    with ExitStack() as exits:
        between, operator = (exits.enter_context(region_link()) for _ in range(2))
        clouds: dict[str, LocalCloud] = {}
        for region in (HOME, OTHER):
            clouds[region] = LocalCloud.start(folder / region, auth=auth, region=region)
            exits.callback(clouds[region].stop)
        for link in (between, operator):
            link.ports = {region: cloud.port for region, cloud in clouds.items()}
        home = _deployed(clouds[HOME], folder, between, HOME)
        exits.enter_context(home.clients)
        # On AWS the stack of the first region makes them.
        peer = exits.enter_context(ExitStack())
        bare = Stack(clouds[OTHER], home.outputs, peer)
        for output in _TABLES:
            tables = home.aws("dynamodb")
            table = tables.describe_table(TableName=home.outputs[output])["Table"]
            make_replica(bare.aws("dynamodb"), table)
        streams = given(home, operator, "streams", "--region", HOME).strip()
        other = _deployed(clouds[OTHER], folder, between, OTHER, replicaStreams=streams)
        exits.enter_context(other.clients)
        stacks = {HOME: home, OTHER: other}
        names = [home.outputs[output] for output in _TABLES]
        replicator = exits.enter_context(replicating(stacks, names, lag=LAG))
        yield DeployedPair(stacks=stacks, replicator=replicator, between=between, operator=operator)


def _deployed(
    cloud: LocalCloud, folder: Path, between: RegionLink, region: str, **choices: str
) -> Stack:
    assembly = synthesise_into(
        folder / f"assembly-{region}",
        regionPair=f"{HOME},{OTHER}",
        region=region,
        regionSeconds=f"{LENGTH.total_seconds():.0f}",
        **choices,
    )
    _addressed(assembly, between.url)
    return Stack(cloud, deploy_assembly(cloud, assembly, folder / f"outputs-{region}.json"))
