"""Spanish, French, Italian and Portuguese: statements, facts and questions, corrections, secrets."""
