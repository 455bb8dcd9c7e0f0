"""Actions and the targets that they may reach."""
