"""Tools of operators: they ask AWS with the operator's own rights, and run from a checkout."""
