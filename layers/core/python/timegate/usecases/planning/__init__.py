"""Planning: the planner's tick, and runs made from schedules."""
