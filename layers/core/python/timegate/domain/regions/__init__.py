"""Two regions of a stage: which of them acts, and what the other one may have begun."""
