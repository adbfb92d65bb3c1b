"""The screens of memtui, one for each room of memd."""
