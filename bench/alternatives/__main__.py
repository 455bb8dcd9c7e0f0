"""Let each contender start the same burst on the same local stack, in turn: one JSON document.

    python -m bench.alternatives [JOBS [ROUNDS]] > bench/results/alternatives.json

All calls of a burst are due in the same second. Bursts of each are not counted until one starts no
environment of its functions, up to three. Processor time is that of the contender's own processes
and functions, and that of the emulator meanwhile.
"""

import json
import sys
import time
from dataclasses import dataclass, field
from statistics import fmean
from typing import Any
from uuid import uuid4

from bench.alternatives.contenders import Contender, at_a_second, contenders
from bench.alternatives.origin import origin
from bench.alternatives.processor_time import environments, of_functions, of_process
from bench.alternatives.target import Target, serving
from bench.lateness import percentile
from infra.local.__main__ import HOME
from infra.local.access import profile_path
from infra.local.cloud import LocalCloud
from infra.local.demo.show import warm
from infra.local.deployment import deploy
from timegate.client import TimegateClient, load_profile

JOBS = 200
ROUNDS = 3
#: Bursts that are not counted, at most.
WARMING = 3
#: From the last registration to the instant, at least; and seconds ahead for each call.
_AHEAD_SECONDS = 15.0
_AHEAD_A_JOB = 0.05
_PATIENCE_SECONDS = 90.0
#: For what is still recorded after the last call.
_SETTLE_SECONDS = 3.0
_LOOK_SECONDS = 0.1
#: Processor time of a try.
_TRY_SECONDS = 0.005


@dataclass(kw_only=True)
class Bursts:
    """Bursts of one contender."""

    lost: int = 0
    runs_a_second: list[float] = field(default_factory=list)
    late_ms: list[float] = field(default_factory=list)
    own_ms_a_run: list[float] = field(default_factory=list)
    emulator_ms_a_run: list[float] = field(default_factory=list)
    #: Share of a core that a program got which wanted all of it meanwhile.
    core_share: list[float] = field(default_factory=list)
    #: Environments of its functions that a burst started.
    started: list[int] = field(default_factory=list)

    def report(self) -> dict[str, Any]:
        """Return the figures, burst by burst in the order of time."""
        late = sorted(self.late_ms)
        return {
            "lost": self.lost,
            "runs_a_second": [round(each, 1) for each in self.runs_a_second],
            **{f"p{p}_seconds": round(percentile(late, p) / 1000, 2) for p in (50, 99)},
            "own_ms_a_run": [round(each, 2) for each in self.own_ms_a_run],
            "emulator_ms_a_run": [round(each, 2) for each in self.emulator_ms_a_run],
            "core_share": [round(each, 2) for each in self.core_share],
            "environments_started": self.started,
        }


def main() -> None:
    """Measure and report."""
    jobs = int(sys.argv[1]) if len(sys.argv) > 1 else JOBS
    rounds = int(sys.argv[2]) if len(sys.argv) > 2 else ROUNDS  # noqa: PLR2004 - its place
    cloud = LocalCloud.running(HOME)
    if cloud is None:
        sys.exit("No local stack is running: make local.")
    outputs = deploy(cloud)
    warm(cloud, outputs)
    own = (
        *json.loads(outputs["ExecutorFunctionNames"]).values(),
        *(outputs["RelayFunctionName"], outputs["OutcomesFunctionName"]),
    )
    profile = load_profile({"TIMEGATE_PROFILE_FILE": str(profile_path())})
    with (
        TimegateClient(profile) as timegate,
        serving() as target,
        contenders(cloud, timegate, own) as compared,
    ):
        found = {each.name: Bursts() for each in compared}
        for each in compared:
            _warm(each, cloud, target, jobs)
        for _ in range(rounds):
            for each in compared:
                _burst(each, cloud, target, jobs, found[each.name])
    report = {
        **origin(),
        "jobs": jobs,
        "rounds": rounds,
        "contenders": {name: bursts.report() for name, bursts in found.items()},
    }
    sys.stdout.write(f"{json.dumps(report, indent=1)}\n")


def _warm(contender: Contender, cloud: LocalCloud, target: Target, jobs: int) -> None:
    """Let bursts go by until one meets environments alone that live already."""
    for _ in range(WARMING):
        _burst(contender, cloud, target, jobs, bursts := Bursts())
        if not bursts.started[-1]:
            return


def _burst(
    contender: Contender, cloud: LocalCloud, target: Target, jobs: int, bursts: Bursts
) -> None:
    due = at_a_second(_AHEAD_SECONDS + _AHEAD_A_JOB * jobs)
    path = f"{uuid4()}"
    contender.register(target.url(path), jobs, due)
    if time.time() > due.timestamp() - 1:
        sys.exit(f"{contender.name}: registering took too long on this machine.")
    time.sleep(due.timestamp() - time.time() - 0.5)
    own, emulator = _spent(contender, cloud), of_process(cloud.pid)
    lived = environments(cloud.pid, contender.functions)
    until = due.timestamp() + _PATIENCE_SECONDS
    shares: list[float] = []
    while len(arrived := target.arrivals(path)) < jobs and time.time() < until:
        shares.append(core_share())
        time.sleep(_LOOK_SECONDS)
    bursts.core_share.append(fmean(shares or [core_share()]))
    time.sleep(_SETTLE_SECONDS)
    own, emulator = _spent(contender, cloud) - own, of_process(cloud.pid) - emulator
    bursts.started.append(len(environments(cloud.pid, contender.functions) - lived))
    late = [each - due.timestamp() for each in arrived]
    bursts.lost += jobs - len(arrived)
    bursts.late_ms += [each * 1000 for each in late]
    if late and late[-1] > 0:
        bursts.runs_a_second.append(len(arrived) / late[-1])
    bursts.own_ms_a_run.append(1000 * own / jobs)
    bursts.emulator_ms_a_run.append(1000 * emulator / jobs)
    sys.stderr.write(f"{contender.name}: {bursts.report()}\n")


def core_share() -> float:
    """Return the share of a core that a program gets which wants all of it, by a short try."""
    began, worked = time.perf_counter(), time.thread_time()
    while time.thread_time() - worked < _TRY_SECONDS:
        pass
    return _TRY_SECONDS / (time.perf_counter() - began)


def _spent(contender: Contender, cloud: LocalCloud) -> float:
    functions = of_functions(cloud.pid, contender.functions) if contender.functions else 0.0
    return functions + sum(of_process(each) for each in contender.pids)


if __name__ == "__main__":
    main()
