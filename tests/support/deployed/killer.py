"""SIGKILL for workers, in the midst of what they do."""

import os
import signal
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from random import Random

from tests.support.deployed.chaos.chaos_table import Death, Struck
from tests.support.deployed.effects import Effects
from tests.support.deployed.stack import Stack

#: Share of the kills: workers that are not waiting for a target just then.
OTHERS_SHARE = 0.25
#: A run that killed five workers is given up, as it should be. Here the workers are to blame.
MOST_CALLS_OF_VICTIMS = 3


@dataclass
class Killer:
    """Kills a worker whose call a target has not answered; now and then any other one."""

    stack: Stack
    target: Effects
    #: Functions whose workers die, whatever they do.
    others: Sequence[str]
    dice: Random
    #: Then it rests: what is under way is to come to an end.
    most: int
    kills: Counter[str] = field(default_factory=Counter)
    #: The jobs whose call was open when their worker was killed, with the instant.
    struck: list[Struck] = field(default_factory=list)
    #: Every kill, with the function whose worker it ended.
    deaths: list[Death] = field(default_factory=list)

    def kill(self) -> None:
        """One of them, if there is one."""
        if self.kills.total() >= self.most:
            return
        if self.dice.random() < OTHERS_SHARE:
            self._kill(self.stack.workers(self.dice.choice(self.others)), "of others")
        else:
            self._kill(self._at_work(), "at work")

    def _at_work(self) -> list[int]:
        """Return the workers that wait for an answer, but for calls that killed enough of them."""
        waiting = self.target.at_work()
        calls: dict[int, list[int]] = defaultdict(list)
        for port, worker in holders(waiting, to=self.target.port).items():
            calls[worker].append(len(self.target.calls(waiting[port])))
        return [pid for pid, made in sorted(calls.items()) if max(made) < MOST_CALLS_OF_VICTIMS]

    def _kill(self, workers: Sequence[int], what: str) -> None:
        if workers:
            victim, waiting = self.dice.choice(workers), self.target.at_work()
            jobs = [
                waiting[port]
                for port, holder in holders(waiting, to=self.target.port).items()
                if holder == victim
            ]
            function = self.stack.function_of(victim)
            with suppress(ProcessLookupError):
                os.kill(victim, signal.SIGKILL)
                death = Death(function=function, at=datetime.now(UTC))
                self.kills[what] += 1
                self.deaths.append(death)
                self.struck += [Struck(job=job, death=death) for job in jobs]


def holders(ports: Iterable[int], *, to: int) -> dict[int, int]:
    """Name the process of each open connection from one of these ports of this machine to another.

    Connections to different ports may begin at the same one.
    """
    sockets = {f"socket:[{inode}]": port for port, inode in _inodes(set(ports), to).items()}
    found = {}
    for process in Path("/proc").iterdir() if sockets else ():
        if not process.name.isdigit():
            continue
        for held in _files(process):
            if held in sockets:
                found[sockets[held]] = int(process.name)
    return found


def _inodes(ports: set[int], to: int) -> dict[int, str]:
    """Map the sockets of connections that begin at these ports."""
    lines = Path("/proc/net/tcp").read_text().splitlines()[1:]
    fields = [line.split() for line in lines]
    begun = [(_port(each[1]), _port(each[2]), each[9]) for each in fields]
    return {port: i for port, end, i in begun if port in ports and end == to and i != "0"}


def _port(address: str) -> int:
    return int(address.rpartition(":")[2], 16)


def _files(process: Path) -> Iterable[str]:
    """Yield the open files of a process; none, if it is gone or another user's."""
    with suppress(OSError):
        for file in (process / "fd").iterdir():
            with suppress(OSError):
                yield str(file.readlink())
