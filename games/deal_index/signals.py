"""Signals about the facts of matches."""

from django.dispatch import Signal

# Sent within the transaction that stores the facts, with `match`, `facts` (making.Facts) and `anew`: whether they
# replace older facts.
facts_stored = Signal()
