"""What is known about each person or thing: the current facts with their evidence."""
