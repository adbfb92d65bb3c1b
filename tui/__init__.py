"""The terminal browser of memd; a wheel installs this folder as the package `memtui`, so imports in it are relative."""
