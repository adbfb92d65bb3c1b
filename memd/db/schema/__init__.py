"""The tables: their base, migrations, logins, and what a server needs to hold them."""
