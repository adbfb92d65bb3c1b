"""Pure decisions: values in, decisions out; no clock, random, SQL, HTTP or settings."""
