"""CloudEvents of transitions."""
