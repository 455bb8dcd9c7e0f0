"""Jobs of dkron: schedules, families and executors."""
