"""A naive planner, and what planners consume, for ``bench.planner_tick``."""
