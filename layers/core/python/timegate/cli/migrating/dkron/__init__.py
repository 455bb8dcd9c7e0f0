"""Jobs of dkron: their schedules, families and executors."""
