"""The auditor's cursors, its walk over the jobs, and recounts."""
