"""The content policy: rules, check digits, clues of words."""
