"""What happens to the facts of matches, for whoever reckons with them. Nothing here knows who that is."""

from django.dispatch import Signal

facts_stored = (
    Signal()
)  # sent with `match`, `made` and `anew`, whether it had others, in the transaction that stores them
