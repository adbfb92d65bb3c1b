"""Questions: the fact, the period or the due dates that they ask for."""
