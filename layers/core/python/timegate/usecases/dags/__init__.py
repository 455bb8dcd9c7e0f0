"""What can be done with definitions of DAGs."""
