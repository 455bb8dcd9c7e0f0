"""Keys of jobs, which files pass from one job to another."""

from collections.abc import Iterable, Mapping
from dataclasses import field
from typing import Any

from timegate.client import TimegateClient
from timegate.value_classes import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class KeyHolder:
    """A stored job that has a key, and gives it up or ends by the same plan."""

    key: str
    job_id: str
    version: int


@dataclass(kw_only=True, slots=True)
class PassedKeys:
    """Holders of keys, as the steps of a plan are done.

    A key is one job's at a time. The job that is to have it takes it from its holder, whose own
    step comes later: a renamed job ends once its successor is there.
    """

    holders: dict[str, KeyHolder] = field(default_factory=dict)
    #: Versions of jobs from which a key was taken.
    _versions: dict[str, int] = field(default_factory=dict)

    @classmethod
    def of(cls, jobs: Iterable[Mapping[str, Any]]) -> "PassedKeys":
        """Return the keys of these jobs, which are as the API shows them."""
        holders = [
            KeyHolder(key=job["key"], job_id=job["job_id"], version=job["version"])
            for job in jobs
            if job.get("key")
        ]
        return cls(holders={each.key: each for each in holders})

    def version(self, job_id: str, read: int) -> int:
        """Return the version of a job that was ``read`` before steps were done."""
        return self._versions.get(job_id, read)

    def take(self, client: TimegateClient, key: str | None, job_id: str | None) -> None:
        """Take a key from its holder, unless it is the job itself; raises ``ClientError``."""
        holder = self.holders.get(key or "")
        if holder is None or holder.job_id == job_id:
            return
        version = self.version(holder.job_id, holder.version)
        freed = client.update_job(holder.job_id, {"key": None}, version=version)
        self._versions[holder.job_id] = freed["version"]
        del self.holders[holder.key]

    def leave(self, job_id: str) -> None:
        """Note that a job has given up the key that it had."""
        self.holders = {key: each for key, each in self.holders.items() if each.job_id != job_id}
