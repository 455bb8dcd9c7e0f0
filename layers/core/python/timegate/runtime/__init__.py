"""Settings, wiring and telemetry: what a function is made of at cold start."""
