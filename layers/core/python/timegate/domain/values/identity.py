"""Identity is computed, never looked up: replaying anything meets the same record."""

import base64
import hashlib
import re
from datetime import datetime
from enum import StrEnum
from typing import NewType, Self
from zlib import crc32

from timegate.domain.values.errors import InvalidInput, RunNotFound
from timegate.domain.values.instants import compact, from_compact
from timegate.domain.values.tenant import TenantId
from timegate.value_classes import dataclass

JobId = NewType("JobId", str)
#: Name of a job that is unique in its tenant, and stands where an id is asked for.
JobKey = NewType("JobKey", str)
OperationId = NewType("OperationId", str)
DagId = NewType("DagId", str)
DagRunId = NewType("DagRunId", str)
#: Name of a task within its DAG: part of keys, run ids and references.
TaskKey = NewType("TaskKey", str)
TASK_KEY = re.compile(r"[a-z][a-z0-9_-]{0,39}")

#: Pattern of a job's key; one that looks like an id is none.
JOB_KEY = r"^[a-z0-9][a-z0-9._-]{0,63}$"
_KEY = re.compile(r"[a-z0-9][a-z0-9._-]{0,63}")
#: Marks a reference by key: ``key:nightly``. No id has a colon.
_KEY_MARK = "key:"
#: Marks a reference to the own job of a DAG: ``dag:`` and the DAG's id.
_DAG_MARK = "dag:"
#: An id, a key with its mark, or the id of a DAG with its mark.
JOB_REFERENCE = r"^((?:dag:)?[a-z2-7]{26}|key:[a-z0-9][a-z0-9._-]{0,63})$"
_JOB_ID = re.compile(r"[a-z2-7]{26}")
_ATTEMPT_NUMBER = re.compile(r"[1-9]\d{0,8}", re.ASCII)
#: Place of an origin's letter in a run's id.
_LETTER = 27
_RUN_ID = re.compile(
    r"([a-z2-7]{26})\."
    r"(?:s(\d{8}T\d{9}Z)|t(\d{8}T\d{9}Z)(?:-([a-z2-7]{16}))?"
    r"|[ndf](\d{8}T\d{9}Z)-([a-z0-9_-]{1,64}))"
)


class Origin(StrEnum):
    """Origins of runs. Its letter is part of the run's id, so origins never collide."""

    SCHEDULE = "s"
    TRIGGER = "t"
    #: It tells of another run of its job.
    NOTIFICATION = "n"
    #: It is a task of a DAG run, which is to it what its job is to another.
    TASK = "d"
    #: Another run's end triggered it.
    FOLLOW_UP = "f"


#: Origins of runs that are a job's own; tasks belong to DAG runs, and notices tell of others.
OWN_RUNS = frozenset({Origin.SCHEDULE, Origin.TRIGGER, Origin.FOLLOW_UP})


def job_id_for_key(tenant: TenantId, idempotency_key: str, repetition: int = 0) -> JobId:
    """The id of the job this tenant creates under this key: the same, however often it asks.

    ``repetition``: so many ids of the key are barred. No caller's key has a line break.
    """
    suffix = f"\n{repetition}" if repetition else ""
    return job_id_from(f"{tenant}\n{idempotency_key}{suffix}".encode())


def job_id_from(seed: bytes) -> JobId:
    """130 bits of SHA-256 in lower-case base32: safe in keys, URLs and file names."""
    digest = base64.b32encode(hashlib.sha256(seed).digest()).decode().lower()
    return JobId(digest[:26])


def parse_job_id(text: str) -> JobId | None:
    """The id when ``text`` has the shape of one; ``None`` means no such job can exist."""
    return JobId(text) if _JOB_ID.fullmatch(text) else None


def is_job_key(text: str) -> bool:
    """Tell if a job may have this key."""
    return _KEY.fullmatch(text) is not None and parse_job_id(text) is None


def key_of(reference: str) -> JobKey | None:
    """Read the key of a reference such as ``key:nightly``; ``None``: it is none."""
    key = reference.removeprefix(_KEY_MARK)
    return JobKey(key) if key != reference and is_job_key(key) else None


def dag_of(reference: str) -> DagId | None:
    """Read the DAG of a reference to its own job, ``dag:<dag_id>``; ``None``: it is none."""
    dag_id = reference.removeprefix(_DAG_MARK)
    return parse_dag_id(dag_id) if dag_id != reference else None


