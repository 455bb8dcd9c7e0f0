"""Step Functions: the executions that stand for DAG runs."""
