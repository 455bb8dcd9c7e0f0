"""An archiver that seals months, in memory."""

from collections.abc import Callable

from tests.support.factories import TENANT, after, attempt_factory, attempt_id, job_id
from tests.support.sealed import MemorySealSigner
from tests.unit.usecases.archive.test_archive_round import DAY, Archiver
from timegate.domain.archive.seals import Seal, seal_path
from timegate.domain.runs.run import RunState
from timegate.domain.values.tenant import TenantId
from timegate.usecases.archive.archive_services import Sealing
from timegate.usecases.archive.seal_months import Sealed, seal_months

NOVEMBER, DECEMBER, JANUARY = "2026-11", "2026-12", "2027-01"
#: Days after the tests begin, on 21 November, at which a round has all of the month.
AFTER_NOVEMBER, AFTER_DECEMBER, AFTER_JANUARY = 12, 43, 74


class Sealer(Archiver):
    """The archiver with a key."""

    def __init__(self) -> None:
        super().__init__()
        self.signer = MemorySealSigner()

    def seal(self, days: float, *, has_time: Callable[[], bool] = lambda: True) -> Sealed:
        """Seal, so many days after the tests begin."""
        sealing = Sealing(files=self.files, signer=self.signer, telemetry=self.telemetry)
        return seal_months(sealing, has_time, now=after(days * DAY))

    def month(self, days: float) -> Sealed:
        """Archive and seal, as a tick does."""
        self.tick(days)
        return self.seal(days)

    def end_of(self, tenant: TenantId, name: str, at: float) -> None:
        """Let a tenant's attempt end so many seconds after the tests begin."""
        self.records.put_attempt(
            attempt_factory(
                tenant=tenant,
                id=attempt_id(1, job=job_id(name)),
                state=RunState.SUCCEEDED,
                ended_at=after(at),
                watch_at=None,
            )
        )

    def sealed(self, month: str, tenant: TenantId = TENANT) -> Seal:
        """A tenant's seal of a month."""
        return Seal.from_bytes(self.files.files[seal_path(tenant, month)])

    @property
    def seals(self) -> list[str]:
        """Paths of seals and signatures, in order."""
        return [path for path in self.files.paths("seals/") if "/tenant=" in path]
