"""What happens to accounts, for whoever wants to hear of it. Nothing here knows who that is."""

from django.dispatch import Signal

account_closing = Signal()  # sent with `user`, before an account is deleted or a guest leaves; no transaction is open
renamed = Signal()  # sent with `user`, after a name was changed, or a guest has become an account
rights_changed = Signal()  # sent with `user_ids`, when a session, token, tie or membership of theirs may have ended
parted = Signal()  # sent with `user` and `other`, after the one has blocked the other
barred = Signal()  # sent with `user`, in the transaction in which they are suspended or banned
