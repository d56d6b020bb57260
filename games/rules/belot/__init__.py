"""Belot: bid for trumps, declare sequences and squares, take the more points."""

from games.rules.belot.game import Belot

__all__ = ["Belot"]
