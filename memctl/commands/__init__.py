"""The commands, one file per noun; `memctl.main` names them all."""
