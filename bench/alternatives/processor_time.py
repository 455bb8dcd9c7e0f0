"""Processor time of processes, read off ``/proc``."""

import os
from pathlib import Path

_TICK = os.sysconf("SC_CLK_TCK")
_NAME = b"AWS_LAMBDA_FUNCTION_NAME="


def of_process(pid: int) -> float:
    """Return the seconds that a process has worked; 0 once it is gone."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / _TICK


def of_functions(parent: int, names: tuple[str, ...]) -> float:
    """Return the seconds that all workers of the named functions have worked so far."""
    return sum(map(of_process, environments(parent, names)))


def environments(parent: int, names: tuple[str, ...]) -> frozenset[int]:
    """Return the ids of the live workers of the named functions."""
    return frozenset(pid for pid, name in workers(parent) if name in names)


def workers(parent: int) -> list[tuple[int, str]]:
    """Return the emulator's workers that live, each with the name of its function."""
    children = Path(f"/proc/{parent}/task").glob("*/children")
    found = []
    for listed in children:
        for pid in map(int, listed.read_text().split()):
            name = _function_of(pid)
            if name:
                found.append((pid, name))
    return found


def _function_of(pid: int) -> str:
    try:
        variables = Path(f"/proc/{pid}/environ").read_bytes().split(b"\0")
    except OSError:
        return ""
    return next((each[len(_NAME) :].decode() for each in variables if each.startswith(_NAME)), "")
