"""Lines of an export: each has a checksum of itself and of all lines before it.

A line that was changed, lost, moved or cut is found by the next reader, and by no later one.
"""

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any, Self

from timegate.domain.moving.errors import ExportDamaged, ExportIncomplete, ExportUnknown
from timegate.domain.values.instants import rfc3339
from timegate.value_classes import dataclass

#: A reader reads its own number, and no later one.
FORMAT = 1
_SUM = 64

Body = Mapping[str, Any]


@dataclass(frozen=True, kw_only=True, slots=True)
class ExportHead:
    """The first line: what was exported."""

    stage: str
    #: ``None``: all of the stage's.
    tenant: str | None
    history: bool
    exported_at: datetime
    #: Only these; empty: all of them, and everything else.
    jobs: tuple[str, ...] = ()
    #: Those of jobs and of runs that were read; empty: an earlier release does not say.
    tables: tuple[str, ...] = ()

    def body(self) -> dict[str, Any]:
        """Return it as the file has it."""
        return {
            "timegate_export": FORMAT,
            "stage": self.stage,
            "tenant": self.tenant,
            "history": self.history,
            "exported_at": rfc3339(self.exported_at),
            "jobs": list(self.jobs),
            "tables": list(self.tables),
        }

    @classmethod
    def read(cls, body: Body) -> Self:
        """Read it back; raises ``ExportUnknown``."""
        if body.get("timegate_export") != FORMAT:
            detail = f"its first line says {body.get('timegate_export')!r}, and not {FORMAT}"
            raise ExportUnknown(detail)
        return cls(
            stage=str(body["stage"]),
            tenant=body["tenant"],
            history=bool(body["history"]),
            exported_at=datetime.fromisoformat(str(body["exported_at"])),
            jobs=tuple(body.get("jobs", ())),
            tables=tuple(body.get("tables", ())),
        )

    def is_for(self, other: "ExportHead") -> bool:
        """Tell if both are of the same stage, tables, tenant, jobs and choice of history."""
        return replace(self, exported_at=other.exported_at) == other


class Chain:
    """The checksums of a file, line after line."""

    def __init__(self) -> None:
        self._last = ""
        #: Lines so far.
        self.lines = 0

    def line(self, body: Body) -> str:
        """Return the next line that says this."""
        text = json.dumps(body, ensure_ascii=False, separators=(",", ":"), sort_keys=True)
        self._go_on(text)
        return f"{self._last} {text}\n"

    def body(self, line: str) -> dict[str, Any]:
        """Read the next line; raises ``ExportDamaged``."""
        text = line[_SUM + 1 :].removesuffix("\n")
        self._go_on(text)
        if line != f"{self._last} {text}\n":
            raise ExportDamaged(self.lines)
        found: dict[str, Any] = json.loads(text)
        return found

    def copy(self) -> "Chain":
        """Return the checksums as they are now."""
        copied = Chain()
        copied._last, copied.lines = self._last, self.lines
        return copied

    @staticmethod
    def read(line: str) -> dict[str, Any]:
        """Read a line that was checked before."""
        found: dict[str, Any] = json.loads(line[_SUM + 1 :])
        return found

    def _go_on(self, text: str) -> None:
        self.lines += 1
        whole = f"{self._last}{text}".encode(errors="surrogateescape")
        self._last = hashlib.sha256(whole).hexdigest()


def checked(lines: Iterable[str]) -> Iterator[dict[str, Any]]:
    """Yield what each line says, the first and the last included.

    Raises ``ExportDamaged``, ``ExportUnknown``, and ``ExportIncomplete`` behind the last line.
    """
    chain, last = Chain(), {}
    for line in lines:
        if chain.lines == 0 and '"timegate_export"' not in line:
            raise ExportUnknown("its first line is no head of an export")
        if "end" in last:
            raise ExportDamaged(chain.lines + 1)
        last = chain.body(line)
        if chain.lines == 1:
            ExportHead.read(last)
        yield last
    if "end" not in last:
        raise ExportIncomplete
