"""Signals of accounts.

account_closing: sent with `user` before an account is deleted or a guest leaves, outside of a transaction.
renamed: sent with `user` after a change of name, and after a guest has become an account.
rights_changed: sent with `user_ids` when a session, token, friendship or membership of theirs may have ended.
parted: sent with `user` and `other` after the user has blocked the other.
guest_logged_in: sent with `request` and `guest` after a guest's browser has logged in to an account.
guest_moving: sent with `guest` and `user` in the transaction that moves the guest's data to this account, before it.
guest_adopted: sent with `user` after that transaction.
barred: sent with `user` in the transaction that suspends or bans them.
"""

from django.dispatch import Signal

account_closing = Signal()
renamed = Signal()
rights_changed = Signal()
parted = Signal()
guest_logged_in = Signal()
guest_moving = Signal()
guest_adopted = Signal()
barred = Signal()
