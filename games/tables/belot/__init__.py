"""Belot as it is drawn: the auction, the contract, what is announced at the seats, and the sheet with its workings."""

from games.tables.belot.drawing import BelotDrawing

__all__ = ["BelotDrawing"]
