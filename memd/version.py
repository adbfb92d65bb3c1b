"""The release of this program and of the contract it speaks (contract 15)."""

VERSION = "0.8.20"
