"""Commands on pools, and the worker."""
