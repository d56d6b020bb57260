"""Bleven as players see it."""

from games.tables.bleven.drawing import BlevenDrawing

__all__ = ["BlevenDrawing"]