def operation_id_for_key(tenant: TenantId, idempotency_key: str) -> OperationId:
    """The id of the operation this tenant starts under this key: the same, however often."""
    return OperationId(job_id_from(f"operation\n{tenant}\n{idempotency_key}".encode()))


def parse_operation_id(text: str) -> OperationId | None:
    """The id when ``text`` has the shape of one; ``None`` means no such operation can exist."""
    return OperationId(text) if _JOB_ID.fullmatch(text) else None


def dag_id_for_key(tenant: TenantId, idempotency_key: str) -> DagId:
    """The id of the DAG this tenant creates under this key: the same, however often it asks."""
    return dag_id_from(f"dag\n{tenant}\n{idempotency_key}".encode())


def asked_as(tenant: TenantId, idempotency_key: str | None) -> str:
    """Return the digest by which a freeze or an API key knows its request; empty: it has no key.

    Its own id is computed from other things: an instant, or a secret.
    """
    return "" if idempotency_key is None else job_id_from(f"{tenant}\n{idempotency_key}".encode())


def own_job_key(dag_id: DagId) -> str:
    """Return the key under which a DAG's own job is created; no caller's key has a line break."""
    return f"dag\n{dag_id}"


def own_job_id(tenant: TenantId, dag_id: DagId) -> JobId:
    """The id of a DAG's own job: the same for every maker."""
    return job_id_for_key(tenant, own_job_key(dag_id))


def dag_id_from(seed: bytes) -> DagId:
    """Return the DAG's id: 130 bits of SHA-256, as a job's."""
    return DagId(job_id_from(seed))


def parse_dag_id(text: str) -> DagId | None:
    """The id when ``text`` has the shape of one; ``None`` means no such DAG can exist."""
    return DagId(text) if _JOB_ID.fullmatch(text) else None


def part_of(seed: str, parts: int) -> int:
    """Choose one of the parts of a tenant's own record.

    A tenant can aim all its ids at one part, and slows only itself. Records that tenants share are
    placed under the stage's key (``shards.Placement``).
    """
    return crc32(seed.encode()) % parts


@dataclass(frozen=True, kw_only=True, slots=True)
class AbsenceRef:
    """The job that a watch awaits a success of."""

    tenant: TenantId
    job_id: JobId


@dataclass(frozen=True, kw_only=True, slots=True, order=True)
class RunId:
    """One occurrence of a job: the job, why it runs, and the nominal instant."""

    job_id: JobId
    origin: Origin
    scheduled_at: datetime
    #: Notification: the attempt of the run of that instant that it tells of, the occasion, and the
    #: hook. Task: its round, its key, and its place in a fan-out. Follow-up: the attempt whose end
    #: triggered it, as a hash. Trigger with data or a key: a hash that tells it from others of its
    #: instant.
    about: str = ""

    def __str__(self) -> str:
        """The form users see; ``parse`` reads it back without a look-up."""
        about = f"-{self.about}" if self.about else ""
        return f"{self.job_id}.{self.origin}{compact(self.scheduled_at)}{about}"

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read an id back; text that is none raises ``RunNotFound``, as an unknown id would."""
        match = _RUN_ID.fullmatch(text)
        if match is None:
            raise RunNotFound(text)
        try:
            instant = from_compact(match[2] or match[3] or match[5])
        except InvalidInput as error:
            raise RunNotFound(text) from error
        return cls(
            job_id=JobId(match[1]),
            origin=Origin(text[_LETTER]),
            scheduled_at=instant,
            about=match[4] or match[6] or "",
        )


@dataclass(frozen=True, kw_only=True, slots=True, order=True)
class AttemptId:
    """One try at a run; attempts count from 1 and each has its own record."""

    run: RunId
    number: int

    def __str__(self) -> str:
        """``<run id>.<number>``."""
        return f"{self.run}.{self.number}"

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read an id back; text that is none raises ``RunNotFound``."""
        run_text, _, number = text.rpartition(".")
        if not _ATTEMPT_NUMBER.fullmatch(number):
            raise RunNotFound(text)
        return cls(run=RunId.parse(run_text), number=int(number))

    def next(self) -> "AttemptId":
        """The attempt a retry creates."""
        return AttemptId(run=self.run, number=self.number + 1)
