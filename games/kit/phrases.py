"""What can be said at a table with one tap."""

from typing import NamedTuple


class Phrase(NamedTuple):
    """Something that can be said, stored by its key. It must tell nothing of cards that anybody holds."""

    key: str
    words: str
    icon: str = ""  # of static/img/icons.svg: of a reaction, which shows it in place of its words
