"""The steps of the executions that stand for DAG runs."""

from timegate.runtime.environment import pause_collector

pause_collector(__name__)
