"""Bleven: change cards, predict your tricks, and bet on it."""

from games.rules.bleven.rules import Bleven

__all__ = ["Bleven"]
