"""End users of an application: finding them by the application's name for them, listing them (contract 17.1)."""
