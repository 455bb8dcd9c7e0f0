"""Tasks of a DAG run: started, ended, skipped and cancelled."""
