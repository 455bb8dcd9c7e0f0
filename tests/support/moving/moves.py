"""Two stages side by side in virtual time, and every instant that fired in each."""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from infra.admin.cut_over import TenantMoving
from infra.admin.moving import export_stage, import_stage
from tests.support.factories import NOW, TENANT
from tests.support.moving.stages import opened, reached
from tests.support.world import World

Instants = set[tuple[str, datetime]]


@dataclass
class TwoStages:
    """A stage with jobs, and one that they move to."""

    path: Path
    old: World = field(default_factory=lambda: opened(shards=1))
    new: World = field(default_factory=lambda: opened(shards=1))
    #: Wraps the engine of each operator's command.
    engine: Callable[[World], Any] = lambda world: world.tables.engine

    @property
    def now(self) -> datetime:
        """The time in both."""
        return self.old.clock.now()

    def moving(self) -> TenantMoving:
        """The operator's view of both."""
        return TenantMoving(
            tenant=TENANT,
            old=reached(self.old, "prod", engine=self.engine(self.old)),
            new=reached(self.new, "prod-b", engine=self.engine(self.new)),
        )

    def run_until(self, instant: datetime) -> None:
        """Let planners tick each minute, and everything that is due be executed."""
        while self.now < instant:
            step = min(timedelta(minutes=1), instant - self.now).total_seconds()
            for world in (self.old, self.new):
                world.clock.advance(step)
                world.tick()

    def copy(self, *, history: bool = False) -> Any:  # noqa: ANN401 - counts
        """Export the tenant here, and import it there."""
        self.path.unlink(missing_ok=True)
        self.path.with_name(f"{self.path.name}.part").unlink(missing_ok=True)
        ends = self.moving()
        export_stage(ends.old, self.path, tenant=TENANT, history=history, now=self.now)
        return import_stage(ends.new, self.path, now=self.now)

    def brought(self, file: Path) -> Any:  # noqa: ANN401 - counts
        """Import a file of an earlier export."""
        return import_stage(self.moving().new, file, now=self.now)

    def instants(self, world: World) -> Instants:
        """Instants with a run."""
        return {(each.run.job_id, each.run.scheduled_at) for _, each in world.tables.attempts}


def minutes(number: float) -> datetime:
    """So many minutes after the beginning."""
    return NOW + timedelta(minutes=number)
