"""The simulator's command."""
