"""DAG runs: started, advanced by the ends of their tasks, stopped, repeated, and closed."""
