"""Pure functions and values between the wire and the screens: answers in, rows and texts out."""
