"""Every AWS call, and the in-memory twins."""
