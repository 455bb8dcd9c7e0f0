"""Lines: what an attempt that is due waits for while others hold all slots."""

from enum import StrEnum

from timegate.value_classes import dataclass

#: Stands between the name of slots and the key of a run. No concurrency key has a blank.
MARK = " "


class WaitQueue(StrEnum):
    """Kinds of slots that runs wait for."""

    JOB = "job"
    #: Those of a concurrency key that jobs share.
    KEY = "key"
    #: Those of the tenant's quota of concurrent runs.
    QUOTA = "quota"


@dataclass(frozen=True, kw_only=True, slots=True)
class Queueing:
    """The line that an attempt joined last."""

    line: WaitQueue
    #: How many there are in all.
    slots: int
    #: Fence of the last claim before it joined: once it was claimed again, it waits no more.
    fence: int
    #: Name of the key, perhaps with the key of the run (``name_within``).
    key: str | None = None

    @property
    def explanation(self) -> str:
        """Explain the waiting in a sentence."""
        match self.line:
            case WaitQueue.JOB:
                one = "the slot" if self.slots == 1 else f"one of the {self.slots} slots"
                return f"It was due, and waits for {one} of its job."
            case WaitQueue.KEY:
                one = "the slot" if self.slots == 1 else f"one of the {self.slots} slots"
                shared, own = parts_of(self.key or "")
                whose = f"the key {shared}" if own is None else f"its key {own}"
                return f"It was due, and waits for {one} of {whose}."
            case WaitQueue.QUOTA:
                runs = "run" if self.slots == 1 else "runs"
                return (
                    "It was due, and waits for a slot of the tenant's quota of"
                    f" {self.slots} concurrent {runs}."
                )


def parts_of(name: str) -> tuple[str, str | None]:
    """Return what ``name_within`` put together: a job or shared name, and the run's key if any."""
    base, mark, key = name.partition(MARK)
    return base, key if mark else None
