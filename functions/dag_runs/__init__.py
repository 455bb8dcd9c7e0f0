"""The steps of the executions that stand for DAG runs."""
