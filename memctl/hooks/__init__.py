"""Hooks of coding agents: memory in each prompt, and each turn stored, without the model having to ask for it.

`memctl hooks run` is started for every event, so what it imports is kept small: standard library and memctl.settings.
"""
