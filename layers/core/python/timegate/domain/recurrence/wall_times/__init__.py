"""Wall times of a schedule, and the instants they become."""
