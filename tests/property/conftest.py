"""Property tests look for the same counterexamples on every machine, and always finish."""

from hypothesis import settings

settings.register_profile("steady", derandomize=True, deadline=None, database=None)
settings.load_profile("steady")
