"""CloudEvents: every transition of runs, DAG runs and jobs, told to subscribers of the stage."""
