"""Values in answers: ids, pages, instants and payloads."""
