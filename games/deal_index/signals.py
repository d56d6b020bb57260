"""Signals about the facts of matches."""

from django.dispatch import Signal

# Sent within the transaction that stores the facts, with `match`, `made` and `anew` (whether it replaces older facts).
facts_stored = Signal()
